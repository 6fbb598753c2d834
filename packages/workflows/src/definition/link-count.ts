import { type EdgeType, isDependency } from './core.ts';

export interface Link {
  /** Positions of steps. */
  from: number;
  to: number;
  type: EdgeType;
  /** Positions of their phases. */
  phases: readonly [number, number];
}

/** Statistics collected while iterating the edges: memory for two numbers per edge and two per step. */
export interface LinkCount {
  add(link: Link): void;
  total(): number;
  /** By step: number of incoming edges, without retry edges. */
  readonly dependencies: Int32Array;
  /** By step: number of outgoing spawn edges. */
  readonly children: Int32Array;
  byPhases(): Iterable<{ from: number; to: number; total: number; types: ReadonlyMap<EdgeType, number> }>;
  /** [step, neighbor] of every waiting edge, in order. */
  pairs(direction: 'downstream' | 'upstream'): Iterable<readonly [number, number]>;
}

export function countLinks(steps: number): LinkCount {
  const dependencies = new Int32Array(steps);
  const children = new Int32Array(steps);
  const byPhases = new Map<string, { from: number; to: number; total: number; types: Map<EdgeType, number> }>();
  let ends = new Int32Array(2_048);
  let waiting = 0;
  let total = 0;

  const keepEnds = (from: number, to: number): void => {
    if (waiting * 2 === ends.length) {
      const longer = new Int32Array(ends.length * 2);
      longer.set(ends);
      ends = longer;
    }
    ends[waiting * 2] = from;
    ends[waiting * 2 + 1] = to;
    waiting += 1;
  };

  return {
    dependencies,
    children,
    total: () => total,
    byPhases: () => byPhases.values(),
    add({ from, to, type, phases: [fromPhase, toPhase] }) {
      total += 1;
      const pair = `${fromPhase}:${toPhase}`;
      const link = byPhases.get(pair) ?? { from: fromPhase, to: toPhase, total: 0, types: new Map() };
      link.total += 1;
      link.types.set(type, (link.types.get(type) ?? 0) + 1);
      byPhases.set(pair, link);
      if (type === 'spawn') children[from] = (children[from] ?? 0) + 1;
      if (!isDependency(type)) return;
      dependencies[to] = (dependencies[to] ?? 0) + 1;
      keepEnds(from, to);
    },
    *pairs(direction) {
      for (let at = 0; at < waiting * 2; at += 2) {
        const from = ends[at] as number;
        const to = ends[at + 1] as number;
        yield direction === 'downstream' ? [from, to] : [to, from];
      }
    },
  };
}
