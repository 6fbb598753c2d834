import type { Item, ToolItem } from '@fucina/conversation';

/** Consecutive reads, in one row. */
export interface ReadGroup {
  kind: 'reads';
  key: string;
  turn: number;
  calls: readonly ToolItem[];
}

export type TimelineItem = Item | ReadGroup;

/** Already shown by other rows: the end of a turn shows that it was undone, the next one that it was resumed. */
const HIDDEN: ReadonlySet<Item['kind']> = new Set(['resumed', 'undo']);

/** By its last call: an unchanged group stays the same object. */
const groups = new WeakMap<ToolItem, ReadGroup>();

const isRead = (item: Item): item is ToolItem =>
  item.kind === 'tool' &&
  item.name === 'leggi' &&
  item.outcome !== undefined &&
  !item.outcome.isFailed &&
  !item.outcome.isInterrupted &&
  item.changes.length === 0 &&
  item.outcome.images.length === 0 &&
  item.outcome.media.length === 0;

function groupOf(calls: readonly [ToolItem, ...ToolItem[]]): TimelineItem {
  const [first, ...more] = calls;
  const last = more.at(-1);
  if (!last) return first;
  const known = groups.get(last);
  if (known?.calls.length === calls.length && known.calls.every((call, at) => call === calls[at])) return known;
  const group: ReadGroup = { kind: 'reads', key: first.key, turn: first.turn, calls };
  groups.set(last, group);
  return group;
}

/** The rows of a conversation, oldest first. */
export function timelineItems(items: readonly Item[]): TimelineItem[] {
  const rows: TimelineItem[] = [];
  let reads: ToolItem[] = [];
  const close = () => {
    const [first, ...more] = reads;
    if (first) rows.push(groupOf([first, ...more]));
    reads = [];
  };
  for (const item of items) {
    if (HIDDEN.has(item.kind)) continue;
    if (isRead(item) && (reads.length === 0 || reads[0]?.turn === item.turn)) {
      reads.push(item);
      continue;
    }
    close();
    if (isRead(item)) reads.push(item);
    else rows.push(item);
  }
  close();
  return rows;
}
