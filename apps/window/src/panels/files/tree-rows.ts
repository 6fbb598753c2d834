import type { TreeEntry } from '../../wire/records.ts';
import { childOf } from './paths.ts';

export interface TreeRow {
  path: string;
  name: string;
  isFolder: boolean;
  /** 1 for entries of the folder itself. */
  level: number;
  isOpen: boolean;
  /** Position among its siblings, from 1, and their number. */
  place: number;
  siblings: number;
}

/** The entries of a folder; undefined: not loaded yet. */
export type Levels = (folder: string) => readonly TreeEntry[] | undefined;

/** Git's own data is not shown. */
const isShown = ({ name }: TreeEntry): boolean => name !== '.git';

/** The visible rows, top to bottom: entries of open folders, as far as loaded. */
export function treeRows(levels: Levels, opened: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const entriesOf = (folder: string) => (levels(folder) ?? []).filter(isShown);
  const walk = [{ folder: '', entries: entriesOf(''), level: 1, at: 0 }];
  for (let top = walk.at(-1); top; top = walk.at(-1)) {
    const { entries } = top;
    const entry = entries[top.at];
    if (!entry) {
      walk.pop();
      continue;
    }
    const path = childOf(top.folder, entry.name);
    const isOpen = entry.isFolder && opened.has(path);
    const { level } = top;
    top.at += 1;
    rows.push({
      path,
      name: entry.name,
      isFolder: entry.isFolder,
      level,
      isOpen,
      place: top.at,
      siblings: entries.length,
    });
    if (isOpen) walk.push({ folder: path, entries: entriesOf(path), level: level + 1, at: 0 });
  }
  return rows;
}

/** The action of a key for the row at `at`. */
export type TreeKeyAction = { kind: 'go'; at: number } | { kind: 'toggle' } | undefined;

const PAGE_ROWS = 12;

export function actionOfKey(rows: readonly TreeRow[], at: number, key: string): TreeKeyAction {
  const last = rows.length - 1;
  const row = rows[at];
  const go = (to: number): TreeKeyAction => ({ kind: 'go', at: Math.min(last, Math.max(0, to)) });
  switch (key) {
    case 'ArrowDown':
      return go(at + 1);
    case 'ArrowUp':
      return go(at - 1);
    case 'Home':
      return go(0);
    case 'End':
      return go(last);
    case 'PageDown':
      return go(at + PAGE_ROWS);
    case 'PageUp':
      return go(at - PAGE_ROWS);
    case 'ArrowRight':
      if (!row?.isFolder) return undefined;
      if (!row.isOpen) return { kind: 'toggle' };
      return (rows[at + 1]?.level ?? 0) > row.level ? go(at + 1) : undefined;
    case 'ArrowLeft': {
      if (row?.isOpen) return { kind: 'toggle' };
      const above = rows.findLastIndex((candidate, place) => place < at && candidate.level < (row?.level ?? 0));
      return above < 0 ? undefined : go(above);
    }
    default:
      return undefined;
  }
}

/** The next row whose name begins with the typed text, after `at` (from `at` itself while the text grows). */
export function rowMatchingTyped(rows: readonly TreeRow[], at: number, typed: string): number | undefined {
  const wanted = typed.toLowerCase();
  // Repeating the same letter cycles through its matches.
  const isRepeated = [...wanted].every((letter) => letter === wanted[0]);
  const [text, from] = isRepeated ? [wanted.slice(0, 1), at + 1] : [wanted, at];
  for (let step = 0; step < rows.length; step += 1) {
    const place = (from + step + rows.length) % rows.length;
    if (rows[place]?.name.toLowerCase().startsWith(text)) return place;
  }
  return undefined;
}
