import {
  type CollectedSpan,
  createModelServer,
  type Reply,
  type Script,
  sampleProject,
  type TraceCollector,
  tempDir,
  traceCollector,
} from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { startChild } from './child-server.ts';
import { readStream } from './harness.ts';

const SECRET = 'only-for-the-model';
const USAGE = { promptTokens: 11, completionTokens: 3 };
const calls = (name: string, args: Record<string, unknown>): Reply => ({
  toolCalls: [{ name, arguments: args }],
  usage: USAGE,
});
const afterTools =
  (first: Reply): Script =>
  ({ lastRole }) =>
    lastRole === 'tool' ? { text: 'Done.', usage: USAGE } : first;

interface Traced {
  /** For a collector at this address. */
  env(url: string): Record<string, string>;
  script: Script;
  level?: string;
}

/** On a busy machine, what was not sent within a second when the server ended is lost: then once more. */
async function tracedTurn(traced: Traced) {
  for (;;) {
    const collector = await traceCollector();
    const turn = await turnTracedBy(collector, traced);
    if (!turn.stderr.includes('not sent in time')) return turn;
    await collector[Symbol.asyncDispose]();
  }
}

/** Runs one turn in a server of its own, approves what it asks for, and shuts the server down. */
async function turnTracedBy(collector: TraceCollector, { env, script, level = 'Full access' }: Traced) {
  await using dir = await tempDir();
  await using project = await sampleProject();
  await using model = await createModelServer({ script });
  await using child = await startChild({ dataDir: dir.path, env: env(collector.url) });
  await child.call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 30 } });
  const body = { cartellaLibera: project.path, consegna: SECRET, modello: 'ollama:tiny', permessi: level };
  const { sessionId } = (await child.call('POST', '/sessions/custom', { body })).data;
  const stream = await readStream(child, sessionId, {
    isDone(event) {
      if (event.type === 'ApprovalRequested') {
        const answer = { requestId: event.requestId, approvato: true };
        void child.call('POST', `/sessions/${sessionId}/approve`, { body: answer });
      }
      return event.type === 'RunFinished' || event.type === 'RunError';
    },
  });
  const exit = await child.kill('SIGTERM');
  return {
    sessionId,
    exit,
    last: stream.at(-1)?.event,
    stderr: child.stderr(),
    collector,
    [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
  };
}

const sentTo = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
const named = (spans: readonly CollectedSpan[], start: string) => spans.filter(({ name }) => name.startsWith(start));

