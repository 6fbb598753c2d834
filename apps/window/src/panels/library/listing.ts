import type { LibraryItem } from '../../wire/library.ts';

export const KINDS = ['all', 'document', 'image'] as const;
export const ORIGINS = ['all', 'generated', 'uploaded'] as const;

export interface Filter {
  text: string;
  kind: (typeof KINDS)[number];
  origin: (typeof ORIGINS)[number];
}

export const NO_FILTER: Filter = { text: '', kind: 'all', origin: 'all' };

/** Ignoring case and accents. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Every word of the search is in the name. */
export function matching(items: readonly LibraryItem[], { text, kind, origin }: Filter): readonly LibraryItem[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  return items.filter(({ name, fileType, origin: itemOrigin }) => {
    if (kind !== 'all' && fileType !== kind) return false;
    if (origin !== 'all' && itemOrigin !== origin) return false;
    const searched = words.length > 0 ? folded(name) : '';
    return words.every((word) => searched.includes(word));
  });
}

/** The selected rows, the current row, and the start of the range. */
export interface Selection {
  current: string | undefined;
  anchor: string | undefined;
  chosen: ReadonlySet<string>;
}

export const NO_SELECTION: Selection = { current: undefined, anchor: undefined, chosen: new Set() };

type Ids = readonly string[];

/** One row and no other. */
export const selectOnly = (id: string): Selection => ({ current: id, anchor: id, chosen: new Set([id]) });

/** From the start of the range to this row. */
export function selectRange(ids: Ids, choice: Selection, id: string): Selection {
  const from = choice.anchor === undefined ? -1 : ids.indexOf(choice.anchor);
  if (from < 0) return selectOnly(id);
  const to = ids.indexOf(id);
  const stretch = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { current: id, anchor: choice.anchor, chosen: new Set(stretch) };
}

/** Toggles the row's selection. */
export function toggled(choice: Selection, id: string): Selection {
  const chosen = new Set(choice.chosen);
  if (!chosen.delete(id)) chosen.add(id);
  return { current: id, anchor: id, chosen };
}

export const selectAll = (ids: Ids, choice: Selection): Selection => ({ ...choice, chosen: new Set(ids) });

/** The selection after rows were deleted or filtered out; the current row is replaced by its neighbor. */
export function pruneSelection(before: Ids, ids: Ids, choice: Selection): Selection {
  const there = new Set(ids);
  const chosen = new Set([...choice.chosen].filter((id) => there.has(id)));
  const isThere = (id: string | undefined) => id !== undefined && there.has(id);
  const at = choice.current === undefined ? -1 : before.indexOf(choice.current);
  const heir = at < 0 ? undefined : (before.slice(at).find((id) => there.has(id)) ?? ids.at(-1));
  return {
    current: isThere(choice.current) ? choice.current : heir,
    anchor: isThere(choice.anchor) ? choice.anchor : undefined,
    chosen,
  };
}

/** The row that a key moves to, from row `at` of `count`; -1: none. Undefined for other keys. */
export function rowAfterKey(
  key: string,
  at: number,
  { count, page }: { count: number; page: number },
): number | undefined {
  const last = count - 1;
  if (last < 0) return undefined;
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? last : at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(last, Math.max(0, next));
}
