import type {
  EdgePage,
  GraphOverview,
  Lineage,
  PlannedBase,
  PlannedStep,
  RunBase,
  RunHistory,
  StepPage,
  StepRow,
  ViewWithBase,
} from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso, isoOrNull } from './common.ts';

const SCHEMA = 'svc.workflow-graph-view.v2';

const plannedHead = z.object({
  schema: z.literal(SCHEMA),
  runId: z.null(),
  workflowId: z.string(),
  version: z.int(),
  definitionHash: z.string(),
  graphVersion: z.null(),
  lastSeq: z.literal(0),
  revision: z.string(),
  status: z.literal('planned'),
});

export const runState = z.enum(['created', 'running', 'paused', 'needs_attention', 'succeeded', 'failed', 'cancelled']);

export const runHead = z.object({
  schema: z.literal(SCHEMA),
  runId: z.string(),
  graphVersion: z.int(),
  lastSeq: z.int(),
  revision: z.string(),
  status: runState,
  pauseRequested: z.boolean(),
  cancelRequested: z.boolean(),
});

export function runHeadOnWire({ isPauseRequested, isCancelRequested, ...base }: RunBase): z.output<typeof runHead> {
  return {
    schema: SCHEMA,
    runId: base.runId,
    graphVersion: base.graphVersion,
    lastSeq: base.lastSeq,
    revision: `${base.graphVersion}:${base.lastSeq}`,
    status: base.status,
    pauseRequested: isPauseRequested,
    cancelRequested: isCancelRequested,
  };
}

function plannedHeadOnWire({ workflowId, version, definitionHash }: PlannedBase): z.output<typeof plannedHead> {
  return {
    schema: SCHEMA,
    runId: null,
    workflowId,
    version,
    definitionHash,
    graphVersion: null,
    lastSeq: 0,
    revision: definitionHash,
    status: 'planned',
  };
}

/** A view with the head of a plan. */
function ofPlan<Shape extends z.ZodRawShape, View>(shape: Shape, encode: (view: View) => z.output<z.ZodObject<Shape>>) {
  return encoded(
    plannedHead.extend(shape) as unknown as z.ZodObject,
    ({ base, view }: ViewWithBase<View>) => ({ ...plannedHeadOnWire(base as PlannedBase), ...encode(view) }) as never,
  );
}

/** A view with the head of a run. */
export function runViewCodec<Shape extends z.ZodRawShape, View>(
  shape: Shape,
  encode: (view: View, base: RunBase) => z.output<z.ZodObject<Shape>>,
) {
  return encoded(
    runHead.extend(shape) as unknown as z.ZodObject,
    ({ base, view }: ViewWithBase<View>) =>
      ({ ...runHeadOnWire(base as RunBase), ...encode(view, base as RunBase) }) as never,
  );
}

const counts = z.record(z.string(), z.int());

const overview = {
  phaseSource: z.enum(['explicit', 'legacy-unassigned']),
  total: z.int(),
  terminated: z.int(),
  attention: z.int(),
  groups: z.array(
    z.object({
      phaseId: z.string(),
      label: z.string(),
      order: z.int(),
      total: z.int(),
      terminated: z.int(),
      attention: z.int(),
      counts,
      progress: z.number().nullable(),
      roles: counts,
      kinds: counts,
    }),
  ),
  groupConnections: z.array(
    z.object({ fromPhaseId: z.string(), toPhaseId: z.string(), total: z.int(), types: counts }),
  ),
};

function overviewOnWire({ groups, connections, ...totals }: GraphOverview) {
  return { ...totals, groups: [...groups], groupConnections: [...connections] };
}

export const plannedOverview = ofPlan(overview, overviewOnWire);
export const runOverview = runViewCodec({ stato: runState, ...overview }, (view: GraphOverview, { status }) => ({
  stato: status,
  ...overviewOnWire(view),
}));

const paging = { offset: z.int(), limit: z.int(), total: z.int(), nextOffset: z.int().nullable() };

const edges = {
  phaseIds: z.array(z.string()).optional(),
  ...paging,
  items: z.array(z.object({ edgeId: z.string(), fromNodeId: z.string(), toNodeId: z.string(), type: z.string() })),
};

