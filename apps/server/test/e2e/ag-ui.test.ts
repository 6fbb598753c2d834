import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentSubscriber, type BaseEvent, HttpAgent, type RunAgentParameters } from '@ag-ui/client';
import { CopilotKitCore } from '@copilotkit/core';
import { SAMPLE_BUG } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { breakStore, busySession, type TestServer, TOKEN, testServer, until } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const edit = { percorso: SAMPLE_BUG.path, vecchio: SAMPLE_BUG.before, nuovo: SAMPLE_BUG.after };
const QUESTIONS = [
  { id: 'colour', question: 'Which colour?', why: 'It shows.', options: [{ label: 'Red' }, { label: 'Blue' }] },
];

function agentFor(on = server, threadId: string = randomUUID()): HttpAgent {
  return new HttpAgent({
    url: `${on.url}api/v1/ext/ag-ui`,
    headers: { cookie: `svc_token=${TOKEN}` },
    threadId,
  });
}

const settings = (more: object = {}) => ({
  forwardedProps: { cartella: server.project.path, modello: 'ollama:tiny', ...more },
});

/** Runs the agent, whose pipeline verifies the order of events; returns what it sent. */
async function run(agent: HttpAgent, parameters: RunAgentParameters = settings()): Promise<BaseEvent[]> {
  const events: BaseEvent[] = [];
  const subscriber: AgentSubscriber = { onEvent: ({ event }) => void events.push(event) };
  await agent.runAgent(parameters, subscriber);
  return events;
}

const say = (agent: HttpAgent, content: string) => agent.addMessage({ id: randomUUID(), role: 'user', content });
const outcomeOf = (events: readonly BaseEvent[]) => events.at(-1)?.outcome;
const types = (events: readonly BaseEvent[]) => events.map(({ type }) => type as string);

const input = (more: object = {}) => ({
  threadId: randomUUID(),
  runId: 'run',
  messages: [{ id: 'm', role: 'user', content: 'Hello' }],
  tools: [],
  context: [],
  ...settings(),
  ...more,
});
const post = (body: unknown, on = server) => on.call('POST', '/ext/ag-ui', { body });

