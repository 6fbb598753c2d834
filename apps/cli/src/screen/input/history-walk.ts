import type { History } from './history.ts';

/** Navigates the history, and back to the current text. */
export interface HistoryWalk {
  /** The text to show; undefined at the ends. */
  older(draft: string): string | undefined;
  newer(): string | undefined;
  /** The text was edited: navigation ends. */
  leave(): void;
}

export function createHistoryWalk(history: History): HistoryWalk {
  let at: number | undefined;
  let kept = '';
  return {
    older(draft) {
      const entries = history.entries();
      const next = (at ?? entries.length) - 1;
      if (next < 0) return undefined;
      if (at === undefined) kept = draft;
      at = next;
      return entries[next];
    },
    newer() {
      if (at === undefined) return undefined;
      at++;
      const entry = history.entries()[at];
      if (entry === undefined) at = undefined;
      return entry ?? kept;
    },
    leave() {
      at = undefined;
    },
  };
}

/** Searches the history, newest first. */
export interface HistorySearch {
  query: string;
  /** Each text once. */
  matches: readonly string[];
  chosen: number;
}

export function searchHistory(history: History, query: string): HistorySearch {
  const wanted = query.toLowerCase();
  const matches = new Set([...history.entries()].reverse().filter((entry) => entry.toLowerCase().includes(wanted)));
  return { query, matches: [...matches], chosen: 0 };
}
