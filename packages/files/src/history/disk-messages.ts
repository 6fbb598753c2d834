import type { Stats } from 'node:fs';

/** What tells two states of an entry apart, in the order of the numbers of an answer. */
export const FACTS = ['mtimeMs', 'ctimeMs', 'birthtimeMs', 'size', 'ino', 'mode'] as const;

export type DiskFacts = Pick<Stats, (typeof FACTS)[number]>;

export interface FactsRequest {
  kind: 'facts';
  /** Absolute. */
  paths: readonly string[];
  /** Asks about what a link leads to. */
  followsLinks: boolean;
}

/** A file as it was seen. */
export interface StampedFile {
  path: string;
  /** Its mode is the permission bits alone. */
  stamp: DiskFacts;
}

/** Stores the content of files that are still as they were seen. */
export interface KeepRequest {
  kind: 'keep';
  /** A real folder; the paths are relative to it. */
  root: string;
  files: readonly StampedFile[];
  /** The folder of stored contents. */
  store: string;
  /** Epoch ms: stored contents were last needed now. */
  now: number;
}

export type DiskRequest = FactsRequest | KeepRequest;

/** FACTS of each path, one after the other; NaN for a missing or unreadable one. */
export type FactsAnswer = Float64Array<ArrayBuffer>;
/** The SHA-256 of each file, 64 lower-case hex digits; null for one that was not stored. */
export type KeepAnswer = readonly (string | null)[];

/** A text is why there is no answer. */
export type DiskAnswer = FactsAnswer | KeepAnswer | string;
