/** What the watching process is asked for. */
export type ToWatching = WatchRequest | { kind: 'scan'; id: number } | { kind: 'end'; id: number };

export interface WatchRequest {
  kind: 'watch';
  id: number;
  /** Absolute. */
  folder: string;
  /** Folders that ignore files name are not watched. */
  appliesRules: boolean;
  /** No events: the folder is read again and again. */
  isPolled: boolean;
  /** Epoch ms: changes since then are reported, too. */
  since: number;
  /** Relative paths that existed then; `isWhole` when they are all. */
  before: { paths: readonly string[]; isWhole: boolean };
}

/**
 * `watching`: from now on events are heard, or the first scan is done. `changed`: relative paths. `gone`: the folder is not
 * there, the watch is over. `limit`: the system allows no more watches. `failed`: the watch is over, for another reason.
 */
export type FromWatching =
  | { kind: 'watching'; id: number }
  | { kind: 'changed'; id: number; paths: readonly string[] }
  | { kind: 'gone'; id: number }
  | { kind: 'limit'; id: number }
  | { kind: 'failed'; id: number; reason: string };