function edgesOnWire({ phaseIds, items, ...page }: EdgePage) {
  return { ...(phaseIds && { phaseIds: [...phaseIds] }), ...page, items: [...items] };
}

export const plannedEdges = ofPlan(edges, edgesOnWire);
export const runEdges = runViewCodec(edges, (view: EdgePage) => edgesOnWire(view));

const step = z.object({
  nodeId: z.string(),
  phaseId: z.string(),
  label: z.string(),
  kind: z.string(),
  role: z.string(),
  state: z.string(),
  priority: z.int(),
  updatedAt: z.string().nullable(),
  dependencyCount: z.int(),
  childCount: z.int(),
  attentionCount: z.int(),
});

export const plannedStepRow = step.extend({ model: z.string().nullable(), taskPreview: z.string() });
export const runStepRow = step.extend({
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  durationMs: z.int().nullable(),
  stepSessionId: z.string().nullable(),
  effectiveModel: z.object({ provider: z.string(), model: z.string() }).nullable(),
});

function stepOnWire({ work: _work, plan: _plan, updatedAt, ...row }: StepRow): z.output<typeof step> {
  return { ...row, updatedAt: isoOrNull(updatedAt) };
}

function plannedStepOnWire(row: StepRow): z.output<typeof plannedStepRow> {
  return { ...stepOnWire(row), model: row.plan?.model ?? null, taskPreview: row.plan?.taskPreview ?? '' };
}

export function runStepOnWire(row: StepRow): z.output<typeof runStepRow> {
  if (!row.work) throw new Error('a step of a run has been at work');
  const { startedAt, finishedAt, ...work } = row.work;
  return { ...stepOnWire(row), startedAt: isoOrNull(startedAt), finishedAt: isoOrNull(finishedAt), ...work };
}

const group = {
  phaseSource: z.enum(['explicit', 'legacy-unassigned']),
  phaseId: z.string(),
  offset: z.int(),
  limit: z.int(),
  sort: z.literal('stato').optional(),
  total: z.int(),
  nextOffset: z.int().nullable(),
};

function groupOnWire({ items: _items, sort, ...page }: StepPage) {
  return { ...page, ...(sort && { sort: 'stato' as const }) };
}

export const plannedGroup = ofPlan({ ...group, items: z.array(plannedStepRow) }, (page: StepPage) => ({
  ...groupOnWire(page),
  items: page.items.map(plannedStepOnWire),
}));
export const runGroup = runViewCodec({ ...group, items: z.array(runStepRow) }, (page: StepPage) => ({
  ...groupOnWire(page),
  items: page.items.map(runStepOnWire),
}));

const lineage = {
  nodeId: z.string(),
  direction: z.enum(['upstream', 'downstream']),
  ...paging,
  items: z.array(z.string()),
};

function lineageOnWire({ items, ...page }: Lineage) {
  return { ...page, items: [...items] };
}

export const plannedLineage = ofPlan(lineage, lineageOnWire);
export const runLineage = runViewCodec(lineage, (view: Lineage) => lineageOnWire(view));

export const plannedStep = ofPlan(
  {
    ...step.shape,
    attempt: z.literal(0),
    totalOutputs: z.literal(0),
    instructions: z.string(),
    taskPreview: z.string(),
    capabilityProfile: z.string(),
    model: z.string().nullable(),
    dependsOn: z.array(z.string()),
  },
  ({ step: row, dependsOn, ...detail }: PlannedStep) => ({
    ...plannedStepOnWire(row),
    attempt: 0 as const,
    totalOutputs: 0 as const,
    ...detail,
    dependsOn: [...dependsOn],
  }),
);

const historyItem = z.object({
  seq: z.int(),
  at: z.string(),
  scope: z.enum(['run', 'node']),
  nodeId: z.string().optional(),
  phaseId: z.string().optional(),
  state: z.string(),
});

export const runHistory = runViewCodec(
  { ...paging, initialState: z.literal('pending'), items: z.array(historyItem) },
  ({ items, ...page }: RunHistory) => ({
    ...page,
    initialState: 'pending' as const,
    items: items.map((item) => ({ ...item, at: iso(item.at) })),
  }),
);
