import { useQueries, useQuery } from '@tanstack/react-query';
import { type Edge as FlowEdge, MarkerType } from '@xyflow/react';
import { useMemo } from 'react';
import {
  type Edge,
  edgesQuery,
  type GraphRef,
  type PlannedGraph,
  phaseRowsQuery,
  type RunGraph,
  type StepRow,
} from '../../wire/workflows.ts';
import { type DrawnGraph, placeGraph } from './graph-layout.ts';

/** Maximum that is still readable. */
const MOST_STEPS = 150;
const MOST_EDGES = 1_500;

export interface DrawableGraph {
  drawn: DrawnGraph;
  rows: ReadonlyMap<string, StepRow>;
  edges: FlowEdge[];
  /** Some steps or edges are left out. */
  isCut: boolean;
  isLoading: boolean;
  error: Error | null;
}

const arrow = { type: MarkerType.ArrowClosed, width: 16, height: 16, color: 'var(--muted)' };

function flowEdge(edge: Pick<FlowEdge, 'id' | 'source' | 'target' | 'className' | 'label'>): FlowEdge {
  return { ...edge, markerEnd: arrow, focusable: false, selectable: false };
}

/** Edges between visible steps, and between phases if one of the two is collapsed. */
function edgesOf(
  overview: PlannedGraph | RunGraph,
  open: ReadonlySet<string>,
  { edges, drawn }: { edges: readonly Edge[]; drawn: DrawnGraph },
): FlowEdge[] {
  const between = edges
    .filter(({ fromNodeId, toNodeId }) => drawn.steps.has(fromNodeId) && drawn.steps.has(toNodeId))
    .map(({ edgeId, fromNodeId, toNodeId, type }) =>
      flowEdge({
        id: `edge ${edgeId}`,
        source: `step ${fromNodeId}`,
        target: `step ${toNodeId}`,
        className: `workflow-edge-${type}`,
      }),
    );
  const folded = overview.groupConnections
    .filter(
      ({ fromPhaseId, toPhaseId }) => fromPhaseId !== toPhaseId && !(open.has(fromPhaseId) && open.has(toPhaseId)),
    )
    .map(({ fromPhaseId, toPhaseId, total }) =>
      flowEdge({
        id: `link ${fromPhaseId} ${toPhaseId}`,
        source: `phase ${fromPhaseId}`,
        target: `phase ${toPhaseId}`,
        label: `${total}`,
      }),
    );
  return [...between, ...folded];
}

/** The visible graph: phases, steps of the open ones, and edges. */
export function useGraph(graph: GraphRef, overview: PlannedGraph | RunGraph, open: ReadonlySet<string>): DrawableGraph {
  const openIds = overview.groups.map(({ phaseId }) => phaseId).filter((id) => open.has(id));
  const phases = useQueries({ queries: openIds.map((id) => phaseRowsQuery(graph, id, MOST_STEPS)) });
  const { data: found, ...links } = useQuery(edgesQuery(graph, openIds, MOST_EDGES));
  const loaded = new Map(openIds.map((id, at) => [id, phases[at]?.data?.items]));
  // States change often, positions only with the visible content.
  const shape = [...loaded].map(([id, items]) => `${id}:${items?.map(({ nodeId }) => nodeId).join()}`).join(';');
  const edges = found?.edges;
  const drawn = useMemo(
    () =>
      placeGraph(
        overview.groups.map(({ phaseId }) => ({
          id: phaseId,
          steps: loaded.get(phaseId)?.map(({ nodeId }) => nodeId),
        })),
        overview.groupConnections.map(({ fromPhaseId, toPhaseId }) => [fromPhaseId, toPhaseId] as const),
        (edges ?? []).map(({ fromNodeId, toNodeId }) => [fromNodeId, toNodeId] as const),
      ),
    // `shape` identifies the loaded data.
    [shape, edges, overview.groups.length],
  );
  const flow = useMemo(
    () => edgesOf(overview, open, { edges: edges ?? [], drawn }),
    // Connections never change.
    [open, edges, drawn],
  );
  return {
    drawn,
    rows: new Map([...loaded.values()].flatMap((items) => (items ?? []).map((row) => [row.nodeId, row] as const))),
    edges: flow,
    isCut: (found?.isCut ?? false) || phases.some(({ data }) => data !== undefined && data.items.length < data.total),
    isLoading: links.isLoading || phases.some(({ isLoading }) => isLoading),
    error: links.error ?? phases.find(({ error }) => error)?.error ?? null,
  };
}
