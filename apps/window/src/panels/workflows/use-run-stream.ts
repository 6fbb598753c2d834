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

/** Counts of phases are refreshed at most this often while steps change. */
const RECOUNT_MS = 600;

type Steps = InfiniteData<{ items: RunStepRow[] }>;

/** Applies the rows of a frame to the loaded pages. */
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
  /** The state at the start of the stream. */
  run: RunGraph;
}

/** Keeps the queries of a run up to date. False while the connection is lost. */
export function useRunStream({ sessionId, run }: Run): boolean {
  const client = useQueryClient();
  const [isLive, setLive] = useState(true);
  // The stream has reported changes outside the loaded steps: refresh the graph.
  const seen = useRef(run.lastSeq);
  const { runId } = run;
  // A retry restarts a finished run, whose stream had ended.
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
      // Usage belongs to the steps' sessions; while one runs it is polled.
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
