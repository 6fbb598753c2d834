import type { Adjacency } from './adjacency.ts';

/** Graph algorithms on step numbers, without recursion. */

/** Sizes of the connected components (edges taken as undirected), and one step of each smaller one. */
export function separateParts(total: number, edges: Iterable<readonly [number, number]>): readonly number[] {
  const parents = Int32Array.from({ length: total }, (_, ord) => ord);
  const rootOf = (ord: number): number => {
    let at = ord;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] as number] as number;
      at = parents[at] as number;
    }
    return at;
  };
  for (const [from, to] of edges) parents[rootOf(from)] = rootOf(to);
  const sizes = new Int32Array(total);
  for (let ord = 0; ord < total; ord += 1) sizes[rootOf(ord)] = (sizes[rootOf(ord)] as number) + 1;
  let largest = 0;
  for (let ord = 1; ord < total; ord += 1) {
    if ((sizes[ord] as number) > (sizes[largest] as number)) largest = ord;
  }
  const found: number[] = [];
  for (let ord = 0; ord < total; ord += 1) {
    if ((sizes[ord] as number) > 0 && ord !== largest) found.push(ord);
  }
  return found;
}

export interface Levels {
  /** Of each step: how many steps lead up to it on the longest way; -1 where that never ends. */
  of: Int32Array;
  /** Steps on the longest path. */
  depth: number;
  /** Steps of the widest level. */
  width: number;
  /** Steps in or behind a cycle. */
  endless: number;
}

/** Levels of the graph without the steps of `except` and their edges. */
export function levelsOf(adjacency: Adjacency, except: ReadonlySet<number> = new Set()): Levels {
  const { total } = adjacency;
  const waiting = new Int32Array(total);
  for (let ord = 0; ord < total; ord += 1) {
    if (except.has(ord)) continue;
    for (const next of adjacency.of(ord)) waiting[next] = (waiting[next] as number) + 1;
  }
  const of = new Int32Array(total).fill(-1);
  let open: number[] = [];
  for (let ord = 0; ord < total; ord += 1) {
    if (except.has(ord)) of[ord] = 0;
    else if (waiting[ord] === 0) open.push(ord);
  }
  let left = total - except.size;
  let depth = 0;
  let width = 0;
  while (open.length > 0) {
    const following: number[] = [];
    for (const ord of open) {
      of[ord] = depth;
      for (const next of adjacency.of(ord)) {
        waiting[next] = (waiting[next] as number) - 1;
        if (waiting[next] === 0 && !except.has(next)) following.push(next);
      }
    }
    left -= open.length;
    width = Math.max(width, open.length);
    depth += 1;
    open = following;
  }
  return { of, depth, width, endless: left };
}

/** The strongly connected component of each step. Tarjan's algorithm, iterative. */
export function cycleGroups(adjacency: Adjacency): Int32Array {
  const { total } = adjacency;
  const group = new Int32Array(total).fill(-1);
  const found = new Int32Array(total).fill(-1);
  const lowest = new Int32Array(total);
  const turn = new Int32Array(total);
  const path: number[] = [];
  const held: number[] = [];
  let count = 0;
  const enter = (ord: number): void => {
    found[ord] = count;
    lowest[ord] = count;
    count += 1;
    path.push(ord);
    held.push(ord);
  };
  const leave = (ord: number): void => {
    path.pop();
    const before = path.at(-1);
    if (before !== undefined) lowest[before] = Math.min(lowest[before] as number, lowest[ord] as number);
    if (lowest[ord] !== found[ord]) return;
    for (let member = held.pop(); member !== undefined; member = held.pop()) {
      group[member] = ord;
      if (member === ord) return;
    }
  };
  for (let start = 0; start < total; start += 1) {
    if (found[start] !== -1) continue;
    enter(start);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const neighbours = adjacency.of(at);
      const next = neighbours[turn[at] as number];
      turn[at] = (turn[at] as number) + 1;
      if (next === undefined) leave(at);
      else if (found[next] === -1) enter(next);
      else if (group[next] === -1) lowest[at] = Math.min(lowest[at] as number, found[next] as number);
    }
  }
  return group;
}
