import type { Conversation } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { type ProposalRow, proposalsQuery, type RunRow, refreshWorkflows, runsQuery } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { ProposalMark, RunMark } from './marks.tsx';
import { latestVersions, proposalStateOf } from './proposal-state.ts';

const isRunningOf = ({ isRunning }: Conversation) => isRunning;

/** The end of a turn may bring a proposal. */
function useFresh(sessionId: string): void {
  const client = useQueryClient();
  const isRunning = useConversationFact(isRunningOf);
  const was = useRef(isRunning);
  useEffect(() => {
    if (was.current !== isRunning) void refreshWorkflows(client, sessionId);
    was.current = isRunning;
  }, [client, sessionId, isRunning]);
}

function ProposalItem({ row, runs }: { row: ProposalRow; runs: readonly RunRow[] }) {
  const { say, ago, date, number } = useWords();
  return (
    <li>
      <Link className="workflow-row" to={`?workflow=${row.workflowId}&version=${row.version}`}>
        <span className="workflow-row-head">
          <span className="workflow-title">{row.title}</span>
          <time className="small muted tabular" dateTime={row.createdAt} title={date(row.createdAt)}>
            {ago(row.createdAt)}
          </time>
        </span>
        <span className="workflow-row-foot small">
          <ProposalMark standing={proposalStateOf(row, row.version, runs)} />
          {row.version > 1 && (
            <span className="muted">{say('workflows.version', { number: number(row.version) })}</span>
          )}
        </span>
      </Link>
    </li>
  );
}

function RunItem({ row }: { row: RunRow }) {
  const { say, ago, date, duration, number } = useWords();
  const { steps, durationMs } = row;
  return (
    <li>
      <Link className="workflow-row" to={`?run=${row.runId}`}>
        <span className="workflow-row-head">
          <span className="workflow-title">{row.title}</span>
          <time className="small muted tabular" dateTime={row.createdAt} title={date(row.createdAt)}>
            {ago(row.createdAt)}
          </time>
        </span>
        <span className="workflow-row-foot small">
          <RunMark state={row.stato} />
          <span className="muted tabular">
            {say('workflows.stepsDone', { done: number(steps.terminal), total: number(steps.total) })}
          </span>
          {steps.failed > 0 && <span className="danger">{say('workflows.failed', { count: steps.failed })}</span>}
          {durationMs !== null && (
            <span className="muted tabular">{say('workflows.took', { time: duration(durationMs) })}</span>
          )}
        </span>
      </Link>
    </li>
  );
}

function More({ query }: { query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown } }) {
  const { say } = useWords();
  if (!query.hasNextPage) return null;
  return (
    <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {say('workflows.more')}
    </Button>
  );
}

/** The proposals of a session, latest version each, and its runs. */
export function Overview({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  useFresh(sessionId);
  const proposals = useInfiniteQuery(proposalsQuery(sessionId));
  const runs = useInfiniteQuery(runsQuery(sessionId));
  const runRows = runs.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className="workflow-page">
      <Answer query={proposals} lines={6}>
        {({ pages }) => {
          const rows = latestVersions(pages.flatMap(({ items }) => items));
          if (rows.length === 0) {
            return (
              <Empty icon={<Workflow size={20} aria-hidden />} title={say('workflows.none')}>
                {say('workflows.none.why')}
              </Empty>
            );
          }
          return (
            <>
              <section aria-label={say('workflows.proposals')}>
                <h2>{say('workflows.proposals')}</h2>
                <ul className="workflow-rows">
                  {rows.map((row) => (
                    <ProposalItem key={row.workflowId} row={row} runs={runRows} />
                  ))}
                </ul>
                <More query={proposals} />
              </section>
              <section aria-label={say('workflows.runs')}>
                <h2>{say('workflows.runs')}</h2>
                <Answer query={runs} lines={3}>
                  {() =>
                    runRows.length === 0 ? (
                      <p className="muted small">{say('workflows.runs.none')}</p>
                    ) : (
                      <ul className="workflow-rows">
                        {runRows.map((row) => (
                          <RunItem key={row.runId} row={row} />
                        ))}
                      </ul>
                    )
                  }
                </Answer>
                <More query={runs} />
              </section>
            </>
          );
        }}
      </Answer>
    </div>
  );
}
