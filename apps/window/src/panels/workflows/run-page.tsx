import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, CirclePause, CirclePlay, RotateCw, Square } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { Answer, Failure } from '../../parts/states.tsx';
import { graphQuery, isOver, type RunGraph, type RunRow, runsQuery } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { useGraphLocation } from './graph-location.ts';
import { GraphPart } from './graph-part.tsx';
import { RunMark } from './marks.tsx';
import { Meters } from './meters.tsx';
import { type RunActions, useRunActions } from './use-run-actions.ts';
import { useRunStream } from './use-run-stream.ts';

const SIZE = { size: 14, 'aria-hidden': true } as const;

function Acts({ run, acts }: { run: RunGraph; acts: RunActions }) {
  const { say } = useWords();
  const { state, pauseRequested, cancelRequested, groups } = run;
  if (cancelRequested) return null;
  const isBusy = acts.pending !== undefined;
  const hasFailed = groups.some(({ counts }) => (counts.failed ?? 0) > 0);
  return (
    <div className="workflow-acts">
      {state === 'running' && !pauseRequested && (
        <Button leftSection={<CirclePause {...SIZE} />} disabled={isBusy} onClick={() => acts.run('pause')}>
          {say('workflow.act.pause')}
        </Button>
      )}
      {state === 'paused' && (
        <Button
          variant="filled"
          leftSection={<CirclePlay {...SIZE} />}
          disabled={isBusy}
          onClick={() => acts.run('resume')}
        >
          {say('workflow.act.resume')}
        </Button>
      )}
      {(state === 'needs_attention' || state === 'failed') && hasFailed && (
        <Button
          variant="filled"
          leftSection={<RotateCw {...SIZE} />}
          loading={acts.pending === 'retry'}
          disabled={isBusy}
          onClick={acts.retry}
        >
          {say('workflow.act.retry')}
        </Button>
      )}
      {['created', 'running', 'paused', 'needs_attention'].includes(state) && (
        <Button leftSection={<Square {...SIZE} />} disabled={isBusy} onClick={acts.cancel}>
          {say('workflow.act.cancel')}
        </Button>
      )}
    </div>
  );
}

interface ShownProps {
  sessionId: string;
  run: RunGraph;
  row: RunRow | undefined;
  leave: () => void;
}

function Standing({ run, isLive, acts }: { run: RunGraph; isLive: boolean; acts: RunActions }) {
  const { say, number } = useWords();
  const { state, pauseRequested, cancelRequested, terminated, total } = run;
  const next = cancelRequested && state !== 'cancelled' ? 'cancelling' : pauseRequested ? 'pausing' : undefined;
  return (
    <div className="workflow-standing">
      <p role="status">
        <RunMark state={state} />{' '}
        <span className="small">{say(next ? `workflow.state.${next}` : `workflow.next.${state}`)}</span>
      </p>
      <p className="small muted tabular">
        {say('workflows.stepsDone', { done: number(terminated), total: number(total) })}
      </p>
      {!isLive && (
        <p role="status" className="small warning">
          {say('workflow.lost')}
        </p>
      )}
      {acts.error && <Failure error={acts.error} />}
    </div>
  );
}

function Shown({ sessionId, run, row, leave }: ShownProps) {
  const { say, date, duration } = useWords();
  const place = useGraphLocation();
  const { runId, state } = run;
  const isLive = useRunStream({ sessionId, run });
  const acts = useRunActions(sessionId, runId);
  return (
    <article className="workflow-view" aria-label={row?.title ?? runId}>
      <header className="workflow-head">
        <button
          type="button"
          className="icon-button"
          aria-label={say('workflows.all')}
          title={say('workflows.all')}
          onClick={leave}
        >
          <ArrowLeft {...SIZE} />
        </button>
        <h2>{row?.title ?? runId}</h2>
        <Acts run={run} acts={acts} />
      </header>
      {row && (
        <p className="workflow-subhead small muted">
          {row.startedAt !== null && <span>{say('workflows.begun', { at: date(row.startedAt) })}</span>}
          {row.durationMs !== null && <span>{say('workflows.took', { time: duration(row.durationMs) })}</span>}
          <Link to={`?workflow=${row.workflowId}&version=${row.version}`}>{say('workflow.proposal.open')}</Link>
        </p>
      )}
      <Standing run={run} isLive={isLive} acts={acts} />
      {row && <Meters row={row} isOver={isOver(state)} />}
      <GraphPart graph={{ kind: 'run', sessionId, runId }} overview={run} place={place} />
    </article>
  );
}

/** A run: state, usage, steps, and actions. */
export function RunPage({ sessionId, runId }: { sessionId: string; runId: string }) {
  const { say } = useWords();
  const [, setSearch] = useSearchParams();
  const query = useQuery(graphQuery({ kind: 'run', sessionId, runId }));
  const runs = useInfiniteQuery(runsQuery(sessionId));
  const row = runs.data?.pages.flatMap(({ items }) => items).find((each) => each.runId === runId);
  const leave = () => setSearch({});
  if (query.isError && !query.data) {
    return (
      <div className="workflow-page">
        <button type="button" className="text-button" onClick={leave}>
          <ArrowLeft {...SIZE} /> {say('workflows.all')}
        </button>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  return (
    <div className="workflow-page">
      <Answer query={query} lines={10}>
        {(run) => 'state' in run && <Shown sessionId={sessionId} run={run} row={row} leave={leave} />}
      </Answer>
    </div>
  );
}
