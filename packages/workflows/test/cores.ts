import * as fc from 'fast-check';
import {
  type Budgets,
  type DefinitionCore,
  type DefinitionCoreV1,
  type DefinitionHead,
  EDGE_TYPES,
  NODE_KINDS,
  type WorkflowEdge,
  type WorkflowNode,
} from '../src/definition/core.ts';
import type { Graph } from '../src/definition/graph.ts';

export const unboundedBudgets: Budgets = {
  promptTokens: null,
  completionTokens: null,
  wallMs: null,
  agentSeconds: null,
  toolCalls: null,
  modelRequests: null,
  retryPromptTokens: null,
  retryModelRequests: null,
  knownCostUsd: null,
};

/** A head with one phase, `work`, and generous limits. */
export function headWith(changes: Partial<DefinitionHead> = {}): DefinitionHead {
  return {
    schema: 'svc.workflow-definition-core.v2',
    definitionSchemaVersion: 2,
    title: 'A workflow',
    objective: 'To test',
    engineCompatibility: { minEngineSchemaVersion: 1, requiredFeatures: [] },
    budgets: unboundedBudgets,
    limits: {
      maxLogicalNodes: 100_000,
      maxEdges: 1_000_000,
      maxGraphMutations: 0,
      maxFanoutPerNode: 100_000,
      maxAgentSessions: 100_000,
      maxDepth: 1_000,
    },
    policy: {
      capabilityCeiling: 'full',
      externalTools: { mode: 'deny', ids: [] },
      providerFallback: { mode: 'forbidden', providers: [] },
      graphMutation: { mode: 'forbidden', maxAddedNodes: 0, maxAddedEdges: 0, maxMutations: 0 },
      human: { maxPending: 0, allowBatchIdenticalSchema: false },
      finalApply: 'user-explicit',
    },
    acceptance: [],
    phases: [{ id: 'work', label: 'Work' }],
    ...changes,
  };
}

/** A read-only agent in the phase `work`. */
export function nodeWith(id: string, changes: Partial<WorkflowNode> = {}): WorkflowNode {
  return {
    id,
    kind: 'agent',
    label: `Step ${id}`,
    instructions: `Do ${id}`,
    role: 'researcher',
    inputs: [{ name: 'in', type: 'text', required: false }],
    outputs: [{ name: 'result', type: 'text' }],
    capabilityProfile: 'read',
    workspacePolicy: { mode: 'shared-read' },
    modelPolicy: { mode: 'inherit', model: null, reasoning: null },
    activityPolicy: { effectClass: 'reconcilable', retryMode: 'at-least-once', maxAttempts: 3, deadlineMs: null },
    retryPolicy: { backoff: 'exponential', jitter: true, retryOn: ['rate_limit', 'timeout'] },
    cachePolicy: 'never',
    writeSetHint: [],
    priority: 0,
    budget: { ...unboundedBudgets, attempts: null },
    metadata: {},
    phaseId: 'work',
    control: null,
    ...changes,
  };
}

export function edgeWith(from: string, to: string, changes: Partial<WorkflowEdge> = {}): WorkflowEdge {
  return { id: `${from}-${to}`, from, to, type: 'control', condition: null, mapping: null, ...changes };
}

/** A chain of steps: `a` → `b` → … */
export function stepChain(...ids: string[]): DefinitionCore {
  return {
    ...headWith(),
    nodes: ids.map((id) => nodeWith(id)),
    edges: ids.slice(1).map((id, position) => edgeWith(ids[position] as string, id)),
  };
}

/**
 * A graph of any size that is never held in memory: `width` steps per level, each level depending on all of the
 * previous one as far as `edges` allows, in `phases` phases.
 */
export function graphOfWidth({
  steps,
  edges,
  width,
  phases,
}: Record<'steps' | 'edges' | 'width' | 'phases', number>): Graph {
  const phaseOf = (ord: number): string => `phase-${Math.floor((ord * phases) / steps)}`;
  return {
    head: headWith({
      phases: Array.from({ length: phases }, (_, position) => ({
        id: `phase-${position}`,
        label: `Phase ${position}`,
      })),
    }),
    *nodes() {
      for (let ord = 0; ord < steps; ord += 1) yield nodeWith(`step-${ord}`, { phaseId: phaseOf(ord) });
    },
    *edges() {
      const perStep = Math.floor(edges / Math.max(1, steps - width));
      for (let ord = width; ord < steps; ord += 1) {
        const before = ord - (ord % width) - width;
        for (let turn = 0; turn < perStep; turn += 1) {
          yield edgeWith(`step-${before + ((ord + turn) % width)}`, `step-${ord}`, { id: `edge-${ord}-${turn}` });
        }
      }
    },
  };
}

const text = (most: number) => fc.string({ minLength: 1, maxLength: most, unit: 'binary' });

/** Definitions of the right shape that may violate the graph rules. */
export const arbitraryCore: fc.Arbitrary<DefinitionCore> = fc
  .record({
    title: text(20),
    objective: text(40),
    phases: fc.uniqueArray(fc.constantFrom('p1', 'p2', 'p3'), { minLength: 1 }),
    steps: fc.uniqueArray(fc.stringMatching(/^[a-e][0-9]?$/), { minLength: 1, maxLength: 8 }),
    seeds: fc.array(
      fc.record({
        kind: fc.constantFrom(...NODE_KINDS),
        label: text(12),
        metadata: fc.dictionary(text(4), fc.jsonValue({ maxDepth: 2 })),
        priority: fc.integer({ min: -100, max: 100 }),
        phase: fc.nat(),
      }),
      { minLength: 8, maxLength: 8 },
    ),
    links: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...EDGE_TYPES), fc.boolean()), { maxLength: 16 }),
  })
  .map(({ title, objective, phases, steps, seeds, links }) => ({
    ...headWith({ title, objective, phases: phases.map((id) => ({ id, label: id })) }),
    nodes: steps.map((id, at) => {
      const { phase, metadata, ...seed } = seeds[at] as (typeof seeds)[number];
      return nodeWith(id, {
        ...seed,
        metadata: metadata as WorkflowNode['metadata'],
        phaseId: phases[phase % phases.length] as string,
      });
    }),
    edges: links.map(([from, to, type, hasCondition], at) =>
      edgeWith(steps[from % steps.length] as string, steps[to % steps.length] as string, {
        id: `e${at}`,
        type,
        condition: hasCondition
          ? { source: { scope: 'run-field', nodeId: null, name: 'x' }, op: 'eq', value: title }
          : null,
      }),
    ),
  }));

/** The same definition in the first version of the format. */
export function toCoreV1(core: DefinitionCore): DefinitionCoreV1 {
  const { phases: _phases, nodes, edges, ...head } = core;
  return {
    ...head,
    schema: 'svc.workflow-definition-core.v1',
    definitionSchemaVersion: 1,
    nodes: nodes.map(({ phaseId: _phaseId, ...node }) => node),
    edges,
  };
}
