import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compileDraft, type Draft, draftShape } from './draft.ts';
import { graphOf } from './graph.ts';
import { preflight } from './preflight.ts';

const draft = (changes: Partial<Draft> = {}): Draft => ({
  title: 'Compare',
  objective: 'Know which is better',
  phases: [
    { id: 'read', label: 'Read' },
    { id: 'judge', label: 'Judge' },
  ],
  steps: [
    { id: 'a', phase: 'read', label: 'Read A', instructions: 'Read A' },
    { id: 'b', phase: 'read', label: 'Read B', instructions: 'Read B', model: 'x/y' },
    { id: 'c', phase: 'judge', label: 'Judge', instructions: 'Judge', dependsOn: ['a', 'b', 'a'] },
  ],
  ...changes,
});

describe('a workflow draft', () => {
  test('becomes read-only agents joined by their results', () => {
    const core = compileDraft(draft());
    expect(preflight(graphOf(core))).toMatchObject({ errors: [], warnings: [], estimates: { steps: 3, edges: 2 } });
    expect(core.policy).toMatchObject({ capabilityCeiling: 'read', externalTools: { mode: 'deny' } });
    expect(
      core.nodes.map(({ kind, capabilityProfile, workspacePolicy }) => [kind, capabilityProfile, workspacePolicy.mode]),
    ).toEqual(Array.from({ length: 3 }, () => ['agent', 'read', 'shared-read']));
    expect(core.nodes.map(({ modelPolicy: { mode, model } }) => [mode, model])).toEqual([
      ['inherit', null],
      ['explicit', 'x/y'],
      ['inherit', null],
    ]);
    expect(core.edges.map(({ from, to, type }) => [from, to, type])).toEqual([
      ['a', 'c', 'data'],
      ['b', 'c', 'data'],
    ]);
  });

  test('gets default budgets by step count and its own shares', () => {
    expect(compileDraft(draft()).budgets).toEqual({
      promptTokens: 1_200_000,
      completionTokens: 96_000,
      wallMs: 10_800_000,
      agentSeconds: null,
      toolCalls: 360,
      modelRequests: 144,
      retryPromptTokens: 600_000,
      retryModelRequests: 72,
      knownCostUsd: null,
    });
    const tight = compileDraft(draft({ budgets: { modelRequests: 10, promptTokens: null, wallMs: 60_000 } }));
    expect(tight.budgets).toMatchObject({
      modelRequests: 10,
      promptTokens: null,
      retryPromptTokens: null,
      wallMs: 60_000,
    });
    expect(tight.nodes.map(({ budget }) => budget.modelRequests)).toEqual([3, 3, 3]);
    expect(tight.nodes.map(({ activityPolicy }) => activityPolicy.deadlineMs)).toEqual([60_000, 60_000, 60_000]);
  });

  test.each<[code: string, changes: Partial<Draft>]>([
    ['phase-empty', { phases: [...draft().phases, { id: 'more', label: 'More' }] }],
    ['phase-unknown', { phases: [{ id: 'read', label: 'Read' }] }],
    ['not-connected', { steps: draft().steps.map(({ dependsOn: _dependsOn, ...step }) => step) }],
    ['edge-step-unknown', { steps: draft().steps.map((step) => ({ ...step, dependsOn: ['z'] })) }],
    [
      'cycle-without-retry',
      { steps: draft().steps.map((step) => ({ ...step, dependsOn: step.id === 'a' ? ['c'] : ['a'] })) },
    ],
    ['budget-cannot-suffice', { budgets: { modelRequests: 2 } }],
  ])('reports an invalid value: %s', (code, changes) => {
    expect(preflight(graphOf(compileDraft(draft(changes)))).errors.map((problem) => problem.code)).toContain(code);
  });

  test('with a valid shape and order always becomes a definition', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const drafts = fc
      .record({ title: word, ids: fc.uniqueArray(word, { minLength: 1, maxLength: 20 }), picks: fc.array(fc.nat()) })
      .map(
        ({ title, ids, picks }): Draft => ({
          title,
          objective: title,
          phases: [{ id: 'p', label: 'P' }],
          steps: ids.map((id, at) => ({
            id,
            phase: 'p',
            label: id,
            instructions: id,
            ...(at > 0 && { dependsOn: [ids[(picks[at] ?? 0) % at] as string] }),
          })),
        }),
      );
    fc.assert(
      fc.property(drafts, (drawn) => {
        expect(draftShape.parse(drawn)).toEqual(drawn);
        expect(preflight(graphOf(compileDraft(drawn))).errors).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('rejects long instructions and invalid ids', () => {
    const [step] = draft().steps;
    const withStep = (changes: object) =>
      draftShape.safeParse(draft({ steps: [{ ...step, ...changes } as Draft['steps'][number]] }));
    expect(withStep({ instructions: 'è'.repeat(17_000) }).success).toBe(false);
    expect(withStep({ id: 'the first step' }).success).toBe(false);
    expect(withStep({ secret: 1 }).success).toBe(false);
    expect(withStep({}).success).toBe(true);
  });
});
