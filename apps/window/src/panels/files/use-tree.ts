import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { treeQuery } from '../../wire/folders.ts';
import type { TreeEntry } from '../../wire/records.ts';
import { foldersAbove, movedPath } from './paths.ts';
import { type TreeRow, treeRows } from './tree-rows.ts';

export interface FileTree {
  rows: readonly TreeRow[];
  /** The current row, for keys. */
  current: string | undefined;
  /** Undefined until the folder itself is loaded. */
  isKnown: boolean;
  /** Why the session's folder cannot be listed. */
  error: unknown;
  /** An open folder that cannot be listed. */
  closedFolder: string | undefined;
  retry(): void;
  look(path: string | undefined): void;
  toggle(folder: string): void;
  fold(): void;
  /** Opens its parent folders and makes it the current row. */
  find(path: string): void;
  /** Opens a folder and its parents, and makes it the current row. */
  enter(folder: string): void;
  /** Preserves open folders under a new name. */
  moved(from: string, to: string): void;
}

/** Until the page is closed, by session. */
const kept = new Map<string, ReadonlySet<string>>();

interface Level {
  data: readonly TreeEntry[] | undefined;
  error: unknown;
}

const combine = (results: UseQueryResult<TreeEntry[]>[]): Level[] =>
  results.map(({ data, error }) => ({ data, error }));

export function useTree(sessionId: string, shown: string | undefined): FileTree {
  const [opened, setOpened] = useState(() => new Set([...(kept.get(sessionId) ?? []), ...foldersAbove(shown ?? '')]));
  const [current, look] = useState(shown);
  const change = useCallback(
    (next: (before: ReadonlySet<string>) => Iterable<string>) =>
      setOpened((before) => {
        const after = new Set(next(before));
        kept.set(sessionId, after);
        return after;
      }),
    [sessionId],
  );
  const folders = useMemo(() => ['', ...opened], [opened]);
  const levels = useQueries({ queries: folders.map((folder) => treeQuery('sessions', sessionId, folder)), combine });
  const known = useMemo(() => new Map(folders.map((folder, at) => [folder, levels[at]] as const)), [folders, levels]);
  const rows = useMemo(() => treeRows((folder) => known.get(folder)?.data, opened), [known, opened]);
  const acts = useMemo(
    () => ({
      look,
      toggle: (folder: string) =>
        change((before) => (before.has(folder) ? [...before].filter((one) => one !== folder) : [...before, folder])),
      fold: () => change(() => []),
      find: (path: string) => {
        change((before) => [...before, ...foldersAbove(path)]);
        look(path);
      },
      enter: (folder: string) => {
        change((before) => [...before, ...foldersAbove(folder), folder]);
        look(folder);
      },
      moved: (from: string, to: string) =>
        change((before) => [...before].map((folder) => movedPath(folder, from, to) ?? folder)),
    }),
    [change],
  );
  const root = known.get('');
  return {
    rows,
    current,
    isKnown: root?.data !== undefined,
    error: root?.data ? undefined : root?.error,
    closedFolder: rows.find(({ path, isOpen }) => isOpen && known.get(path)?.error && !known.get(path)?.data)?.path,
    retry: () => setOpened(new Set(opened)),
    ...acts,
  };
}
