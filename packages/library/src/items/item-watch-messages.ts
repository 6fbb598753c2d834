/** What the thread of a watch is started with. */
export interface WatchInput {
  /** Absolute paths, outermost first; the last one is the watched folder. None of them may be a link. */
  folders: readonly string[];
  /** The names of its subfolders that count. */
  isId: RegExp;
  /** The watched file in each subfolder. */
  file: string;
  /** So many events in one turn of the event loop mean that others were lost. */
  mostEvents: number;
}

export interface ItemChanges {
  /** Folders that no longer exist. */
  gone: readonly string[];
  /** Folders that exist and whose file must be checked: changed, new, without a file, or impossible to watch. */
  changed: readonly string[];
}

/**
 * `watching`: once, when every file is watched. `changes`: one per question. `lost`: changes may have been missed, the
 * thread is of no use any more.
 */
export type WatchAnswer = 'watching' | { changes: ItemChanges } | { lost: string };
