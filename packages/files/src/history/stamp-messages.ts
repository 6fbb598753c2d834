import type { Stats } from 'node:fs';

/** What tells two states of an entry apart, in the order of the numbers of an answer. */
export const FACTS = ['mtimeMs', 'ctimeMs', 'birthtimeMs', 'size', 'ino', 'mode'] as const;

export type DiskFacts = Pick<Stats, (typeof FACTS)[number]>;

export interface StampRequest {
  /** Absolute. */
  paths: readonly string[];
  /** Asks about what a link leads to. */
  followsLinks: boolean;
}

/** FACTS of each path, one after the other; NaN for a missing or unreadable one. A text is why there are none. */
export type StampAnswer = Float64Array<ArrayBuffer> | string;
