import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { later } from '../../ambient.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import {
  isOver,
  type RunGraph,
  type RunStepRow,
  type RunUpdate,
  refreshWorkflows,
  type StepRow,
} from '../../wire/workflows.ts';
import { followRun } from './follow-run.ts';

/** Counts of phases are asked again at most this often while steps change. */
const RECOUNT_MS = 600;

type Steps = InfiniteData<{ items: RunStepRow[] }>;

/** The rows that a frame tells, into the pages that are on screen. */
function patchSteps(client: QueryClient, runId: string, nodes: readonly RunStepRow[]): void {
  const changed = new Map(nodes.map((row) => [row.nodeId, row]));
  client.setQueriesData<Steps>(
    { queryKey: ['workflow-run', runId, 'steps'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((row) => changed.get(row.nodeId) ?? row),
        })),
      },
  );
  client.setQueriesData<{ items: StepRow[] }>(
    { queryKey: ['workflow-run', runId, 'rows'] },
    (data) => data && { ...data, items: data.items.map((row) => changed.get(row.nodeId) ?? row) },
  );
  for (const nodeId of changed.keys()) {
    void client.invalidateQueries({ queryKey: ['workflow-run', runId, 'step', nodeId] });
  }
}

interface Run {
  sessionId: string;
  /** As it is known when the stream begins. */
  run: RunGraph;
}

/** Brings the queries that show a run up to date as facts arrive. False while the connection is lost. */
export function useRunStream({ sessionId, run }: Run): boolean {
  const client = useQueryClient();
  const [isLive, setLive] = useState(true);
  // What was told by the stream: the graph may know more, which the steps on screen do not.
  const seen = useRef(run.lastSeq);
  const { runId } = run;
  // A retry takes up again what was over, and whose stream had ended.
  const wasOver = isOver(run.status);
  useEffect(() => {
    let status: RunGraph['status'] | undefined;
    let cancelRecount: (() => void) | undefined;
    const recount = (): void => {
      cancelRecount = undefined;
      void client.invalidateQueries({ queryKey: ['workflow-run', runId, 'graph'] });
      void client.invalidateQueries({ queryKey: ['workflow-run', runId, 'history'] });
    };
    const take = (update: RunUpdate): void => {
      seen.current = update.lastSeq;
      if (update.resync) void client.invalidateQueries({ queryKey: ['workflow-run', runId] });
      else patchSteps(client, runId, update.nodes);
      cancelRecount ??= later(RECOUNT_MS, recount);
      const before = status;
      status = update.status;
      if (before === status) return;
      void refreshWorkflows(client, sessionId);
      // Steps are sessions, which tell what they use; while one is at work they are asked for by themselves.
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    };
    const leave = followRun({ sessionId, runId, after: seen.current, isOver: wasOver, take, setLive });
    return () => {
      leave();
      if (!cancelRecount) return;
      cancelRecount();
      recount();
    };
  }, [client, sessionId, runId, wasOver]);
  return isLive;
}
