import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Answer } from '../../parts/states.tsx';
import {
  type GraphRef,
  lineageQuery,
  type PlannedStep,
  plannedStepQuery,
  type RunStep,
  runStepQuery,
} from '../../wire/workflows.ts';
import { isWordKey, useWords } from '../../words/words.ts';
import { StepMark } from './marks.tsx';
import { Results } from './results.tsx';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface LineageProps {
  graph: GraphRef;
  nodeId: string;
  direction: 'upstream' | 'downstream';
  choose: (nodeId: string) => void;
}

function Lineage({ graph, nodeId, direction, choose }: LineageProps) {
  const { say } = useWords();
  const { data } = useQuery(lineageQuery(graph, nodeId, direction));
  return (
    <Fact name={say(`workflow.drawer.${direction}`)}>
      {data && data.total === 0 && <span className="muted">{say('workflow.drawer.lineage.none')}</span>}
      {data && data.total > 0 && (
        <ul className="workflow-lineage">
          {data.items.map((id) => (
            <li key={id}>
              <button type="button" className="text-button" onClick={() => choose(id)}>
                {id}
              </button>
            </li>
          ))}
          {data.total > data.items.length && (
            <li className="muted">{say('workflow.drawer.lineage.more', { count: data.total - data.items.length })}</li>
          )}
        </ul>
      )}
    </Fact>
  );
}

interface StepProps extends Omit<LineageProps, 'direction'> {
  leave: () => void;
}

function Frame({ step, leave, children }: { step: PlannedStep | RunStep; leave: () => void; children: ReactNode }) {
  const { say } = useWords();
  return (
    <>
      <header className="workflow-drawer-head">
        <h3>{step.label}</h3>
        <button
          type="button"
          className="icon-button"
          aria-label={say('workflow.drawer.close')}
          title={say('workflow.drawer.close')}
          onClick={leave}
        >
          <X size={14} aria-hidden />
        </button>
      </header>
      <StepMark state={step.state} />
      {children}
    </>
  );
}

function Both({ graph, nodeId, choose }: Omit<StepProps, 'leave'>) {
  return (
    <>
      <Lineage graph={graph} nodeId={nodeId} direction="upstream" choose={choose} />
      <Lineage graph={graph} nodeId={nodeId} direction="downstream" choose={choose} />
    </>
  );
}

function Planned({ step, ...props }: StepProps & { step: PlannedStep }) {
  const { say } = useWords();
  const reach = `workflow.capability.${step.capabilityProfile}`;
  return (
    <Frame step={step} leave={props.leave}>
      <section className="workflow-part">
        <h4>{say('workflow.drawer.task')}</h4>
        {step.instructions.trim() === '' ? (
          <p className="muted">{say('workflow.drawer.task.none')}</p>
        ) : (
          <p className="workflow-task">{step.instructions}</p>
        )}
      </section>
      <dl className="workflow-facts">
        <Fact name={say('workflow.drawer.model')}>{step.model ?? say('workflow.model.session')}</Fact>
        <Fact name={say('workflow.drawer.reach')}>{isWordKey(reach) ? say(reach) : step.capabilityProfile}</Fact>
        {step.kind !== 'agent' && <Fact name={say('workflow.drawer.kind')}>{step.kind}</Fact>}
        <Both {...props} />
      </dl>
    </Frame>
  );
}

function Ran({ step, ...props }: StepProps & { step: RunStep }) {
  const { say, number, duration } = useWords();
  const { graph, nodeId } = props;
  return (
    <Frame step={step} leave={props.leave}>
      <dl className="workflow-facts">
        {step.effectiveModel && (
          <Fact name={say('workflow.drawer.model')}>
            {step.effectiveModel.provider}:{step.effectiveModel.model}
          </Fact>
        )}
        {step.attempt > 1 && <Fact name={say('workflow.drawer.attempt')}>{number(step.attempt)}</Fact>}
        {step.durationMs !== null && <Fact name={say('workflow.drawer.took')}>{duration(step.durationMs)}</Fact>}
        <Both {...props} />
      </dl>
      {step.stepSessionId !== null && (
        <Link to={`/sessions/${step.stepSessionId}`}>{say('workflow.drawer.session')}</Link>
      )}
      {graph.kind === 'run' && (
        <Results place={{ sessionId: graph.sessionId, runId: graph.runId, nodeId }} results={step.outputs} />
      )}
    </Frame>
  );
}

function OfPlan({ graph, ...props }: StepProps & { graph: Extract<GraphRef, { kind: 'plan' }> }) {
  const query = useQuery(plannedStepQuery(graph.workflowId, graph.version, props.nodeId));
  return (
    <Answer query={query} lines={6}>
      {(step) => <Planned step={step} graph={graph} {...props} />}
    </Answer>
  );
}

function OfRun({ graph, ...props }: StepProps & { graph: Extract<GraphRef, { kind: 'run' }> }) {
  const query = useQuery(runStepQuery(graph.sessionId, graph.runId, props.nodeId));
  return (
    <Answer query={query} lines={6}>
      {(step) => <Ran step={step} graph={graph} {...props} />}
    </Answer>
  );
}

/** One step: its prompt or result, and its dependencies. */
export function StepDrawer({ graph, ...props }: StepProps) {
  const { say } = useWords();
  return (
    <aside
      className="workflow-drawer"
      aria-label={say('workflow.drawer', { name: props.nodeId })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.leave();
      }}
    >
      {graph.kind === 'plan' ? <OfPlan graph={graph} {...props} /> : <OfRun graph={graph} {...props} />}
    </aside>
  );
}
