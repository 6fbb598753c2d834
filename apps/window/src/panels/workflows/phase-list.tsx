import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Answer } from '../../parts/states.tsx';
import { type GraphRef, type Phase, type StepRow, stepsQuery } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { StepMark } from './marks.tsx';

/** Up to this number every phase is open initially. */
export const MAX_STEPS_EXPANDED = 60;

interface ListProps {
  graph: GraphRef;
  /** The selected step. */
  chosen: string | undefined;
  choose: (nodeId: string) => void;
}

function Facts({ row }: { row: StepRow }) {
  const { duration } = useWords();
  if ('taskPreview' in row) {
    return (
      <>
        <span className="workflow-step-task muted">{row.taskPreview}</span>
        {row.model !== null && <span className="small muted">{row.model}</span>}
      </>
    );
  }
  return (
    <>
      {row.effectiveModel && <span className="small muted workflow-step-model">{row.effectiveModel.model}</span>}
      {row.durationMs !== null && <span className="small muted tabular">{duration(row.durationMs)}</span>}
    </>
  );
}

function Step({ row, chosen, choose }: { row: StepRow } & Omit<ListProps, 'graph'>) {
  return (
    <li>
      <button
        type="button"
        className="workflow-step"
        aria-current={row.nodeId === chosen || undefined}
        onClick={() => choose(row.nodeId)}
      >
        <StepMark state={row.state} isQuiet={row.state === 'planned'} />
        <span className="workflow-step-name">{row.label}</span>
        <Facts row={row} />
      </button>
    </li>
  );
}

function Steps({ phaseId, ...list }: ListProps & { phaseId: string }) {
  const { say } = useWords();
  const query = useInfiniteQuery(stepsQuery(list.graph, phaseId));
  return (
    <Answer query={query} lines={2}>
      {({ pages }) => (
        <>
          <ol className="workflow-steps">
            {pages.flatMap(({ items }) =>
              items.map((row) => <Step key={row.nodeId} row={row} chosen={list.chosen} choose={list.choose} />),
            )}
          </ol>
          {query.hasNextPage && (
            <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {say('workflow.steps.more')}
            </Button>
          )}
        </>
      )}
    </Answer>
  );
}

/** Name of a phase: in the first version of definitions phases have no names. */
export function usePhaseName(): (phase: Pick<Phase, 'phaseId' | 'label'>) => string {
  const { say } = useWords();
  return ({ phaseId, label }) => (phaseId === 'legacy-unassigned' ? say('workflow.phase.unassigned') : label);
}

function Head({ phase, name }: { phase: Phase; name: string }) {
  const { say, number, percent } = useWords();
  const { progress, terminated, total, attention } = phase;
  return (
    <span className="workflow-phase-head">
      <span className="workflow-phase-name">{name}</span>
      {attention > 0 && <span className="small warning">{say('workflow.phase.attention', { count: attention })}</span>}
      <span className="small muted tabular">
        {progress === null
          ? say('workflows.steps', { count: total })
          : say('workflow.phase.progress', { done: number(terminated), total: number(total) })}
      </span>
      {progress !== null && (
        <span
          className="workflow-progress"
          role="meter"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(progress * 100)}
          aria-valuetext={percent(progress)}
        >
          <span style={{ transform: `scaleX(${progress})` }} />
        </span>
      )}
    </span>
  );
}

/** Phases and their steps as a list with all information of the graph, accessible by keyboard. */
export function PhaseList({ phases, ...list }: ListProps & { phases: readonly Phase[] }) {
  const nameOf = usePhaseName();
  const total = phases.reduce((sum, phase) => sum + phase.total, 0);
  const [isOpen] = useState(total <= MAX_STEPS_EXPANDED);
  return (
    <div className="workflow-phases">
      {phases.map((phase) => (
        <Fold
          key={phase.phaseId}
          isOpen={isOpen || phases.length === 1}
          className="workflow-phase"
          head={<Head phase={phase} name={nameOf(phase)} />}
        >
          {() => <Steps phaseId={phase.phaseId} {...list} />}
        </Fold>
      ))}
    </div>
  );
}
