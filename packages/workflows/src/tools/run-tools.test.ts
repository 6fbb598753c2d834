import type { ToolContext, ToolResult } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { stepChain } from '../../test/cores.ts';
import { ROOT, type RunFixture, runFixture } from '../../test/run-fixture.ts';
import { createViews } from '../views/views.ts';
import { createRunTools } from './run-tools.ts';

function toolsOf(fixture: RunFixture) {
  const { ambient, store, content } = fixture;
  const views = createViews({
    ambient,
    store,
    content,
    follow: () => () => undefined,
    sessionExists: () => true,
  });
  const tools = createRunTools({ views, runs: fixture.runs, ambient, rootOf: async () => ROOT });
  return async (name: string, input: object): Promise<ToolResult> => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.run(tool.input.parse(input), { sessionId: 'step-of-root' } as ToolContext);
  };
}

describe('workflow run tools', () => {
  test('report the runs of the session and the results of steps', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(({ nodeId }) => ({ text: nodeId === 'a' ? 'x'.repeat(20_000) : 'short' }));
    const { runId } = await fixture.started(stepChain('a', 'b'));
    const call = toolsOf(fixture);
    const all = JSON.parse((await call('workflow_status', {})).content);
    expect(all).toMatchObject({ total: 1, runs: [{ runId, status: 'succeeded', steps: { total: 2 } }] });
    const one = JSON.parse((await call('workflow_status', { runId })).content);
    expect(one).toMatchObject({ status: 'succeeded', total: 2, phases: [{ counts: { succeeded: 2 } }] });
    const first = JSON.parse((await call('workflow_output', { runId, nodeId: 'a' })).content);
    expect(first).toMatchObject({ bytes: 20_000, offset: 0, nextOffset: 16_000 });
    const rest = JSON.parse((await call('workflow_output', { runId, nodeId: 'a', offset: 16_000 })).content);
    expect(rest).toMatchObject({ offset: 16_000, nextOffset: null });
    expect(first.contentUntrusted + rest.contentUntrusted).toBe('x'.repeat(20_000));
  });

  test('control a run and explain a refusal', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a'));
    const call = toolsOf(fixture);
    expect(await call('workflow_control', { runId, action: 'pause' })).toEqual({
      content: JSON.stringify({ runId, accepted: 'pause' }),
    });
    const refused = await call('workflow_control', { runId, action: 'resume' });
    expect(refused.isError).toBe(true);
    expect(refused.content).toContain('WORKFLOW_RUN_STATE_CONFLICT (resume-not-in-running). Allowed now: cancel.');
    expect(await call('workflow_output', { runId, nodeId: 'none' })).toMatchObject({ isError: true });
    expect(await call('workflow_control', { runId: 'other', action: 'cancel' })).toMatchObject({ isError: true });
  });
});
