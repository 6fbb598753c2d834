import { type InfiniteData, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
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
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['workflow-run', runId, 'step'] })) {
    if (changed.has(queryKey[3] as string)) void client.invalidateQueries({ queryKey });
  }
}

interface Patches {
  apply(nodes: readonly RunStepRow[]): void;
  /** All steps are read again. */
  drop(): void;
  end(): void;
}

/** What is loaded may be older than a frame that arrived in the meantime: such a frame is applied once more. */
function createPatches(client: QueryClient, runId: string): Patches {
  const meantime = new Map<string, RunStepRow>();
  const isList = ({ queryKey: [kind, id, part] }: Query): boolean =>
    kind === 'workflow-run' && id === runId && (part === 'steps' || part === 'rows');
  const isLoading = (): boolean => client.isFetching({ predicate: isList }) > 0;
  const end = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    if (meantime.size === 0 || !isList(event.query)) return;
    const nodes = [...meantime.values()];
    if (!isLoading()) meantime.clear();
    patchSteps(client, runId, nodes);
  });
  return {
    apply(nodes) {
      // What is loaded later is newer than the rows of a reading that failed.
      if (!isLoading()) meantime.clear();
      else for (const row of nodes) meantime.set(row.nodeId, row);
      patchSteps(client, runId, nodes);
    },
    drop: () => meantime.clear(),
    end,
  };
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
    const patches = createPatches(client, runId);
    const recount = (): void => {
      cancelRecount = undefined;
      void client.invalidateQueries({ queryKey: ['workflow-run', runId, 'graph'] });
      void client.invalidateQueries({ queryKey: ['workflow-run', runId, 'history'] });
    };
    const take = (update: RunUpdate): void => {
      seen.current = update.lastSeq;
      if (update.resync) {
        patches.drop();
        void client.invalidateQueries({ queryKey: ['workflow-run', runId] });
      } else patches.apply(update.nodes);
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
      patches.end();
      if (!cancelRecount) return;
      cancelRecount();
      recount();
    };
  }, [client, sessionId, runId, wasOver]);
  return isLive;
}
