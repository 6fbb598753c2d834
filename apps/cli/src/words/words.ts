import type { EN } from './en.ts';

/** Every key of the catalogue. */
export type Words = Record<keyof typeof EN, string>;
