/**
 * An adjacency list as two arrays of 32-bit numbers in one blob: `starts` (one per step plus one) and `targets`. Step
 * `n` leads to `targets[starts[n]] … targets[starts[n + 1] - 1]`. A million edges are 4 MiB, read at once.
 */
export interface Adjacency {
  readonly total: number;
  /** Positions of the neighbours of a step, in the order of their edges. */
  of(ord: number): Int32Array;
}

/** `edges` is iterated twice. Edges are [from, to] positions below `total`. */
export function packAdjacency(total: number, edges: () => Iterable<readonly [number, number]>): Buffer {
  const starts = new Int32Array(total + 1);
  for (const [from] of edges()) starts[from + 1] = (starts[from + 1] ?? 0) + 1;
  for (let ord = 0; ord < total; ord += 1) starts[ord + 1] = (starts[ord + 1] ?? 0) + (starts[ord] ?? 0);
  const filled = starts.slice();
  const packed = new Int32Array(total + 1 + (starts[total] ?? 0));
  packed.set(starts);
  for (const [from, to] of edges()) {
    const at = filled[from] ?? 0;
    packed[total + 1 + at] = to;
    filled[from] = at + 1;
  }
  return Buffer.from(packed.buffer);
}

export function readAdjacency(total: number, blob: Buffer): Adjacency {
  // A blob of SQLite may not be aligned to four bytes.
  const numbers = new Int32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength));
  const targets = numbers.subarray(total + 1);
  return { total, of: (ord) => targets.subarray(numbers[ord] ?? 0, numbers[ord + 1] ?? 0) };
}

/** All steps reachable from `ord`, without itself, in graph order. Iterative, not recursive. */
export function reachable(adjacency: Adjacency, ord: number): Int32Array {
  const seen = new Uint8Array(adjacency.total);
  const open = [ord];
  seen[ord] = 1;
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const neighbour of adjacency.of(next)) {
      if (seen[neighbour]) continue;
      seen[neighbour] = 1;
      count += 1;
      open.push(neighbour);
    }
  }
  const found = new Int32Array(count);
  let at = 0;
  for (let position = 0; position < seen.length; position += 1) {
    if (seen[position] && position !== ord) {
      found[at] = position;
      at += 1;
    }
  }
  return found;
}
