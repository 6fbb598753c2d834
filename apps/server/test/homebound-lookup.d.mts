import type { lookup } from 'node:dns';

export declare const homeboundLookup: typeof lookup;
