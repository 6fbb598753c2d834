import type { Answer, OperationOptions } from '@fucina/client';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const PLAN = '/workflows/{workflowId}/versions/{version}';
const RUN = '/sessions/{sessionId}/workflows/{runId}';

export type Proposal = Answer<'get', typeof PLAN>;
export type ProposalList = Answer<'get', '/sessions/{sessionId}/workflow-proposals'>;
export type ProposalRow = ProposalList['items'][number];
export type Problem = Proposal['preflight']['errors'][number];
export type RunList = Answer<'get', '/sessions/{sessionId}/workflows'>;
export type RunRow = RunList['items'][number];
export type RunState = RunRow['state'];
export type PlannedGraph = Answer<'get', `${typeof PLAN}/graph`>;
export type RunGraph = Answer<'get', `${typeof RUN}/graph`>;
export type Phase = PlannedGraph['groups'][number];
export type PlannedRow = Answer<'get', `${typeof PLAN}/groups/{groupId}`>['items'][number];
export type RunStepRow = Answer<'get', `${typeof RUN}/groups/{groupId}`>['items'][number];
export type StepRow = PlannedRow | RunStepRow;
export type Edge = Answer<'get', `${typeof RUN}/edges`>['items'][number];
export type PlannedStep = Answer<'get', `${typeof PLAN}/nodes/{nodeId}`>;
export type RunStep = Answer<'get', `${typeof RUN}/nodes/{nodeId}`>;
export type Result = RunStep['outputs'][number];
export type History = Answer<'get', `${typeof RUN}/history`>;

/** A frame of a run's stream. */
export interface RunUpdate
  extends Pick<RunGraph, 'runId' | 'lastSeq' | 'status' | 'pauseRequested' | 'cancelRequested'> {
  total: number;
  terminated: number;
  attention: number;
  /** More changed than `nodes` contains: everything must be reloaded. */
  resync: boolean;
  nodes: RunStepRow[];
}

export const BUDGETS = [
  'modelRequests',
  'promptTokens',
  'completionTokens',
  'toolCalls',
  'wallMs',
  'knownCostUsd',
] as const;
export type BudgetKey = (typeof BUDGETS)[number];
export type Budgets = Proposal['budgets'];
export type ChangedBudgets = OperationOptions<'post', `${typeof PLAN}/revise`>['body']['budgets'];

/** A plan, or a run of one: both have the same views. */
export type GraphRef =
  | { kind: 'plan'; workflowId: string; version: number }
  | { kind: 'run'; sessionId: string; runId: string };

const planPath = ({ workflowId, version }: { workflowId: string; version: number }) => ({
  workflowId,
  version: String(version),
});
const runPath = ({ sessionId, runId }: { sessionId: string; runId: string }) => ({ sessionId, runId });
const keyOf = (ref: GraphRef) =>
  ref.kind === 'plan' ? (['workflow', ref.workflowId, ref.version] as const) : (['workflow-run', ref.runId] as const);

const LISTED = 50;
const EDGES_PER_PAGE = 100;
const OUTPUT_BYTES = 16_384;
const LIVE_POLL_MS = 3_000;
export const isOver = (state: RunState): boolean => ['succeeded', 'failed', 'cancelled'].includes(state);

export const proposalsQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-proposals', sessionId],
    queryFn: ({ signal, pageParam }) =>
      api.get('/sessions/{sessionId}/workflow-proposals', {
        path: { sessionId },
        query: { offset: `${pageParam}`, limit: `${LISTED}` },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
  });

export const runsQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-runs', sessionId],
    queryFn: ({ signal, pageParam }) =>
      api.get('/sessions/{sessionId}/workflows', {
        path: { sessionId },
        query: { offset: `${pageParam}`, limit: `${LISTED}` },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ state }) => state === 'created' || state === 'running')) &&
      LIVE_POLL_MS,
  });

export const proposalQuery = (workflowId: string, version: number) =>
  queryOptions({
    queryKey: ['workflow', workflowId, version],
    queryFn: ({ signal }) => api.get(PLAN, { path: planPath({ workflowId, version }), signal }),
  });

const readGraph = (ref: GraphRef, signal: AbortSignal): Promise<PlannedGraph | RunGraph> =>
  ref.kind === 'plan'
    ? api.get(`${PLAN}/graph`, { path: planPath(ref), signal })
    : api.get(`${RUN}/graph`, { path: runPath(ref), signal });

