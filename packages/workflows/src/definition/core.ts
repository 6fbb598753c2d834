import * as z from 'zod';

/**
 * A Core v2 definition, which is approved as a whole. Field names are the interface's own (behaviour.md, section 6).
 */

const id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/);
const label = z.string().min(1).max(200);
const name = z.string().min(1).max(128);
const amount = z.int().min(0).nullable();

export const VALUE_TYPES = [
  'string',
  'boolean',
  'integer',
  'number',
  'json',
  'text',
  'result-ref',
  'artifact',
  'commit',
  'patch',
  'test-report',
  'node-id-list',
] as const;

const budgetKeys = {
  promptTokens: amount,
  completionTokens: amount,
  wallMs: amount,
  agentSeconds: amount,
  toolCalls: amount,
  modelRequests: amount,
  retryPromptTokens: amount,
  retryModelRequests: amount,
  knownCostUsd: z.number().finite().min(0).nullable(),
};

export const budgets = z.strictObject(budgetKeys);
/** null: no limit. Times in ms or s as named, cost in US dollars. */
export type Budgets = z.infer<typeof budgets>;
export type BudgetKey = keyof Budgets;
export const BUDGET_KEYS = Object.keys(budgetKeys) as readonly BudgetKey[];
/** The six that the interface shows and a user can change. */
export const REVISABLE_KEYS = [
  'promptTokens',
  'completionTokens',
  'wallMs',
  'modelRequests',
  'toolCalls',
  'knownCostUsd',
] as const satisfies readonly BudgetKey[];
export type RevisableKey = (typeof REVISABLE_KEYS)[number];

const nodeBudget = z.strictObject({ ...budgetKeys, attempts: z.int().min(1).nullable() });

export const NODE_KINDS = [
  'agent',
  'router',
  'fanout',
  'reduce',
  'verify',
  'judge',
  'test',
  'human',
  'merge',
  'loop',
  'gate',
  'artifact',
  'subworkflow',
] as const;

export const ROLES = ['coordinator', 'researcher', 'implementer', 'reviewer', 'integrator', 'tester'] as const;
/** In ascending order. */
export const CAPABILITIES = ['read', 'workspace-write', 'on-request', 'full'] as const;
export const EFFECT_CLASSES = ['pure', 'idempotent', 'reconcilable', 'billable', 'non-idempotent'] as const;
export const RETRY_ERRORS = [
  'rate_limit',
  'transient_network',
  'provider_5xx',
  'timeout',
  'process_exit_retryable',
  'store_transient',
] as const;

export const EDGE_TYPES = [
  'control',
  'data',
  'spawn',
  'review',
  'retry',
  'repair',
  'merge',
  'human',
  'branch',
  'fallback',
] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

/** The controller of a fanout, loop or subworkflow; other kinds have none. */
const control = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('fanout'), itemsFrom: name, maxItems: z.int().min(1).max(100_000) }),
  z.strictObject({ type: z.literal('loop'), maxIterations: z.int().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('subworkflow'), workflowId: z.uuid(), version: z.int().min(1) }),
]);

export const node = z.strictObject({
  id,
  kind: z.enum(NODE_KINDS),
  label,
  instructions: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 32 * 1024)
    .nullable(),
  role: z.enum(ROLES),
  inputs: z.array(z.strictObject({ name, type: z.enum(VALUE_TYPES), required: z.boolean() })).max(32),
  outputs: z.array(z.strictObject({ name, type: z.enum(VALUE_TYPES) })).max(32),
  capabilityProfile: z.enum(CAPABILITIES),
  workspacePolicy: z.strictObject({ mode: z.enum(['shared-read', 'isolated-write', 'integration', 'none']) }),
  modelPolicy: z.strictObject({
    mode: z.enum(['inherit', 'role', 'explicit']),
    model: z.string().min(1).max(300).nullable(),
    reasoning: z.string().min(1).max(64).nullable(),
  }),
  activityPolicy: z.strictObject({
    effectClass: z.enum(EFFECT_CLASSES),
    retryMode: z.enum(['at-least-once', 'at-most-once', 'manual-on-uncertain']),
    maxAttempts: z.int().min(1).max(10_000),
    deadlineMs: z.int().min(1).nullable(),
  }),
  retryPolicy: z.strictObject({
    backoff: z.enum(['none', 'linear', 'exponential']),
    jitter: z.boolean(),
    retryOn: z.array(z.enum(RETRY_ERRORS)).max(RETRY_ERRORS.length),
  }),
  cachePolicy: z.enum(['never', 'same-run', 'content-addressed-deterministic']),
  writeSetHint: z.array(z.string().min(1).max(1_024)).max(128),
  priority: z.int().min(-100).max(100),
  budget: nodeBudget,
  metadata: z.record(z.string(), z.json()),
  phaseId: id,
  control: control.nullable(),
});
export type WorkflowNode = z.infer<typeof node>;