describe('AG-UI runs', () => {
  covers('ext.ag-ui.run', 'sends text, reasoning, tool calls and state to the AG-UI client', async () => {
    server.model.script(({ lastRole }) =>
      lastRole === 'tool'
        ? { reasoning: 'It passes now.', text: ['The test', ' passes.'] }
        : { reasoning: 'A sum.', text: 'I fix it.', toolCalls: [{ name: 'file_edit', arguments: edit, pieces: 3 }] },
    );
    const agent = agentFor();
    say(agent, 'Fix the failing test.');
    const events = await run(agent);
    expect(outcomeOf(events)).toEqual({ type: 'success' });
    expect(new Set(types(events))).toEqual(
      new Set([
        'RUN_STARTED',
        'STATE_SNAPSHOT',
        'STATE_DELTA',
        'CUSTOM',
        'RUN_FINISHED',
        'REASONING_START',
        'REASONING_MESSAGE_START',
        'REASONING_MESSAGE_CONTENT',
        'REASONING_MESSAGE_END',
        'REASONING_END',
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT',
        'TEXT_MESSAGE_END',
        'TOOL_CALL_START',
        'TOOL_CALL_ARGS',
        'TOOL_CALL_END',
        'TOOL_CALL_RESULT',
      ]),
    );
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'The test passes.' });
    const called = agent.messages.find((message) => message.role === 'assistant' && message.toolCalls?.length);
    expect(called).toMatchObject({ toolCalls: [{ function: { name: 'file_edit' } }] });
    const [call] = (called as { toolCalls: { function: { arguments: string } }[] }).toolCalls;
    expect(JSON.parse(call?.function.arguments ?? '')).toEqual(edit);
    expect(agent.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
    expect(agent.state).toMatchObject({
      sessionId: agent.threadId,
      cartella: server.project.path,
      file: { [SAMPLE_BUG.path]: 'modificato' },
      usage: { prompt_tokens: 20 },
    });
  });

  test('a thread goes to the same session, and only the last message is new', async () => {
    server.model.script(({ lastText }) => ({ text: `Heard: ${lastText}` }));
    for (const threadId of [randomUUID(), 'support/42']) {
      const agent = agentFor(server, threadId);
      say(agent, 'First message');
      await run(agent);
      say(agent, 'Second message');
      await run(agent, { context: [{ description: 'Open page', value: 'Invoices' }] } as RunAgentParameters);
      const { sessionId } = agent.state as { sessionId: string };
      const sent = (await server.events(sessionId)).flatMap((event) =>
        event.type === 'RunStarted' && event.input ? [event.input.consegna] : [],
      );
      expect(sent).toEqual(['First message', 'Second message']);
      expect(agent.messages.at(-1)?.content).toMatch(/^Heard: Second message.*Open page: Invoices/s);
    }
  });

  test('an approval interrupts the run, and its answer continues the turn', async () => {
    server.model.script(({ lastRole }) =>
      lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [{ name: 'file_edit', arguments: edit }] },
    );
    await server.project.write({ [SAMPLE_BUG.path]: `${SAMPLE_BUG.before}\n` });
    const agent = agentFor();
    say(agent, 'Fix it.');
    const asked = await run(agent, settings({ permessi: 'On request' }));
    const [interrupt] = agent.pendingInterrupts;
    expect(outcomeOf(asked)).toEqual({ type: 'interrupt', interrupts: [interrupt] });
    expect(interrupt).toMatchObject({ reason: 'tool_call', message: SAMPLE_BUG.path });
    const call = asked.find(({ type }) => type === 'TOOL_CALL_START');
    expect(interrupt?.toolCallId).toBe(call?.toolCallId);
    const interruptId = interrupt?.id ?? '';
    const answered = await run(agent, { resume: [{ interruptId, status: 'resolved', payload: { approved: true } }] });
    expect(outcomeOf(answered)).toEqual({ type: 'success' });
    expect(types(answered)).not.toContain('TOOL_CALL_START');
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(await readFile(join(server.project.path, SAMPLE_BUG.path), 'utf8')).toContain(SAMPLE_BUG.after);
  });

  test('a cancelled interrupt denies the approval', async () => {
    server.model.script(({ lastRole }) =>
      lastRole === 'tool' ? { text: 'As you like.' } : { toolCalls: [{ name: 'scrivi', arguments: WRITE }] },
    );
    const agent = agentFor();
    say(agent, 'Write it.');
    await run(agent, settings({ permessi: 'On request' }));
    const interruptId = agent.pendingInterrupts[0]?.id ?? '';
    await run(agent, { resume: [{ interruptId, status: 'cancelled' }] });
    expect(agent.messages.at(-1)?.content).toBe('As you like.');
    await expect(readFile(join(server.project.path, WRITE.percorso))).rejects.toThrow('ENOENT');
  });

  test('a question and a plan interrupt the run; the plan is decided by its own operation', async () => {
    server.model.script(({ lastRole, lastText }) =>
      lastRole === 'tool'
        ? { text: `Heard: ${lastText}` }
        : { toolCalls: [{ name: 'ask_user', arguments: { questions: QUESTIONS } }] },
    );
    const asking = agentFor();
    say(asking, 'Ask me.');
    await run(asking);
    const [question] = asking.pendingInterrupts;
    expect(question).toMatchObject({ reason: 'input_required', message: 'Which colour?' });
    const payload = { answers: { colour: 'Blue' } };
    await run(asking, { resume: [{ interruptId: question?.id ?? '', status: 'resolved', payload }] });
    expect(asking.messages.at(-1)?.content).toContain('Blue');

    const PLAN = '# Plan\n\n1. Fix the sum.';
    server.model.script(({ lastRole }) =>
      lastRole === 'tool' ? { text: 'Planned.' } : { toolCalls: [{ name: 'present_plan', arguments: { plan: PLAN } }] },
    );
    const planning = agentFor();
    say(planning, 'Plan it.');
    await run(planning, settings({ modalitaOperativa: 'piano' }));
    const [plan] = planning.pendingInterrupts;
    expect(plan).toMatchObject({ reason: 'confirmation', message: PLAN });
    const requestId = plan?.id ?? '';
    const refused = {
      ...input(),
      threadId: planning.threadId,
      resume: [{ interruptId: requestId, status: 'cancelled' }],
    };
    expect((await post(refused)).code).toBe('QUERY_INVALID');
    const body = { requestId, hash: plan?.metadata?.hash, decisione: 'procedi-accetta-modifiche' };
    await server.call('POST', `/sessions/${planning.threadId}/plan-decision`, { body });
    await run(planning, { resume: [{ interruptId: requestId, status: 'resolved' }] });
    expect(planning.messages.at(-1)?.content).toBe('Planned.');
  });

  test('a stopped turn is a cancelled run, and a failed model call is a run error', async () => {
    server.model.script(() => ({ text: { count: 400 }, deltaDelayMs: 20 }));
    const agent = agentFor();
    say(agent, 'Count.');
    const running = run(agent);
    await until(async () => ((await server.call('GET', `/sessions/${agent.threadId}/queue`)).ok ? true : undefined));
    await until(async () => (agent.messages.length > 1 ? true : undefined));
    await server.call('POST', `/sessions/${agent.threadId}/stop`, { body: {} });
    expect(outcomeOf(await running)).toEqual({ type: 'cancelled' });

    server.model.script(() => ({ fault: { kind: 'status', status: 400, message: 'No such thing' } }));
    const failing = agentFor();
    say(failing, 'Fail.');
    const events = await run(failing).catch((error: Error) => error);
    const last = Array.isArray(events) ? events.at(-1) : events;
    expect(last).toMatchObject({ type: 'RUN_ERROR' });
    await server.settled(failing.threadId);
  });

  test('an image of the message reaches the model', async () => {
    server.model.script(() => ({ text: 'A pixel.' }));
    const value = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const agent = agentFor();
    const source = { type: 'data' as const, value, mimeType: 'image/png' };
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, source },
    ];
    agent.addMessage({ id: randomUUID(), role: 'user', content });
    expect(outcomeOf(await run(agent))).toEqual({ type: 'success' });
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain(value.slice(0, 40));
  });

  test('two first runs of a thread at once start one session', async () => {
    server.model.script(() => ({ text: 'Hello.', delayMs: 50 }));
    const body = input();
    const before = (await server.call('GET', '/sessions')).data.items.length;
    const replies = await Promise.all([post(body), post(body)]);
    expect(replies.map(({ code }) => code ?? '').sort()).toEqual(['', 'SESSION_NOT_READY']);
    await server.settled(body.threadId);
    expect((await server.call('GET', '/sessions')).data.items).toHaveLength(before + 1);
  });

  test('CopilotKit runs the agent', async () => {
    server.model.script(({ lastText }) => ({ text: `Heard: ${lastText}` }));
    const agent = agentFor();
    const core = new CopilotKitCore({
      agents__unsafe_dev_only: { fucina: agent as never },
      properties: settings().forwardedProps,
    });
    const found = core.getAgent('fucina');
    found?.addMessage({ id: randomUUID(), role: 'user', content: 'Hello from CopilotKit' });
    const { newMessages } = await core.runAgent({ agent: found as never });
    expect(newMessages.at(-1)?.content).toMatch(/^Heard: Hello from CopilotKit/);
  });
});