describe('traces of a turn', () => {
  test('hold its model calls and tools, and no content', async () => {
    await using traced = await tracedTurn({
      script: afterTools(calls('shell', { comando: `echo ${SECRET}` })),
      env: (url) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=forge',
        OTEL_SERVICE_NAME: 'my-fucina',
        TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      }),
    });
    const { sessionId, exit, collector } = traced;
    expect(exit.code).toBe(0);
    const [turn] = named(collector.spans, 'invoke_agent');
    expect(turn).toMatchObject({
      name: 'invoke_agent Fucina',
      // A server is not a step of the program that started it.
      parentSpanId: undefined,
      isError: false,
      resource: { 'service.name': 'my-fucina', 'service.version': expect.any(String) },
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': sessionId,
        'gen_ai.provider.name': 'ollama',
        'gen_ai.request.model': 'tiny',
        'gen_ai.usage.input_tokens': 22,
        'gen_ai.usage.output_tokens': 6,
      },
    });
    const chats = named(collector.spans, 'chat tiny');
    const finished = chats.map(({ attributes }) => attributes['gen_ai.response.finish_reasons']);
    expect(finished).toEqual([['tool_call'], ['stop']]);
    expect(chats[0]).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.model': 'tiny',
        'gen_ai.usage.input_tokens': 11,
        'gen_ai.usage.output_tokens': 3,
      },
    });
    const [tool] = named(collector.spans, 'execute_tool');
    expect(tool).toMatchObject({
      name: 'execute_tool shell',
      isError: false,
      attributes: {
        'gen_ai.tool.name': 'shell',
        'gen_ai.tool.call.id': expect.any(String),
        'process.exit.code': 0,
      },
    });
    for (const span of [...chats, tool]) {
      expect(span).toMatchObject({ traceId: turn?.traceId, parentSpanId: turn?.spanId });
    }
    expect(collector.headers[0]).toMatchObject({ 'x-team': 'forge' });
    expect(collector.bodies.join('')).not.toContain(SECRET);
  });

  test('hold messages, arguments and results where the user asked for them, and waits for approval', async () => {
    await using traced = await tracedTurn({
      script: afterTools(calls('shell', { comando: 'echo from-the-tool' })),
      level: 'On request',
      env: (url) => ({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      }),
    });
    const { collector } = traced;
    const [turn] = named(collector.spans, 'invoke_agent');
    expect(turn?.resource).toMatchObject({ 'service.name': 'fucina' });
    const [first, second] = named(collector.spans, 'chat').map(({ attributes }) => attributes);
    expect(first?.['gen_ai.input.messages']).toContain(SECRET);
    expect(first?.['gen_ai.system_instructions']).toContain('"type":"text"');
    expect(second?.['gen_ai.input.messages']).toContain('tool_call_response');
    expect(JSON.parse(String(second?.['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'Done.' }], finish_reason: 'stop' },
    ]);
    expect(named(collector.spans, 'execute_tool')[0]?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': expect.stringContaining('from-the-tool'),
      'gen_ai.tool.call.result': expect.stringContaining('from-the-tool'),
    });
    expect(named(collector.spans, 'wait_for_user')[0]).toMatchObject({
      parentSpanId: turn?.spanId,
      attributes: { 'gen_ai.tool.name': 'shell' },
    });
  });

  test.each([
    ['a command that was killed', 'kill -9 $$', 'interrupted'],
    ['a command that failed by itself', 'exit 3', 'tool_error'],
  ])('hold how %s ended', async (_what, comando, kind) => {
    await using traced = await tracedTurn({ script: afterTools(calls('shell', { comando })), env: sentTo });
    const [tool] = named(traced.collector.spans, 'execute_tool');
    expect(tool).toMatchObject({ isError: true, attributes: { 'error.type': kind } });
  });

  test('continue in sub-agents', async () => {
    await using traced = await tracedTurn({
      script: ({ lastRole, lastText }) =>
        lastRole === 'tool' || lastText.includes('CHILD')
          ? { text: 'Done.' }
          : calls('delega_sottotask', { task: 'CHILD: look' }),
      env: sentTo,
    });
    const { collector } = traced;
    const turns = named(collector.spans, 'invoke_agent');
    const child = turns.find(({ attributes }) => attributes['fucina.delegation.depth'] === 1);
    const [delegation] = named(collector.spans, 'execute_tool delega_sottotask');
    expect(turns).toHaveLength(2);
    expect(child).toMatchObject({ traceId: delegation?.traceId, parentSpanId: delegation?.spanId });
  });

  test('hold the kind of a failure, without its message', async () => {
    await using traced = await tracedTurn({
      script: () => ({ fault: { kind: 'status', status: 401, message: SECRET } }),
      env: sentTo,
    });
    const { collector } = traced;
    const [chat] = named(collector.spans, 'chat');
    const failed = { 'error.type': 'credential', 'http.response.status_code': 401 };
    expect(chat).toMatchObject({ isError: true, attributes: failed });
    expect(named(collector.spans, 'invoke_agent')[0]).toMatchObject({ isError: true });
    expect(collector.bodies.join('')).not.toContain(SECRET);
  });

  test.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
  ])('are not sent with %s=%s', async (name, value) => {
    const env = (url: string) => ({ ...sentTo(url), [name]: value });
    await using traced = await tracedTurn({ script: () => ({ text: 'Done.' }), env });
    expect(traced.last?.type).toBe('RunFinished');
    expect(traced.collector.spans).toEqual([]);
  });

  test('are lost with one warning, and nothing else, while the collector is away', async () => {
    const gone = await traceCollector();
    await gone[Symbol.asyncDispose]();
    await using traced = await tracedTurn({
      script: () => ({ text: 'Done.' }),
      env: () => ({ ...sentTo(gone.url), OTEL_BSP_SCHEDULE_DELAY: '10', FUCINA_LOG: 'warn' }),
    });
    const { last, exit, stderr } = traced;
    expect(last?.type).toBe('RunFinished');
    expect(exit.code).toBe(0);
    expect(stderr.match(/tracing\.not-exported/g)).toHaveLength(1);
  });
});
