import type { operations } from '@fucina/wire-types';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Answered<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

export type Proposal = Answered<'workflows.proposal'>;
export type ProposalList = Answered<'workflows.proposals'>;
export type ProposalRow = ProposalList['items'][number];
export type Problem = Proposal['preflight']['errors'][number];
export type RunList = Answered<'workflows.runs'>;
export type RunRow = RunList['items'][number];
export type RunState = RunRow['stato'];
export type PlannedGraph = Answered<'workflows.plan.overview'>;
export type RunGraph = Answered<'workflows.run.overview'>;
export type Phase = PlannedGraph['groups'][number];
export type PlannedRow = Answered<'workflows.plan.group'>['items'][number];
export type RunStepRow = Answered<'workflows.run.group'>['items'][number];
export type StepRow = PlannedRow | RunStepRow;
export type Edge = Answered<'workflows.run.edges'>['items'][number];
export type PlannedStep = Answered<'workflows.plan.step'>;
export type RunStep = Answered<'workflows.run.step'>;
export type Result = RunStep['outputs'][number];
export type History = Answered<'workflows.run.history'>;

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

/** A plan, or a run of one: both have the same views. */
export type GraphRef =
  | { kind: 'plan'; workflowId: string; version: number }
  | { kind: 'run'; sessionId: string; runId: string };

const versionParts = (workflowId: string, version: number): string[] => [
  'workflows',
  workflowId,
  'versions',
  String(version),
];
const runParts = (sessionId: string, runId: string): string[] => ['sessions', sessionId, 'workflows', runId];
const partsOf = (ref: GraphRef): string[] =>
  ref.kind === 'plan' ? versionParts(ref.workflowId, ref.version) : runParts(ref.sessionId, ref.runId);
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
      read<ProposalList>(
        address(['sessions', sessionId, 'workflow-proposals'], { offset: `${pageParam}`, limit: `${LISTED}` }),
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
  });

export const runsQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-runs', sessionId],
    queryFn: ({ signal, pageParam }) =>
      read<RunList>(
        address(['sessions', sessionId, 'workflows'], { offset: `${pageParam}`, limit: `${LISTED}` }),
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ stato }) => stato === 'created' || stato === 'running')) &&
      LIVE_POLL_MS,
  });

export const proposalQuery = (workflowId: string, version: number) =>
  queryOptions({
    queryKey: ['workflow', workflowId, version],
    queryFn: ({ signal }) => read<Proposal>(address(versionParts(workflowId, version)), signal),
  });

export const graphQuery = (ref: GraphRef) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'graph'],
    queryFn: ({ signal }) => read<PlannedGraph | RunGraph>(address([...partsOf(ref), 'graph']), signal),
  });

/** The steps of a phase, 50 per page, in the order of the plan. */
export const stepsQuery = (ref: GraphRef, phaseId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(ref), 'steps', phaseId],
    queryFn: ({ signal, pageParam }) =>
      read<{ items: StepRow[]; total: number; nextOffset: number | null }>(
        address([...partsOf(ref), 'groups', phaseId], { offset: `${pageParam}`, limit: `${LISTED}` }),
        signal,
      ),
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
        const page: { items: StepRow[]; total: number; nextOffset: number | null } = await read(
          address([...partsOf(ref), 'groups', phaseId], { offset: `${offset}`, limit: `${LISTED}` }),
          signal,
        );
        items.push(...page.items);
        total = page.total;
        offset = page.nextOffset;
        if (offset === null || items.length >= most) return { items, total };
      }
    },
    staleTime: 0,
  });

/** Edges between steps of these phases; up to `most`, and whether there are more. */
export const edgesQuery = (ref: GraphRef, phaseIds: readonly string[], most: number) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'edges', phaseIds],
    queryFn: async ({ signal }): Promise<{ edges: Edge[]; isCut: boolean }> => {
      const edges: Edge[] = [];
      const phases = phaseIds.map((phaseId) => `&phaseId=${encodeURIComponent(phaseId)}`).join('');
      for (let offset: number | null = 0; offset !== null && edges.length < most; ) {
        const page = address([...partsOf(ref), 'edges'], { offset: `${offset}`, limit: `${EDGES_PER_PAGE}` });
        const { items, nextOffset }: { items: Edge[]; nextOffset: number | null } = await read(page + phases, signal);
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
      read<PlannedStep>(address([...versionParts(workflowId, version), 'nodes', nodeId]), signal),
  });

