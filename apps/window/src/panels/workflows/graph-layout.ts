import { graphlib, layout } from '@dagrejs/dagre';

/** A box to be placed; sizes in pixels. */
export interface Box {
  id: string;
  width: number;
  height: number;
}

export interface Placed extends Box {
  /** Position of its upper left corner. */
  x: number;
  y: number;
}

interface Layout {
  boxes: ReadonlyMap<string, Placed>;
  width: number;
  height: number;
}

/** Left to right by dependencies. Back edges are reversed. */
export function placeBoxes(boxes: readonly Box[], links: readonly (readonly [string, string])[], gap: number): Layout {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: gap * 2.5, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const [from, to] of links) if (from !== to) graph.setEdge(from, to);
  layout(graph);
  const placed = new Map<string, Placed>();
  for (const box of boxes) {
    const { x = 0, y = 0 } = graph.node(box.id) as { x?: number; y?: number };
    placed.set(box.id, { ...box, x: x - box.width / 2, y: y - box.height / 2 });
  }
  const ends = [...placed.values()];
  return {
    boxes: placed,
    width: Math.max(0, ...ends.map(({ x, width }) => x + width)),
    height: Math.max(0, ...ends.map(({ y, height }) => y + height)),
  };
}

export interface PhaseToDraw {
  id: string;
  /** Steps of an open phase; undefined for a collapsed one. */
  steps: readonly string[] | undefined;
}

export interface DrawnGraph {
  phases: ReadonlyMap<string, Placed>;
  /** Steps of open phases. */
  steps: ReadonlyMap<string, Placed>;
  height: number;
}

export const STEP = { width: 200, height: 52 };
const FOLDED = { width: 220, height: 72 };
const PADDING = 16;
const TITLE = 36;

/** Places the steps of every open phase in its box, and the boxes by the edges between phases. */
export function placeGraph(
  phases: readonly PhaseToDraw[],
  links: readonly (readonly [string, string])[],
  edges: readonly (readonly [string, string])[],
): DrawnGraph {
  const inner = new Map<string, Layout>();
  for (const { id, steps } of phases) {
    if (!steps) continue;
    const own = new Set(steps);
    const within = edges.filter(([from, to]) => own.has(from) && own.has(to));
    const boxes = steps.map((step) => ({ id: step, ...STEP }));
    inner.set(id, placeBoxes(boxes, within, 20));
  }
  const outer = placeBoxes(
    phases.map(({ id }) => {
      const found = inner.get(id);
      if (!found) return { id, ...FOLDED };
      return {
        id,
        width: Math.max(FOLDED.width, found.width + PADDING * 2),
        height: found.height + TITLE + PADDING,
      };
    }),
    links,
    40,
  );
  const steps = new Map<string, Placed>();
  for (const [id, { boxes }] of inner) {
    const place = outer.boxes.get(id) as Placed;
    for (const [step, box] of boxes) {
      steps.set(step, { ...box, x: place.x + PADDING + box.x, y: place.y + TITLE + box.y });
    }
  }
  return { phases: outer.boxes, steps, height: outer.height };
}
