import { type CollectedSpan, type TraceCollector, traceCollector } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, testServer } from './harness.ts';
import { runCalls, stepAnswer } from './workflow-run-fixture.ts';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const SECRET = 'only-for-the-model';
let collector: TraceCollector;
beforeAll(async () => {
  collector = await traceCollector();
  process.env[ENDPOINT] = collector.url;
});
afterAll(async () => {
  delete process.env[ENDPOINT];
  await collector[Symbol.asyncDispose]();
});

/** The spans of what is done with a server that is then closed. */
async function spansOf(act: (server: TestServer) => Promise<void>): Promise<CollectedSpan[]> {
  const before = collector.spans.length;
  {
    await using server = await testServer();
    await act(server);
  }
  return collector.spans.slice(before);
}

const named = (spans: readonly CollectedSpan[], start: string) => spans.filter(({ name }) => name.startsWith(start));
const purposes = (spans: readonly CollectedSpan[]) =>
  named(spans, 'chat').flatMap(({ attributes }) => attributes['fucina.purpose'] ?? []);

describe('spans outside the steps of a turn', () => {
  test('a git operation of the window is a trace of its own, without names or messages', async () => {
    const spans = await spansOf(async (server) => {
      server.model.script(() => ({ text: 'Done.' }));
      const id = await server.startSession();
      await server.settled(id);
      await server.project.write({ [`${SECRET}.txt`]: 'x' });
      const stage = await server.call('POST', `/sessions/${id}/git/stage`, { body: { percorsi: [`${SECRET}.txt`] } });
      expect(stage.status).toBe(200);
      await server.call('POST', `/sessions/${id}/git/stage`, { body: { percorsi: ['missing.txt'] } });
    });
    const [done, refused] = named(spans, 'git staging.stage');
    expect(done).toMatchObject({
      parentSpanId: undefined,
      isError: false,
      attributes: { 'fucina.git.operation': 'staging.stage' },
    });
    expect(refused).toMatchObject({ isError: true, attributes: { 'error.type': expect.stringMatching(/^GIT_/) } });
    expect(collector.bodies.join('')).not.toContain(SECRET);
  });

  test('the worktree of a sub-agent belongs to the call that asked for it', async () => {
    const spans = await spansOf(async (server) => {
      server.model.script(({ lastRole, lastText }) =>
        lastRole === 'user' && lastText.startsWith('Delegate')
          ? { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'Look', isolamento: 'worktree' } }] }
          : { text: 'Done.' },
      );
      const id = await server.startSession({ consegna: 'Delegate it', permessi: 'Workspace write' });
      await server.settled(id);
    });
    const [call] = named(spans, 'execute_tool delega_sottotask');
    expect(named(spans, 'git worktrees.create')).toMatchObject([
      { traceId: call?.traceId, parentSpanId: call?.spanId, isError: false },
    ]);
    expect(named(spans, 'git worktrees.at')).toEqual([]);
  });

  test('titles and compactions are model calls with their purpose and their tokens', async () => {
    const usage = { promptTokens: 11, completionTokens: 3 };
    const spans = await spansOf(async (server) => {
      server.model.script((request) => {
        const body = JSON.stringify(request.body);
        if (body.includes('Goal; Constraints and preferences')) return { text: 'THE SUMMARY', usage };
        const results = body.split('"role":"tool"').length - 1;
        const isTitle = !body.includes('"tools"');
        if (isTitle) return { text: 'A title', usage };
        return results < 3
          ? { toolCalls: [{ name: 'leggi', arguments: { percorso: 'README.md' } }] }
          : { text: 'All read.' };
      });
      const id = await server.startSession();
      await server.settled(id);
      expect((await server.call('POST', `/ext/sessions/${id}/title`)).status).toBe(200);
      expect((await server.call('POST', `/sessions/${id}/compact`)).data.compattato).toBe(true);
    });
    expect(purposes(spans)).toEqual(['title', 'compaction']);
    const [title] = named(spans, 'chat').filter(({ attributes }) => attributes['fucina.purpose'] === 'title');
    expect(title).toMatchObject({
      name: 'chat tiny',
      kind: 3,
      isError: false,
      attributes: {
        'gen_ai.provider.name': 'ollama',
        'gen_ai.usage.input_tokens': 11,
        'gen_ai.usage.output_tokens': 3,
      },
    });
    expect(collector.bodies.join('')).not.toContain('THE SUMMARY');
  });

  test('a workflow is one trace: its steps, and in each step the turn that it ran', async () => {
    const spans = await spansOf(async (server) => {
      const calls = runCalls(() => server);
      const { run } = await calls.started(stepAnswer);
      await calls.inState(run, 'succeeded');
    });
    const [workflow, ...others] = named(spans, 'invoke_workflow');
    expect(others).toEqual([]);
    expect(workflow).toMatchObject({
      parentSpanId: undefined,
      isError: false,
      attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'fucina.workflow.run.status': 'succeeded' },
    });
    const steps = named(spans, 'workflow_step');
    expect(steps.map(({ parentSpanId }) => parentSpanId)).toEqual(Array(3).fill(workflow?.spanId));
    const numbers = steps.map(({ attributes }) => Number(attributes['fucina.workflow.step.number']));
    expect(numbers.toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
    const turns = named(spans, 'invoke_agent').filter(({ attributes }) => attributes['fucina.workflow.step']);
    expect(new Set(turns.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set(steps.map(({ spanId }) => spanId)));
    expect(turns.every(({ traceId }) => traceId === workflow?.traceId)).toBe(true);
  });

  test('a step that fails shows its kind of failure, and the workflow that it needs attention', async () => {
    const spans = await spansOf(async (server) => {
      const calls = runCalls(() => server);
      const { run } = await calls.started((text) => (text.includes('second way') ? 'fail' : stepAnswer(text)));
      await calls.inState(run, 'needs_attention');
    });
    const failed = named(spans, 'workflow_step').filter(({ isError }) => isError);
    expect(failed[0]?.attributes['error.type']).toBe('provider_refused');
    expect(named(spans, 'invoke_workflow')[0]).toMatchObject({
      isError: true,
      attributes: { 'error.type': 'needs_attention' },
    });
  });
});
