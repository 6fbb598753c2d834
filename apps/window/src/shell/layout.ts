import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../ambient.ts';

export type Side = 'left' | 'right';

interface Column {
  width: number;
  isCollapsed: boolean;
}

interface Layout {
  left: Column;
  right: Column;
  /** In a narrow window a column is a drawer; not stored. */
  drawer: Side | undefined;
}

/** Widths in pixels. From `wideFrom` on, the column is beside the main content; below, it is a drawer. */
export const COLUMNS = {
  left: { usual: 264, least: 200, most: 480, wideFrom: 800 },
  right: { usual: 296, least: 240, most: 640, wideFrom: 1280 },
} as const;

const KEY = 'columns';
const listeners = new Set<() => void>();

const isColumn = (value: unknown): value is Column =>
  typeof value === 'object' &&
  value !== null &&
  'width' in value &&
  Number.isFinite(value.width) &&
  'isCollapsed' in value &&
  typeof value.isCollapsed === 'boolean';

const isStoredLayout = (value: unknown): value is Record<Side, Column> =>
  typeof value === 'object' &&
  value !== null &&
  'left' in value &&
  isColumn(value.left) &&
  'right' in value &&
  isColumn(value.right);

/** A width that the column can have. */
export const fittingWidth = (side: Side, width: number): number =>
  Math.round(Math.min(COLUMNS[side].most, Math.max(COLUMNS[side].least, width)));

function firstLayout(): Layout {
  const stored = readStored(KEY, isStoredLayout);
  const column = (side: Side): Column => ({
    width: fittingWidth(side, stored?.[side].width ?? COLUMNS[side].usual),
    isCollapsed: stored?.[side].isCollapsed ?? false,
  });
  return { left: column('left'), right: column('right'), drawer: undefined };
}

let layout = firstLayout();

function change(part: Partial<Layout>): void {
  layout = { ...layout, ...part };
  for (const listener of listeners) listener();
}

function changeColumn(side: Side, part: Partial<Column>): void {
  change({ [side]: { ...layout[side], ...part } });
  writeStored(KEY, { left: layout.left, right: layout.right });
}

export const setColumnWidth = (side: Side, width: number): void =>
  changeColumn(side, { width: fittingWidth(side, width), isCollapsed: false });

export const collapseColumn = (side: Side): void => changeColumn(side, { isCollapsed: true });

export const wideQuery = (side: Side): string => `(min-width: ${COLUMNS[side].wideFrom}px)`;

/** Shows or hides the column, or its drawer in a narrow window. */
export function toggleColumn(side: Side): void {
  if (matchMedia(wideQuery(side)).matches) changeColumn(side, { isCollapsed: !layout[side].isCollapsed });
  else change({ drawer: layout.drawer === side ? undefined : side });
}

export function closeDrawer(): void {
  if (layout.drawer) change({ drawer: undefined });
}

export function useLayout(): Layout {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => layout,
  );
}