const scalar = z.union([z.string().max(4_096), z.number().finite(), z.boolean(), z.null()]);
const condition = z.strictObject({
  source: z.discriminatedUnion('scope', [
    z.strictObject({ scope: z.literal('run-field'), nodeId: z.null(), name }),
    z.strictObject({ scope: z.literal('node-output'), nodeId: id, name }),
  ]),
  op: z.enum(['eq', 'neq', 'exists', 'not-exists', 'in', 'not-in', 'lt', 'lte', 'gt', 'gte', 'truthy', 'falsy']),
  value: z.union([scalar, z.array(scalar).max(128)]),
});
export type Condition = z.infer<typeof condition>;

export const edge = z.strictObject({
  id,
  from: id,
  to: id,
  type: z.enum(EDGE_TYPES),
  condition: condition.nullable(),
  mapping: z
    .array(z.strictObject({ output: name, input: name, type: z.enum(VALUE_TYPES) }))
    .min(1)
    .max(32)
    .nullable(),
});
export type WorkflowEdge = z.infer<typeof edge>;

const maximum = (most: number) => z.int().min(0).max(most);

/** A definition without its steps and edges, which are read by row. */
export const definitionHead = z.strictObject({
  schema: z.literal('svc.workflow-definition-core.v2'),
  definitionSchemaVersion: z.literal(2),
  title: label,
  objective: z.string().min(1).max(4_000),
  engineCompatibility: z.strictObject({
    minEngineSchemaVersion: z.int().min(1),
    requiredFeatures: z.array(name).max(128),
  }),
  budgets,
  limits: z.strictObject({
    maxLogicalNodes: z.int().min(1).max(100_000),
    maxEdges: maximum(1_000_000),
    maxGraphMutations: maximum(100_000),
    maxFanoutPerNode: maximum(100_000),
    maxAgentSessions: maximum(100_000),
    maxDepth: z.int().min(1).max(1_000),
  }),
  policy: z.strictObject({
    capabilityCeiling: z.enum(CAPABILITIES),
    externalTools: z.strictObject({ mode: z.enum(['deny', 'allowlist']), ids: z.array(name).max(128) }),
    providerFallback: z.strictObject({ mode: z.enum(['forbidden', 'allowlist']), providers: z.array(name).max(8) }),
    graphMutation: z.strictObject({
      mode: z.enum(['forbidden', 'coordinator-only', 'coordinator-and-router']),
      maxAddedNodes: maximum(1_000),
      maxAddedEdges: maximum(1_000),
      maxMutations: maximum(1_000),
    }),
    human: z.strictObject({ maxPending: maximum(10_000), allowBatchIdenticalSchema: z.boolean() }),
    finalApply: z.literal('user-explicit'),
  }),
  acceptance: z
    .array(
      z.strictObject({
        id,
        label,
        source: z.strictObject({ nodeId: id, output: name }),
        evidenceKind: z.enum(['test-report', 'artifact', 'commit', 'patch', 'json', 'text']),
        minTrust: z.enum(['validated', 'deterministic-evidence']),
        predicate: z.strictObject({
          op: z.enum(['exists', 'boolean-equals', 'number-compare', 'test-status', 'result-kind']),
          value: scalar.optional(),
          comparison: z.enum(['eq', 'neq', 'lt', 'lte', 'gt', 'gte']).optional(),
        }),
        required: z.boolean(),
      }),
    )
    .max(128),
  phases: z.array(z.strictObject({ id, label })).min(1).max(64),
});
export type DefinitionHead = z.infer<typeof definitionHead>;

/** The hash of a definition is that of the canonical JSON (RFC 8785) of this value. */
export interface DefinitionCore extends DefinitionHead {
  nodes: readonly WorkflowNode[];
  edges: readonly WorkflowEdge[];
}

/** The first version had no phases. It is stored and hashed unchanged; its steps are shown in one generated phase. */
export const definitionHeadV1 = definitionHead
  .omit({ phases: true })
  .extend({ schema: z.literal('svc.workflow-definition-core.v1'), definitionSchemaVersion: z.literal(1) });
export const nodeV1 = node.omit({ phaseId: true });
export type AnyHead = DefinitionHead | z.infer<typeof definitionHeadV1>;
export type AnyNode = WorkflowNode | z.infer<typeof nodeV1>;
export interface DefinitionCoreV1 extends z.infer<typeof definitionHeadV1> {
  nodes: readonly z.infer<typeof nodeV1>[];
  edges: readonly WorkflowEdge[];
}
export const LEGACY_PHASE = 'legacy-unassigned';

/** Edges that make one step wait for another; only `retry` points backwards. */
export function isDependency(type: EdgeType): boolean {
  return type !== 'retry';
}
