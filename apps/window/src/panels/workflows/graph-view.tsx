import '@xyflow/react/dist/base.css';
import '../../styles/workflow-graph.css';
import { ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import { ChevronsDownUp, ChevronsUpDown, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { nextFrame } from '../../ambient.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import type { GraphRef, PlannedGraph, RunGraph } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { STEP } from './graph-layout.ts';
import { NODE_TYPES, type PhaseNode, type StepNode } from './graph-nodes.tsx';
import { MAX_STEPS_EXPANDED, usePhaseName } from './phase-list.tsx';
import { type DrawableGraph, useGraph } from './use-graph.ts';

/** Above this, opening every phase would be unreadable. */
const MOST_UNFOLDED = 400;
const SIZE = { size: 14, 'aria-hidden': true } as const;
const FIT = { padding: 0.1, maxZoom: 1, minZoom: 0.1 };

interface ViewProps {
  graph: GraphRef;
  overview: PlannedGraph | RunGraph;
  chosen: string | undefined;
  choose: (nodeId: string) => void;
}

interface FoldingProps {
  total: number;
  isAllOpen: boolean;
  setAll: (isOpen: boolean) => void;
}

function Tool({ label, act, children }: { label: string; act: () => unknown; children: ReactNode }) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={() => void act()}>
      {children}
    </button>
  );
}

function Tools({ total, isAllOpen, setAll }: FoldingProps) {
  const { say } = useWords();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <div className="workflow-graph-tools">
      {isAllOpen ? (
        <Tool label={say('workflow.graph.fold')} act={() => setAll(false)}>
          <ChevronsDownUp {...SIZE} />
        </Tool>
      ) : (
        total <= MOST_UNFOLDED && (
          <Tool label={say('workflow.graph.unfold')} act={() => setAll(true)}>
            <ChevronsUpDown {...SIZE} />
          </Tool>
        )
      )}
      <Tool label={say('workflow.graph.in')} act={() => zoomIn()}>
        <ZoomIn {...SIZE} />
      </Tool>
      <Tool label={say('workflow.graph.out')} act={() => zoomOut()}>
        <ZoomOut {...SIZE} />
      </Tool>
      <Tool label={say('workflow.graph.fit')} act={() => fitView(FIT)}>
        <Maximize {...SIZE} />
      </Tool>
    </div>
  );
}

/** Fits the view whenever the content or the size changes. */
function useFitted({ drawn, isLoading }: DrawableGraph): void {
  const { fitView } = useReactFlow();
  const size = useStore(({ width, height }) => `${width} ${height}`);
  useEffect(() => {
    if (drawn.phases.size === 0 || isLoading) return undefined;
    return nextFrame(() => void fitView(FIT));
  }, [fitView, drawn, isLoading, size]);
}

/** The graph itself scrolls the focused element into view: the browser would scroll the wrong container. */
function useBringing(canvas: RefObject<HTMLDivElement | null>, { drawn }: DrawableGraph): (target: Element) => void {
  const { setCenter, getZoom } = useReactFlow();
  return (target) => {
    const frame = canvas.current;
    const id = target.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? '';
    const place = drawn.steps.get(id.replace('step ', '')) ?? drawn.phases.get(id.replace('phase ', ''));
    if (!frame || !place) return;
    for (const inner of frame.querySelectorAll('.react-flow, .react-flow__renderer')) inner.scrollTo(0, 0);
    const [outer, box] = [frame.getBoundingClientRect(), target.getBoundingClientRect()];
    const isInSight =
      box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom;
    if (!isInSight) void setCenter(place.x + STEP.width / 2, place.y + STEP.height / 2, { zoom: getZoom() });
  };
}

const heightOf = (drawn: number): number => Math.min(560, Math.max(240, drawn + 80));

function useNodes({ overview, chosen, choose }: ViewProps, graph: DrawableGraph, toggle: (phaseId: string) => void) {
  const nameOf = usePhaseName();
  const { drawn, rows } = graph;
  const nodes: (PhaseNode | StepNode)[] = [];
  for (const phase of overview.groups) {
    const place = drawn.phases.get(phase.phaseId);
    if (!place) continue;
    const isOpen = [...rows.values()].some(({ phaseId }) => phaseId === phase.phaseId);
    const { x, y, width, height } = place;
    nodes.push({
      id: `phase ${phase.phaseId}`,
      type: 'phase',
      position: { x, y },
      width,
      height,
      zIndex: 0,
      data: { phase, name: nameOf(phase), isOpen, toggle },
    });
  }
  for (const [nodeId, { x, y, width, height }] of drawn.steps) {
    const row = rows.get(nodeId);
    if (!row) continue;
    nodes.push({
      id: `step ${nodeId}`,
      type: 'step',
      position: { x, y },
      width,
      height,
      zIndex: 2,
      data: { row, isChosen: nodeId === chosen, choose },
    });
  }
  return nodes;
}

function Canvas(props: ViewProps) {
  const { say } = useWords();
  const { overview, graph } = props;
  const ids = useMemo(() => overview.groups.map(({ phaseId }) => phaseId), [overview.groups]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(overview.total <= MAX_STEPS_EXPANDED ? ids : []));
  const drawable = useGraph(graph, overview, open);
  useFitted(drawable);
  const toggle = (phaseId: string) =>
    setOpen((was) => {
      const next = new Set(was);
      if (!next.delete(phaseId)) next.add(phaseId);
      return next;
    });
  const nodes = useNodes(props, drawable, toggle);
  const canvas = useRef<HTMLDivElement>(null);
  const bring = useBringing(canvas, drawable);
  return (
    <section className="workflow-graph" aria-label={say('workflow.graph.label')}>
      <div className="workflow-graph-head">
        <p className="small muted">{say(drawable.isCut ? 'workflow.graph.cut' : 'workflow.graph.help')}</p>
        <Tools
          total={overview.total}
          isAllOpen={ids.every((id) => open.has(id))}
          setAll={(isOpen) => setOpen(new Set(isOpen ? ids : []))}
        />
      </div>
      {drawable.error && <Failure error={drawable.error} />}
      {drawable.isLoading && <Loading lines={2} />}
      <div
        ref={canvas}
        className="workflow-canvas"
        style={{ height: heightOf(drawable.drawn.height) }}
        onFocus={(event) => bring(event.target)}
      >
        <ReactFlow
          nodes={nodes}
          edges={drawable.edges}
          nodeTypes={NODE_TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          zoomOnScroll={false}
          panOnScroll
          preventScrolling={false}
          minZoom={0.1}
          maxZoom={1.5}
          onlyRenderVisibleElements={nodes.length > 200}
          proOptions={{ hideAttribution: true }}
        />
      </div>
    </section>
  );
}

/** The graph of a plan or a run: phases from left to right, with steps inside the open ones. */
export function GraphView(props: ViewProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}
