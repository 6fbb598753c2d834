import * as z from 'zod';
import {
  type Budgets,
  type DefinitionCore,
  RETRY_ERRORS,
  type RevisableKey,
  type WorkflowEdge,
  type WorkflowNode,
} from './core.ts';

const MAX_STEPS = 500;
const MAX_DEPENDENCIES = 100;
const INSTRUCTION_BYTES = 32 * 1024;

const id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/,
    'letters, digits and . _ : - only, at most 64, beginning with one of the first two',
  );
const label = z.string().trim().min(1).max(200);
const amount = z.int().min(1).nullable().optional();

const step = z.strictObject({
  id,
  phase: id.describe('id of its phase'),
  label: label.describe('a few words for the user'),
  instructions: z
    .string()
    .trim()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= INSTRUCTION_BYTES, 'at most 32 KiB')
    .describe('all the agent of this step is told, besides the results of the steps it depends on'),
  dependsOn: z.array(id).max(MAX_DEPENDENCIES).optional().describe('ids of the steps whose results it needs'),
  model: z.string().trim().min(1).max(300).optional().describe('only if the user asked for another model'),
});

const budgets = z
  .strictObject({
    promptTokens: amount,
    completionTokens: amount,
    wallMs: amount,
    modelRequests: amount,
    toolCalls: amount,
    knownCostUsd: z.number().positive().finite().nullable().optional(),
  })
  .describe('most that the whole run may use; null for no bound; sensible ones are chosen for what is left out');

/** A workflow proposal written by a model. */
export const draftShape = z.strictObject({
  title: label,
  objective: z.string().trim().min(1).max(4_000).describe('what is there when all is done'),
  phases: z.array(z.strictObject({ id, label })).min(1).max(64).describe('in order; each has at least one step'),
  steps: z.array(step).min(1).max(MAX_STEPS),
  budgets: budgets.optional(),
});
export type Draft = z.infer<typeof draftShape>;

/** For one step. The run's budget is twice that per step, to allow for retries. */
const PER_STEP = { promptTokens: 200_000, completionTokens: 16_000, modelRequests: 24, toolCalls: 60 } as const;
const ATTEMPTS_PAID = 2;
const STEP_MS = 30 * 60 * 1_000;
const MAX_ATTEMPTS = 3;

/**
 * Converts a draft to a definition: every step is a read-only agent that gets the results of its dependencies. Missing
 * budgets depend on the number of steps, and each step has its share. Never throws: an invalid draft gives an invalid
 * definition, which preflight reports.
 */
export function compileDraft(draft: Draft): DefinitionCore {
  const edges = draft.steps.flatMap(({ id: to, dependsOn = [] }) =>
    [...new Set(dependsOn)].map((from) => ({ from, to })),
  );
  const run = runBudgets(draft);
  const steps = draft.steps.length;
  return {
    schema: 'svc.workflow-definition-core.v2',
    definitionSchemaVersion: 2,
    title: draft.title,
    objective: draft.objective,
    engineCompatibility: { minEngineSchemaVersion: 1, requiredFeatures: [] },
    budgets: run,
    limits: {
      maxLogicalNodes: steps,
      maxEdges: edges.length,
      maxGraphMutations: 0,
      maxFanoutPerNode: steps,
      maxAgentSessions: steps * MAX_ATTEMPTS,
      maxDepth: steps,
    },
    policy: {
      capabilityCeiling: 'read',
      externalTools: { mode: 'deny', ids: [] },
      providerFallback: { mode: 'forbidden', providers: [] },
      graphMutation: { mode: 'forbidden', maxAddedNodes: 0, maxAddedEdges: 0, maxMutations: 0 },
      human: { maxPending: 0, allowBatchIdenticalSchema: false },
      finalApply: 'user-explicit',
    },
    acceptance: [],
    phases: draft.phases,
    nodes: draft.steps.map((each) => nodeOf(each, run, steps)),
    edges: edges.map(({ from, to }, position) => edgeOf(from, to, position)),
  };
}

function runBudgets({ steps, budgets: asked = {} }: Draft): Budgets {
  const chosen = (key: RevisableKey, usual: number | null): number | null => {
    const wanted = asked[key];
    return wanted === undefined ? usual : wanted;
  };
  const ofSteps = (key: keyof typeof PER_STEP): number | null =>
    chosen(key, PER_STEP[key] * ATTEMPTS_PAID * steps.length);
  const ofRetries = (most: number | null): number | null => (most === null ? null : Math.ceil(most / ATTEMPTS_PAID));
  const promptTokens = ofSteps('promptTokens');
  const modelRequests = ofSteps('modelRequests');
  return {
    promptTokens,
    completionTokens: ofSteps('completionTokens'),
    wallMs: chosen('wallMs', STEP_MS * ATTEMPTS_PAID * steps.length),
    agentSeconds: null,
    toolCalls: ofSteps('toolCalls'),
    modelRequests,
    retryPromptTokens: ofRetries(promptTokens),
    retryModelRequests: ofRetries(modelRequests),
    knownCostUsd: chosen('knownCostUsd', null),
  };
}

function nodeOf(step: Draft['steps'][number], run: Budgets, steps: number): WorkflowNode {
  const share = (key: keyof typeof PER_STEP): number => {
    const most = run[key];
    return most === null ? PER_STEP[key] : Math.max(1, Math.min(PER_STEP[key], Math.floor(most / steps)));
  };
  return {
    id: step.id,
    kind: 'agent',
    label: step.label,
    instructions: step.instructions,
    role: 'researcher',
    inputs: step.dependsOn?.length ? [{ name: INPUT, type: 'text', required: true }] : [],
    outputs: [{ name: OUTPUT, type: 'text' }],
    capabilityProfile: 'read',
    workspacePolicy: { mode: 'shared-read' },
    modelPolicy: { mode: step.model ? 'explicit' : 'inherit', model: step.model ?? null, reasoning: null },
    activityPolicy: {
      effectClass: 'reconcilable',
      retryMode: 'at-least-once',
      maxAttempts: MAX_ATTEMPTS,
      deadlineMs: Math.min(STEP_MS, run.wallMs ?? STEP_MS),
    },
    retryPolicy: { backoff: 'exponential', jitter: true, retryOn: [...RETRY_ERRORS] },
    cachePolicy: 'never',
    writeSetHint: [],
    priority: 0,
    budget: {
      promptTokens: share('promptTokens'),
      completionTokens: share('completionTokens'),
      wallMs: null,
      agentSeconds: null,
      toolCalls: share('toolCalls'),
      modelRequests: share('modelRequests'),
      retryPromptTokens: null,
      retryModelRequests: null,
      knownCostUsd: null,
      attempts: MAX_ATTEMPTS,
    },
    metadata: {},
    phaseId: step.phase,
    control: null,
  };
}

const OUTPUT = 'result';
const INPUT = 'results';

function edgeOf(from: string, to: string, position: number): WorkflowEdge {
  return {
    id: `e${position + 1}`,
    from,
    to,
    type: 'data',
    condition: null,
    mapping: [{ output: OUTPUT, input: INPUT, type: 'text' }],
  };
}
