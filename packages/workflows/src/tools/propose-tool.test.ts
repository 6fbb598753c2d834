import type { ToolContext, ToolResult } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { draftShape } from '../definition/draft.ts';
import { createProposals } from '../proposals/proposals.ts';
import { openStore } from '../store/store.ts';
import { createProposeTool } from './propose-tool.ts';

const draft = {
  title: 'Compare',
  objective: 'Know which is better',
  phases: [{ id: 'all', label: 'All' }],
  steps: [
    { id: 'a', phase: 'all', label: 'Read A', instructions: 'Read A' },
    { id: 'b', phase: 'all', label: 'Judge', instructions: 'Judge', dependsOn: ['a'] },
  ],
};

async function fixture(isRoot = true) {
  const dir = await tempDir();
  const ambient = fakeAmbient();
  const store = openStore({ ambient, dataDir: dir.path });
  const proposals = createProposals({ ambient, store, sessionExists: () => true, isKnownModel: () => false });
  const tool = createProposeTool({
    proposals,
    proposerOf: async () => ({ isRoot, plannerModel: null, sessionModel: 'm' }),
  });
  const call = (input: unknown, toolCallId = 'call'): Promise<ToolResult> =>
    tool.run(draftShape.parse(input), { sessionId: 'root', toolCallId } as ToolContext);
  return {
    call,
    proposals,
    async [Symbol.asyncDispose]() {
      store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('workflow_propose', () => {
  test('returns the workflow, its budget and its approver, and is idempotent', async () => {
    await using place = await fixture();
    const first = await place.call(draft);
    expect(first.isError).toBeUndefined();
    expect(first.content).toMatch(
      /^Proposed, and not started: workflow [0-9a-f-]{36}, version 1 \(sha256:[0-9a-f]{64}\)\./,
    );
    expect(first.content).toContain(
      'The user must approve and start it in the window. It may use at most 96 model requests',
    );
    expect(await place.call(draft)).toEqual(first);
    expect(place.proposals.list('root', { offset: 0, limit: 9 }).total).toBe(1);
  });

  test('returns the warnings', async () => {
    await using place = await fixture();
    const budgets = Object.fromEntries(
      ['promptTokens', 'completionTokens', 'wallMs', 'modelRequests', 'toolCalls'].map((key) => [key, null]),
    );
    const { content } = await place.call({ ...draft, budgets });
    expect(content).toContain('any amount: no budget is set');
    expect(content).toContain('Nothing bounds what the run may use.');
  });

  test.each<[words: string, changes: object]>([
    ['dependsOn names z, which is no step', { steps: [{ ...draft.steps[0], dependsOn: ['z'] }] }],
    ['The step a depends on itself.', { steps: [{ ...draft.steps[0], dependsOn: ['a'] }] }],
    [
      'wait for each other for ever: a, b.',
      { steps: draft.steps.map((step) => ({ ...step, dependsOn: [step.id === 'a' ? 'b' : 'a'] })) },
    ],
    ['Two steps have the id a', { steps: [draft.steps[0], draft.steps[0]] }],
    ['No step is in the phase later', { phases: [...draft.phases, { id: 'later', label: 'Later' }] }],
    ['that phase is not among the phases', { steps: [{ ...draft.steps[0], phase: 'later' }] }],
    ['Nothing joins', { steps: draft.steps.map(({ dependsOn: _dependsOn, ...step }) => step) }],
    ['budgets.modelRequests is below', { budgets: { modelRequests: 1 } }],
  ])('reports how to fix the draft: %s', async (words, changes) => {
    await using place = await fixture();
    const { content, isError } = await place.call({ ...draft, ...changes });
    expect(isError).toBe(true);
    expect(content).toContain(words);
    expect(place.proposals.list('root', { offset: 0, limit: 9 }).total).toBe(0);
  });

  test('is offered to the main agent only', async () => {
    await using place = await fixture(false);
    expect(await place.call(draft)).toMatchObject({ isError: true });
  });
});
