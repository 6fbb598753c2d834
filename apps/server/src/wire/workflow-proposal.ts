import type { Approval, ListedProposals, ProposalView, Revision } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso } from './common.ts';

export const commandId = z.uuid({ version: 'v4' });
export const definitionHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** The two required keys to approve or start a version. */
export const commandBody = z.strictObject({ commandId, definitionHash });

const amount = z.int().min(1).optional();
export const revisionBody = z.strictObject({
  definitionHash,
  budgets: z.strictObject({
    promptTokens: amount,
    completionTokens: amount,
    wallMs: amount,
    modelRequests: amount,
    toolCalls: amount,
    knownCostUsd: z.number().positive().finite().nullable().optional(),
  }),
});

const problem = z.object({ code: z.string(), message: z.string(), subjects: z.array(z.string()) });
const estimates = z.record(z.string(), z.number().nullable());
const bound = z.number().nullable();
const status = z.enum(['approved', 'proposed']);
const version = { workflowId: z.string(), version: z.int() };

const shown = z.object({
  schema: z.literal('svc.workflow-proposal-view.v2'),
  status,
  ...version,
  definitionHash: z.string(),
  proposal: z.object({
    initiatingSessionId: z.string(),
    createdAt: z.string(),
    plannerModel: z.string().nullable(),
    sessionModel: z.string().nullable(),
  }),
  title: z.string(),
  objective: z.string(),
  phases: z.array(z.object({ id: z.string(), label: z.string(), total: z.int() })),
  counts: z.object({ nodes: z.int(), edges: z.int(), writers: z.int().nullable(), acceptance: z.int() }),
  policy: z.object({
    capabilityCeiling: z.string(),
    externalTools: z.object({ mode: z.string(), ids: z.array(z.string()) }),
    providerFallback: z.object({ mode: z.string(), providers: z.array(z.string()) }),
    graphMutation: z.object({
      mode: z.string(),
      maxAddedNodes: z.int(),
      maxAddedEdges: z.int(),
      maxMutations: z.int(),
    }),
    finalApply: z.literal('user-explicit'),
  }),
  budgets: z.object({
    promptTokens: bound,
    completionTokens: bound,
    wallMs: bound,
    modelRequests: bound,
    toolCalls: bound,
    knownCostUsd: bound,
  }),
  limits: z.object({
    maxLogicalNodes: z.int(),
    maxEdges: z.int(),
    maxGraphMutations: z.int(),
    maxFanoutPerNode: z.int(),
    maxAgentSessions: z.int(),
    maxDepth: z.int(),
  }),
  preflight: z.object({
    errorCount: z.int(),
    warningCount: z.int(),
    errors: z.array(problem),
    warnings: z.array(problem),
    estimates,
  }),
  approval: z.object({ commandId: z.string(), approvedAt: z.string(), definitionHash: z.string() }).nullable(),
});

export const proposalView = encoded(
  shown,
  (view: ProposalView) => ({ schema: 'svc.workflow-proposal-view.v2', ...view }) as z.output<typeof shown>,
);

const listed = z.object({
  schema: z.literal('svc.workflow-proposal-list.v1'),
  sessionId: z.string(),
  offset: z.int(),
  limit: z.int(),
  total: z.int(),
  nextOffset: z.int().nullable(),
  items: z.array(
    z.object({ ...version, status, definitionHash: z.string(), title: z.string(), createdAt: z.string() }),
  ),
});

interface AskedList {
  sessionId: string;
  page: { offset: number; limit: number };
  found: ListedProposals;
}

export const proposalList = encoded(listed, ({ sessionId, page, found: { total, items } }: AskedList) => {
  const next = page.offset + page.limit;
  return {
    schema: 'svc.workflow-proposal-list.v1' as const,
    sessionId,
    ...page,
    total,
    nextOffset: next < total ? next : null,
    items: items.map(({ createdAt, ...item }) => ({ ...item, createdAt: iso(createdAt) })),
  };
});

export const commandReceipt = z.object({
  schema: z.literal('svc.workflow-command-receipt.v1'),
  commandId: z.string(),
  commandType: z.string(),
  payloadHash: z.string(),
  acceptedAt: z.string(),
  source: z.enum(['approval-record', 'journal-event']),
  runId: z.string().nullable(),
  resultingSeq: z.int().nullable(),
  resultingGraphVersion: z.int().nullable(),
  outcome: z.literal('accepted'),
  errorCode: z.null(),
});

const approved = z.object({
  schema: z.literal('svc.workflow-approval-result.v1'),
  status: z.literal('approved'),
  receipt: commandReceipt,
  ...version,
  definitionHash: z.string(),
  deduplicated: z.boolean(),
});

export const approval = encoded(approved, ({ isReplay, ...facts }: Approval) => ({
  schema: 'svc.workflow-approval-result.v1' as const,
  status: 'approved' as const,
  ...facts,
  deduplicated: isReplay,
}));

const revised = z.object({
  schema: z.literal('svc.workflow-revision-result.v1'),
  status: z.literal('proposed'),
  ...version,
  definitionHash: z.string(),
  previousVersion: z.int(),
  preflight: z.object({ errors: z.array(problem), warnings: z.array(problem), estimates }),
});

export const revision = encoded(
  revised,
  ({ preflight: { errors, warnings, estimates: counted }, ...facts }: Revision) => ({
    schema: 'svc.workflow-revision-result.v1' as const,
    status: 'proposed' as const,
    ...facts,
    preflight: { errors: plain(errors), warnings: plain(warnings), estimates: counted },
  }),
);

function plain(problems: Revision['preflight']['errors']): z.output<typeof problem>[] {
  return problems.map(({ subjects, ...said }) => ({ ...said, subjects: [...subjects] }));
}