export const runStepQuery = (sessionId: string, runId: string, nodeId: string) =>
  queryOptions({
    queryKey: ['workflow-run', runId, 'step', nodeId],
    queryFn: ({ signal }) => read<RunStep>(address([...runParts(sessionId, runId), 'nodes', nodeId]), signal),
  });

export interface Lineage {
  total: number;
  items: string[];
}

export const lineageQuery = (ref: GraphRef, nodeId: string, direction: 'upstream' | 'downstream') =>
  queryOptions({
    queryKey: [...keyOf(ref), 'lineage', nodeId, direction],
    queryFn: ({ signal }) =>
      read<Lineage>(address([...partsOf(ref), 'nodes', nodeId, 'lineage'], { direction, limit: '50' }), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface OutputPage {
  content: string | null;
  bytes: number;
  offset: number;
}

/** A result of a step, by page; empty for binary content. */
export const outputQuery = (step: { sessionId: string; runId: string; nodeId: string }, resultId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-run', step.runId, 'output', step.nodeId, resultId],
    queryFn: ({ signal, pageParam }) =>
      read<OutputPage>(
        address([...runParts(step.sessionId, step.runId), 'nodes', step.nodeId, 'output'], {
          resultId,
          offset: `${pageParam}`,
          limit: `${OUTPUT_BYTES}`,
        }),
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ content, bytes, offset }) => {
      // A page ends at a character boundary, so its length gives the start of the next one.
      const next = offset + new TextEncoder().encode(content ?? '').length;
      return content === null || next >= bytes ? undefined : next;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Download address of a result. */
export const rawAddress = (step: { sessionId: string; runId: string; nodeId: string }, resultId: string): string =>
  address([...runParts(step.sessionId, step.runId), 'nodes', step.nodeId, 'output'], { resultId, format: 'raw' });

export const historyQuery = (sessionId: string, runId: string) =>
  infiniteQueryOptions({
    queryKey: ['workflow-run', runId, 'history'],
    queryFn: ({ signal, pageParam }) =>
      read<History>(
        address([...runParts(sessionId, runId), 'history'], { offset: `${pageParam}`, limit: '200' }),
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
  });

export interface RetryPreview {
  falliti: { nodeId: string; label: string; errorClass: string | null; attempt: number }[];
  dipendenti: string[];
  conservati: number;
}

/** Throws WireError. */
export const retryPreview = (sessionId: string, runId: string): Promise<RetryPreview> =>
  read<RetryPreview>(address([...runParts(sessionId, runId), 'retry-preview']));

export type RunAction = 'pause' | 'resume' | 'cancel' | 'retry';

/** The same `commandId` is the same command, even if it is sent again. Throws WireError. */
export const steerRun = (
  run: { sessionId: string; runId: string },
  act: RunAction,
  commandId: string,
): Promise<unknown> => send(address([...runParts(run.sessionId, run.runId), act]), { commandId });

interface Reviewed {
  workflowId: string;
  version: number;
  definitionHash: string;
}

export const approveVersion = (
  { workflowId, version, definitionHash }: Reviewed,
  commandId: string,
): Promise<unknown> => send(address([...versionParts(workflowId, version), 'approve']), { commandId, definitionHash });

export const startVersion = (
  { workflowId, version, definitionHash }: Reviewed,
  commandId: string,
): Promise<{ runId: string }> =>
  send(address([...versionParts(workflowId, version), 'start']), { commandId, definitionHash });

export const reviseVersion = (
  { workflowId, version, definitionHash }: Reviewed,
  budgets: Partial<Budgets>,
): Promise<{ version: number }> =>
  send(address([...versionParts(workflowId, version), 'revise']), { definitionHash, budgets });

/** For a session: its proposals and runs. */
export async function refreshWorkflows(client: QueryClient, sessionId: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['workflow-proposals', sessionId] }),
    client.invalidateQueries({ queryKey: ['workflow-runs', sessionId] }),
  ]);
}

/** The address of a run's events after the known ones. */
export const runEventsAddress = (sessionId: string, runId: string, after: number): string =>
  address([...runParts(sessionId, runId), 'events'], { after: `${after}` });
