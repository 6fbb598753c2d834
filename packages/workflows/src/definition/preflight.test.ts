import { describe, expect, test } from '@jest/globals';
import { edgeWith, headWith, nodeWith, stepChain, toCoreV1, unboundedBudgets } from '../../test/cores.ts';
import type { Budgets, DefinitionCore, WorkflowNode } from './core.ts';
import { graphOf } from './graph.ts';
import { preflight } from './preflight.ts';

const bounded: Budgets = { ...unboundedBudgets, modelRequests: 100 };
const warned = (core: DefinitionCore): string[] =>
  preflight(graphOf(core), { isKnownModel: (model) => model === 'known' }).warnings.map(({ code }) => code);
const oneStep = (changes: Partial<WorkflowNode>, budgets = bounded): DefinitionCore => ({
  ...headWith({ budgets }),
  nodes: [nodeWith('a', changes)],
  edges: [],
});

describe('workflow preflight', () => {
  test('estimates size, duration, parallelism and minimum budget', () => {
    const core: DefinitionCore = {
      ...headWith({ budgets: bounded }),
      nodes: [nodeWith('a'), nodeWith('b'), nodeWith('c'), nodeWith('d', { kind: 'human', instructions: null })],
      edges: [edgeWith('a', 'b'), edgeWith('a', 'c'), edgeWith('b', 'd'), edgeWith('c', 'd')],
    };
    expect(preflight(graphOf(core))).toMatchObject({
      errors: [],
      estimates: {
        steps: 4,
        edges: 4,
        longestPath: 3,
        widestLevel: 2,
        modelRequests: 12,
        modelRequestsFloor: 3,
        promptTokensFloor: 3 * 3_001,
        completionTokensFloor: 600,
      },
    });
  });

  test('reports only errors for an invalid definition', () => {
    expect(preflight(graphOf({ ...stepChain('a', 'b'), edges: [] }))).toMatchObject({
      errors: [{ code: 'not-connected' }],
      warnings: [],
      estimates: {},
    });
  });

  test.each<[code: string, core: DefinitionCore]>([
    ['no-budget', oneStep({}, unboundedBudgets)],
    ['budget-below-floor', oneStep({}, { ...unboundedBudgets, promptTokens: 2_000 })],
    ['can-write', oneStep({ capabilityProfile: 'full', workspacePolicy: { mode: 'isolated-write' } })],
    ['not-runnable-yet', oneStep({ kind: 'judge' })],
    ['no-instructions', oneStep({ instructions: null })],
    ['leads-nowhere', oneStep({ outputs: [] })],
    ['model-unknown', oneStep({ modelPolicy: { mode: 'explicit', model: 'made-up', reasoning: null } })],
    [
      'wide-fan',
      {
        ...headWith({ budgets: { ...unboundedBudgets, modelRequests: 100 } }),
        nodes: Array.from({ length: 52 }, (_, at) => nodeWith(`s${at}`)),
        edges: Array.from({ length: 51 }, (_, at) => edgeWith('s0', `s${at + 1}`)),
      },
    ],
    [
      'one-step-per-phase',
      {
        ...stepChain('a', 'b', 'c'),
        budgets: bounded,
        phases: ['a', 'b', 'c'].map((id) => ({ id, label: id })),
        nodes: ['a', 'b', 'c'].map((id) => nodeWith(id, { phaseId: id })),
      },
    ],
    [
      'not-runnable-yet',
      { ...stepChain('a', 'b'), budgets: bounded, edges: [edgeWith('a', 'b', { type: 'fallback' })] },
    ],
  ])('warns of %s', (code, core) => {
    expect(warned(core)).toContain(code);
  });

  test('gives no warning for a safe definition', () => {
    expect(warned({ ...stepChain('a', 'b'), budgets: bounded })).toEqual([]);
    expect(warned(oneStep({ modelPolicy: { mode: 'explicit', model: 'known', reasoning: null } }))).toEqual([]);
    expect(preflight(graphOf({ ...toCoreV1(stepChain('a')), budgets: bounded })).warnings).toEqual([]);
  });

  test('reports fewer model requests than steps as an error unless steps are conditional', () => {
    const short = { ...unboundedBudgets, modelRequests: 1 };
    const core: DefinitionCore = { ...stepChain('a', 'b'), budgets: short };
    expect(preflight(graphOf(core)).errors).toMatchObject([
      { code: 'budget-cannot-suffice', subjects: ['modelRequests'] },
    ]);
    const condition = {
      source: { scope: 'node-output', nodeId: 'a', name: 'result' },
      op: 'exists',
      value: null,
    } as const;
    expect(preflight(graphOf({ ...core, edges: [edgeWith('a', 'b', { condition })] })).errors).toEqual([]);
  });
});
