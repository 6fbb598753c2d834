import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Up to this many are sorted synchronously: about 10 ms for names. */
const PIECE = 2_000;

/** Stable sort. Large inputs are sorted in pieces, so that the event loop is not blocked. */
export async function sorted<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    if (at > 0) await yieldToOthers();
    runs.push(items.slice(at, at + PIECE).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      await yieldToOthers();
      merged.push(merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function merge<Item>(left: readonly Item[], right: readonly Item[], compare: (a: Item, b: Item) => number): Item[] {
  const all: Item[] = [];
  let [one, other] = [0, 0];
  while (one < left.length && other < right.length) {
    const isRightFirst = compare(left[one] as Item, right[other] as Item) > 0;
    all.push((isRightFirst ? right[other++] : left[one++]) as Item);
  }
  return all.concat(left.slice(one), right.slice(other));
}