export const graphQuery = (ref: GraphRef) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'graph'],
    queryFn: ({ signal }) => readGraph(ref, signal),
  });

interface Place {
  phaseId: string;
  offset: number;
  signal: AbortSignal;
}

function readSteps(
  ref: GraphRef,
  { phaseId, offset, signal }: Place,
): Promise<{ items: StepRow[]; total: number; nextOffset: number | null }> {
  const query = { offset: `${offset}`, limit: `${LISTED}` };
  return ref.kind === 'plan'
    ? api.get(`${PLAN}/groups/{groupId}`, { path: { ...planPath(ref), groupId: phaseId }, query, signal })
    : api.get(`${RUN}/groups/{groupId}`, { path: { ...runPath(ref), groupId: phaseId }, query, signal });
}

/** The steps of a phase, 50 per page, in the order of the plan. */
export const stepsQuery = (ref: GraphRef, phaseId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(ref), 'steps', phaseId],
    queryFn: ({ signal, pageParam }) => readSteps(ref, { phaseId, offset: pageParam, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
    // Live changes start now: earlier data may be outdated.
    staleTime: 0,
  });

/** Like `stepsQuery`, all at once, up to `most`, the display limit. */
export const phaseRowsQuery = (ref: GraphRef, phaseId: string, most: number) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'rows', phaseId],
    queryFn: async ({ signal }): Promise<{ items: StepRow[]; total: number }> => {
      const items: StepRow[] = [];
      for (let offset: number | null = 0, total = 0; ; ) {
        const page: Awaited<ReturnType<typeof readSteps>> = await readSteps(ref, { phaseId, offset, signal });
        items.push(...page.items);
        total = page.total;
        offset = page.nextOffset;
        if (offset === null || items.length >= most) return { items, total };
      }
    },
    staleTime: 0,
  });

function readEdges(
  ref: GraphRef,
  { phaseId, offset, signal }: Omit<Place, 'phaseId'> & { phaseId: string[] },
): Promise<{ items: Edge[]; nextOffset: number | null }> {
  const query = { offset: `${offset}`, limit: `${EDGES_PER_PAGE}`, phaseId };
  return ref.kind === 'plan'
    ? api.get(`${PLAN}/edges`, { path: planPath(ref), query, signal })
    : api.get(`${RUN}/edges`, { path: runPath(ref), query, signal });
}

/** Edges between steps of these phases; up to `most`, and whether there are more. */
export const edgesQuery = (ref: GraphRef, phaseIds: readonly string[], most: number) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'edges', phaseIds],
    queryFn: async ({ signal }): Promise<{ edges: Edge[]; isCut: boolean }> => {
      const edges: Edge[] = [];
      for (let offset: number | null = 0; offset !== null && edges.length < most; ) {
        const { items, nextOffset }: Awaited<ReturnType<typeof readEdges>> = await readEdges(ref, {
          phaseId: [...phaseIds],
          offset,
          signal,
        });
        edges.push(...items);
        offset = nextOffset;
        if (offset === null) return { edges, isCut: false };
      }
      return { edges, isCut: true };
    },
    enabled: phaseIds.length > 0,
    // Edges never change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

export const plannedStepQuery = (workflowId: string, version: number, nodeId: string) =>
  queryOptions({
    queryKey: ['workflow', workflowId, version, 'step', nodeId],
    queryFn: ({ signal }) =>
      api.get(`${PLAN}/nodes/{nodeId}`, {
        path: { ...planPath({ workflowId, version }), nodeId },
        signal,
      }),
  });

export const runStepQuery = (sessionId: string, runId: string, nodeId: string) =>
  queryOptions({
    queryKey: ['workflow-run', runId, 'step', nodeId],
    queryFn: ({ signal }) => api.get(`${RUN}/nodes/{nodeId}`, { path: { sessionId, runId, nodeId }, signal }),
  });

export type Lineage =
  | Answer<'get', `${typeof PLAN}/nodes/{nodeId}/lineage`>
  | Answer<'get', `${typeof RUN}/nodes/{nodeId}/lineage`>;

