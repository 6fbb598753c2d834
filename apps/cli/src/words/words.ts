import type { EN } from './en.ts';

/** Every key of the catalog. */
export type Words = Record<keyof typeof EN, string>;
