import type { Route } from './http/router.ts';

export const ROUTES: readonly Route[] = [];