const WRITE = { percorso: 'never.txt', contenuto: 'x' };

describe('refused AG-UI runs', () => {
  refuses(
    'ext.ag-ui.run',
    'QUERY_INVALID',
    'without a new message, without a folder, or for unknown content',
    async () => {
      const video = [{ type: 'video', source: { type: 'url', value: 'http://127.0.0.1/x' } }];
      const bad = [
        {},
        input({ messages: [] }),
        input({ messages: [{ id: 'm', role: 'assistant', content: 'Hello' }] }),
        input({ messages: [{ id: 'm', role: 'user', content: ' ' }] }),
        input({ messages: [{ id: 'm', role: 'user', content: video }] }),
        input({ forwardedProps: {} }),
        input({ forwardedProps: { cartella: server.project.path, permessi: 'all' } }),
        input({ threadId: '' }),
        input({ resume: [{ interruptId: 'x', status: 'maybe' }] }),
      ];
      const before = (await server.call('GET', '/sessions')).data.items.length;
      for (const body of bad) expect(await post(body)).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
      expect((await post(input({ resume: [{ interruptId: 'x', status: 'resolved' }] }))).code).toBe('NOT_FOUND');
      expect((await server.call('GET', '/sessions')).data.items).toHaveLength(before);
    },
  );

  refuses('ext.ag-ui.run', 'MODEL_ID_INVALID', 'for an unknown provider', async () => {
    const forwardedProps = { cartella: server.project.path, modello: 'nobody:x' };
    expect((await post(input({ forwardedProps }))).code).toBe('MODEL_ID_INVALID');
  });

  refuses('ext.ag-ui.run', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that does not exist', async () => {
    const forwardedProps = { cartella: '/no/such/folder', modello: 'ollama:tiny' };
    expect((await post(input({ forwardedProps }))).code).toBe('WORKSPACE_NOT_AVAILABLE');
  });

  refuses('ext.ag-ui.run', 'SESSION_NOT_READY', 'while a turn of the thread runs', async () => {
    server.model.script(() => ({ toolCalls: [{ name: 'ask_user', arguments: { questions: QUESTIONS } }] }));
    const agent = agentFor();
    say(agent, 'Ask me.');
    await run(agent);
    expect((await post(input({ threadId: agent.threadId }))).code).toBe('SESSION_NOT_READY');
    await server.call('POST', `/sessions/${agent.threadId}/stop`, { body: {} });
    await server.settled(agent.threadId);
  });

  refuses('ext.ag-ui.run', 'APPROVAL_NOT_PENDING', 'for an approval that has its answer', async () => {
    server.model.script(({ lastRole }) =>
      lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [{ name: 'scrivi', arguments: WRITE }] },
    );
    const agent = agentFor();
    say(agent, 'Write it.');
    await run(agent, settings({ permessi: 'On request' }));
    const resume = [{ interruptId: agent.pendingInterrupts[0]?.id, status: 'resolved', payload: { approved: false } }];
    expect((await post(input({ threadId: agent.threadId, resume }))).status).toBe(200);
    await server.settled(agent.threadId);
    expect((await post(input({ threadId: agent.threadId, resume }))).code).toBe('APPROVAL_NOT_PENDING');
  });

  refuses('ext.ag-ui.run', 'QUESTION_NOT_PENDING', 'for a question that has another answer', async () => {
    server.model.script(({ lastRole }) =>
      lastRole === 'tool'
        ? { text: 'Ok.' }
        : { toolCalls: [{ name: 'ask_user', arguments: { questions: QUESTIONS } }] },
    );
    const agent = agentFor();
    say(agent, 'Ask me.');
    await run(agent);
    const interruptId = agent.pendingInterrupts[0]?.id;
    const resume = (colour: string) => [{ interruptId, status: 'resolved', payload: { answers: { colour } } }];
    expect((await post(input({ threadId: agent.threadId, resume: resume('Red') }))).status).toBe(200);
    await server.settled(agent.threadId);
    const other = input({ threadId: agent.threadId, resume: resume('Blue') });
    expect((await post(other)).code).toBe('QUESTION_NOT_PENDING');
  });

  refuses('ext.ag-ui.run', 'QUESTION_ANSWER_NOT_SAVED', 'when the store cannot be written', async () => {
    await using broken = await testServer({
      script: () => ({ toolCalls: [{ name: 'ask_user', arguments: { questions: QUESTIONS } }] }),
    });
    const agent = agentFor(broken);
    say(agent, 'Ask me.');
    await run(agent);
    await breakStore(
      broken.dataDir,
      "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    const interruptId = agent.pendingInterrupts[0]?.id;
    const resume = [{ interruptId, status: 'resolved', payload: { answers: { colour: 'Red' } } }];
    const reply = await post(input({ threadId: agent.threadId, resume }), broken);
    expect(reply.code).toBe('QUESTION_ANSWER_NOT_SAVED');
  });

  refuses('ext.ag-ui.run', 'SESSION_STORE_HEADER_FAILED', 'when the store cannot be written', async () => {
    await using broken = await testServer();
    await broken.settled(await broken.startSession());
    const trigger = "CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END";
    await breakStore(broken.dataDir, trigger);
    expect((await post(input(), broken)).code).toBe('SESSION_STORE_HEADER_FAILED');
    expect((await broken.call('GET', '/sessions')).data.items).toHaveLength(1);
  });

  refuses('ext.ag-ui.run', 'SESSION_STORE_BUSY', 'when another process runs the session', async () => {
    await using busy = await busySession(server);
    expect((await post(input({ threadId: busy.sessionId }))).code).toBe('SESSION_STORE_BUSY');
  });

  refuses('ext.ag-ui.run', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    await using closing = await testServer();
    await closing.host.quiesce();
    expect((await post(input(), closing)).code).toBe('SERVER_SHUTTING_DOWN');
  });
});