export const lineageQuery = (ref: GraphRef, nodeId: string, direction: 'upstream' | 'downstream') =>
  queryOptions({
    queryKey: [...keyOf(ref), 'lineage', nodeId, direction],
    queryFn: ({ signal }): Promise<Lineage> => {
      const query = { direction, limit: '50' };
      return ref.kind === 'plan'
        ? api.get(`${PLAN}/nodes/{nodeId}/lineage`, { path: { ...planPath(ref), nodeId }, query, signal })
        : api.get(`${RUN}/nodes/{nodeId}/lineage`, { path: { ...runPath(ref), nodeId }, query, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

type OutputPage = Extract<Answer<'get', `${typeof RUN}/nodes/{nodeId}/output`>, { content: unknown }>;
type StepPlace = { sessionId: string; runId: string; nodeId: string };

const stepPath = ({ nodeId, ...run }: StepPlace) => ({ ...runPath(run), nodeId });

/** A result of a step, by page; empty for binary content. */
export const outputQuery = (step: StepPlace, resultId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-run', step.runId, 'output', step.nodeId, resultId],
    queryFn: async ({ signal, pageParam }) => {
      const query = { resultId, offset: `${pageParam}`, limit: `${OUTPUT_BYTES}` };
      const answer = await api.get(`${RUN}/nodes/{nodeId}/output`, { path: stepPath(step), query, signal });
      // Only a request that names no result is answered with their list.
      return answer as OutputPage;
    },
    initialPageParam: 0,
    getNextPageParam: ({ content, bytes, offset }) => {
      // A page ends at a character boundary, so its length gives the start of the next one.
      const next = offset + new TextEncoder().encode(content ?? '').length;
      return content === null || next >= bytes ? undefined : next;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Download address of a result. */
export const rawAddress = (step: StepPlace, resultId: string): string =>
  api.address('get', `${RUN}/nodes/{nodeId}/output`, { path: stepPath(step), query: { resultId, format: 'raw' } });

export const historyQuery = (sessionId: string, runId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-run', runId, 'history'],
    queryFn: ({ signal, pageParam }) =>
      api.get(`${RUN}/history`, {
        path: { sessionId, runId },
        query: { offset: `${pageParam}`, limit: '200' },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
  });

export type RetryPreview = Answer<'get', `${typeof RUN}/retry-preview`>;

/** Throws ApiError. */
export const retryPreview = (sessionId: string, runId: string): Promise<RetryPreview> =>
  api.get(`${RUN}/retry-preview`, { path: { sessionId, runId } });

export type RunAction = 'pause' | 'resume' | 'cancel' | 'retry';

/** The same `commandId` is the same command, even if it is sent again. Throws ApiError. */
export const steerRun = (
  run: { sessionId: string; runId: string },
  act: RunAction,
  commandId: string,
): Promise<unknown> => api.post(`${RUN}/${act}`, { path: runPath(run), body: { commandId } });

interface Reviewed {
  workflowId: string;
  version: number;
  definitionHash: string;
}

export const approveVersion = (
  { workflowId, version, definitionHash }: Reviewed,
  commandId: string,
): Promise<unknown> =>
  api.post(`${PLAN}/approve`, {
    path: planPath({ workflowId, version }),
    body: { commandId, definitionHash },
  });

export const startVersion = (
  { workflowId, version, definitionHash }: Reviewed,
  commandId: string,
): Promise<{ runId: string }> =>
  api.post(`${PLAN}/start`, {
    path: planPath({ workflowId, version }),
    body: { commandId, definitionHash },
  });

export const reviseVersion = (
  { workflowId, version, definitionHash }: Reviewed,
  budgets: ChangedBudgets,
): Promise<{ version: number }> =>
  api.post(`${PLAN}/revise`, {
    path: planPath({ workflowId, version }),
    body: { definitionHash, budgets },
  });

/** For a session: its proposals and runs. */
export async function refreshWorkflows(client: QueryClient, sessionId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['workflow-proposals', sessionId] }),
    client.invalidateQueries({ queryKey: ['workflow-runs', sessionId] }),
  ]);
}

/** A frame of the events of a run. */
export const readRunUpdate = (data: string): Promise<RunUpdate> => api.readFrame(`${RUN}/events`, data);

/** The address of a run's events after the known ones. */
export const runEventsAddress = (sessionId: string, runId: string, after: number): string =>
  api.address('get', `${RUN}/events`, {
    path: { sessionId, runId },
    query: { after: `${after}` },
  });
