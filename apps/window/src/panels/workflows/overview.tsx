import type { Conversation } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Workflow } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { DatedLink } from '../../parts/dated-link.tsx';
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
  const { say, number } = useWords();
  return (
    <li>
      <DatedLink to={`?workflow=${row.workflowId}&version=${row.version}`} title={row.title} at={row.createdAt}>
        <span className="workflow-summary small">
          <ProposalMark standing={proposalStateOf(row, row.version, runs)} />
          {row.version > 1 && (
            <span className="muted">{say('workflows.version', { number: number(row.version) })}</span>
          )}
        </span>
      </DatedLink>
    </li>
  );
}

function RunItem({ row }: { row: RunRow }) {
  const { say, duration, number } = useWords();
  const { steps, durationMs } = row;
  return (
    <li>
      <DatedLink to={`?run=${row.runId}`} title={row.title} at={row.createdAt}>
        <span className="workflow-summary small">
          <RunMark state={row.state} />
          <span className="muted tabular">
            {say('workflows.stepsDone', { done: number(steps.terminal), total: number(steps.total) })}
          </span>
          {steps.failed > 0 && <span className="danger">{say('workflows.failed', { count: steps.failed })}</span>}
          {durationMs !== null && (
            <span className="muted tabular">{say('workflows.took', { time: duration(durationMs) })}</span>
          )}
        </span>
      </DatedLink>
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
                <ul className="dated-links">
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
                      <ul className="dated-links">
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
