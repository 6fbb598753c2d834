import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Loading } from '../../parts/states.tsx';
import type { GraphRef, PlannedGraph, RunGraph } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import type { GraphLocation, View } from './graph-location.ts';
import { PhaseList } from './phase-list.tsx';
import { StepDrawer } from './step-drawer.tsx';

const Graph = lazyPart(async () => (await import('./graph-view.tsx')).GraphView);
const History = lazyPart(async () => (await import('./history.tsx')).RunHistory);

interface PartProps {
  graph: GraphRef;
  overview: PlannedGraph | RunGraph;
  place: GraphLocation;
}

/** A plan or a run as a list, a graph or a history; with the selected step beside it. */
export function GraphPart({ graph, overview, place }: PartProps) {
  const { say } = useWords();
  const views: readonly View[] = graph.kind === 'run' ? ['steps', 'graph', 'history'] : ['steps', 'graph'];
  const view = views.find((name) => name === place.view) ?? 'steps';
  const shared = { graph, chosen: place.step, choose: (id: string) => place.open(id) };
  return (
    <section className="workflow-graph-part" aria-label={say('workflow.views')}>
      <div className="choice" role="group" aria-label={say('workflow.views')}>
        {views.map((name) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => place.show(name)}>
            {say(`workflow.view.${name}`)}
          </button>
        ))}
      </div>
      <div className="workflow-columns" data-alone={place.step === undefined || undefined}>
        <Waiting fallback={<Loading lines={6} />}>
          {view === 'steps' && <PhaseList phases={overview.groups} {...shared} />}
          {view === 'graph' && <Graph overview={overview} {...shared} />}
          {view === 'history' && graph.kind === 'run' && (
            <History sessionId={graph.sessionId} runId={graph.runId} choose={shared.choose} />
          )}
        </Waiting>
        {place.step !== undefined && (
          <StepDrawer
            key={place.step}
            graph={graph}
            nodeId={place.step}
            choose={shared.choose}
            leave={() => place.open(undefined)}
          />
        )}
      </div>
    </section>
  );
}
