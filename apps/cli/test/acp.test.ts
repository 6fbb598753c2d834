import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { systemAmbient } from '@fucina/shared';
import type { Reply, Script } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { run } from '../src/run.ts';
import { ASKS_FORM, asksFor, declareEverything, FORM } from './asking.ts';
import { type TestComputer, testComputer } from './harness.ts';

const { agent: theirs, client: ours } = methods;
const write = (percorso: string, contenuto: string): Reply => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto } }],
});
const tool = (name: string, given: Record<string, unknown>): Reply => ({ toolCalls: [{ name, arguments: given }] });

/** An editor with the official client, and the program at the other end of its pipes. */
interface Editor extends AsyncDisposable {
  computer: TestComputer;
  agent: ClientConnection['agent'];
  updates: SessionUpdate[];
  asked: RequestPermissionRequest[];
  /** Forms and pages; each is answered with the name Ada. */
  forms: CreateElicitationRequest[];
  /** Chooses the option with this id; the first when it is undefined. */
  chooses(optionId: string | undefined): void;
  open(modeId?: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<string>;
}

async function editor(script: Script, clientCapabilities: ClientCapabilities = {}): Promise<Editor> {
  const computer = await testComputer(script);
  const toAgent = new PassThrough();
  const fromAgent = new PassThrough();
  const stderr = new PassThrough();
  stderr.resume();
  const ended = run(['acp', '--model', 'ollama:tiny'], {
    env: computer.env,
    cwd: computer.project.path,
    home: computer.env.HOME ?? '/',
    stdin: toAgent,
    stdout: fromAgent,
    stderr,
    onInterrupt: () => () => true,
    onEnd: () => () => undefined,
    ambient: async (level) => systemAmbient(level),
  });
  const updates: SessionUpdate[] = [];
  const asked: RequestPermissionRequest[] = [];
  const forms: CreateElicitationRequest[] = [];
  let choice: string | undefined;
  const connection = client({ name: 'an editor' })
    .onNotification(ours.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(ours.session.requestPermission, ({ params }) => {
      asked.push(params);
      const option = params.options.find(({ optionId }) => optionId === choice) ?? params.options[0];
      return { outcome: { outcome: 'selected', optionId: option?.optionId ?? '' } };
    })
    .onRequest(ours.elicitation.create, ({ params }) => {
      forms.push(params);
      return { action: 'accept', content: { name: 'Ada' } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(toAgent) as WritableStream<Uint8Array>,
        Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>,
      ),
    );
  const { agent } = connection;
  await agent.request(theirs.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
  return {
    computer,
    agent,
    updates,
    asked,
    forms,
    chooses: (optionId) => void (choice = optionId),
    async open(modeId) {
      const { sessionId } = await agent.request(theirs.session.new, { cwd: computer.project.path, mcpServers: [] });
      if (modeId) await agent.request(theirs.session.setMode, { sessionId, modeId });
      return sessionId;
    },
    async prompt(sessionId, text) {
      const asking = { sessionId, prompt: [{ type: 'text' as const, text }] };
      const { stopReason } = (await agent.request(theirs.session.prompt, asking)) as PromptResponse;
      return stopReason;
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      toAgent.end();
      expect(await ended).toBe(0);
      await computer[Symbol.asyncDispose]();
    },
  };
}

const said = (updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string =>
  updates
    .map((update) =>
      update.sessionUpdate === kind && 'content' in update ? (update.content as { text: string }).text : '',
    )
    .join('');

describe('fucina acp', () => {
  test('reports its version and capabilities', async () => {
    await using e = await editor([]);
    const about = await e.agent.request(theirs.initialize, { protocolVersion: PROTOCOL_VERSION });
    expect(about).toMatchObject({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'fucina' },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
    });
  });

  test.each<[string, Parameters<typeof editor>[0], string]>([
    ['refuses', [{ text: 'No.', finish: 'content-filter' }], 'refusal'],
    [
      'is cut at its limit, four times',
      Array.from({ length: 4 }, () => ({ text: 'a', finish: 'length' as const })),
      'max_tokens',
    ],
  ])('says so when the model %s', async (_name, script, reason) => {
    await using e = await editor(script);
    expect(await e.prompt(await e.open(), 'go')).toBe(reason);
  });

  test('reports an answer that stays empty as an error', async () => {
    await using e = await editor([{ text: '' }, { text: '' }]);
    await expect(e.prompt(await e.open(), 'go')).rejects.toThrow(/empty answer, twice/);
  });

  test('shows the wait before a retry as a call that counts down, and ends when the next try starts', async () => {
    await using e = await editor([{ fault: { kind: 'status', status: 429, retryAfter: 2 } }, { text: 'Here.' }]);
    expect(await e.prompt(await e.open(), 'go')).toBe('end_turn');
    const shown = e.updates.map((update) => {
      const { status, title } = update as { status?: string; title?: string };
      return update.sessionUpdate.startsWith('tool_call') ? [status ?? '', title] : update.sessionUpdate;
    });
    expect(shown.slice(shown.findIndex(Array.isArray))).toEqual([
      ['in_progress', 'The provider is busy; try 2 of 10 in 2 s'],
      ['', 'The provider is busy; try 2 of 10 in 1 s'],
      ['completed', 'Trying again (2 of 10)'],
      'agent_message_chunk',
    ]);
  });

  test('ends the wait before a retry with the turn', async () => {
    await using e = await editor([{ fault: { kind: 'status', status: 429, retryAfter: 300 } }]);
    const sessionId = await e.open();
    const turn = e.prompt(sessionId, 'go');
    while (!e.updates.some(({ sessionUpdate }) => sessionUpdate === 'tool_call')) await new Promise(setImmediate);
    await e.agent.notify(theirs.session.cancel, { sessionId });
    expect(await turn).toBe('cancelled');
    expect(e.updates.at(-1)).toMatchObject({ sessionUpdate: 'tool_call_update', status: 'failed' });
  });

  test('asks before a change, shows it as a diff, and applies it', async () => {
    await using e = await editor([{ text: 'Looking.', ...write('a.txt', 'new\n') }, { text: 'Made it.' }]);
    const sessionId = await e.open();
    expect(await e.prompt(sessionId, 'go')).toBe('end_turn');
    expect(readFileSync(join(e.computer.project.path, 'a.txt'), 'utf8')).toBe('new\n');
    expect(said(e.updates, 'agent_message_chunk')).toBe('Looking.Made it.');
    const path = join(e.computer.project.path, 'a.txt');
    const diff = { type: 'diff', path, oldText: null, newText: 'new\n' };
    expect(e.asked).toMatchObject([
      {
        sessionId,
        toolCall: { kind: 'edit', content: [diff] },
        options: [{ kind: 'allow_once' }, { kind: 'allow_always' }, { kind: 'reject_once' }],
      },
    ]);
    const calls = e.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
    expect(calls).toMatchObject([
      { sessionUpdate: 'tool_call', name: 'scrivi', kind: 'edit', status: 'pending' },
      { status: 'in_progress', title: 'Writing a.txt', locations: [{ path }] },
      { status: 'completed', content: [diff] },
    ]);
    expect(e.asked[0]?.toolCall.toolCallId).toBe((calls[0] as { toolCallId: string }).toolCallId);
  });

  test('a denied change is not made, and one allowed for the session is not asked again', async () => {
    await using e = await editor([write('a.txt', 'x'), write('b.txt', 'x'), write('c.txt', 'x'), { text: 'ok' }]);
    const sessionId = await e.open('on-request');
    e.chooses('deny');
    const turn = e.prompt(sessionId, 'go');
    while (e.asked.length < 1) await new Promise(setImmediate);
    e.chooses('session');
    await turn;
    expect(e.asked).toHaveLength(2);
    expect(() => readFileSync(join(e.computer.project.path, 'a.txt'))).toThrow();
    expect(readFileSync(join(e.computer.project.path, 'c.txt'), 'utf8')).toBe('x');
  });

  test('streams command output and marks a failed command as failed', async () => {
    await using e = await editor([tool('shell', { comando: 'echo out; exit 3' }), { text: 'ok' }]);
    await e.prompt(await e.open('workspace-write'), 'go');
    expect(e.asked).toEqual([]);
    const calls = e.updates.filter((update) => update.sessionUpdate === 'tool_call_update');
    expect(JSON.stringify(calls)).toContain('out');
    expect(calls.at(-1)).toMatchObject({ status: 'failed' });
  });

  test('shows and runs an approved plan, and sends the to-do list as the editor’s plan', async () => {
    const todo = tool('todo_write', { items: [{ content: 'Write it', status: 'in_progress' }] });
    await using e = await editor([
      tool('present_plan', { plan: '1. Write it.' }),
      todo,
      write('a.txt', 'x'),
      { text: 'ok' },
    ]);
    e.chooses('accept');
    expect(await e.prompt(await e.open('plan'), 'go')).toBe('end_turn');
    expect(JSON.stringify(e.asked[0])).toContain('1. Write it.');
    expect(readFileSync(join(e.computer.project.path, 'a.txt'), 'utf8')).toBe('x');
    expect(e.updates).toContainEqual({
      sessionUpdate: 'plan',
      entries: [{ content: 'Write it', priority: 'medium', status: 'in_progress' }],
    });
  });

  test('asks the user a single-choice question', async () => {
    const question = {
      id: 'colour',
      question: 'Which colour?',
      why: 'It is seen.',
      options: [{ label: 'Red' }, { label: 'Blue' }],
    };
    await using e = await editor([tool('ask_user', { questions: [question] }), { text: 'ok' }]);
    e.chooses('1');
    await e.prompt(await e.open(), 'go');
    expect(e.asked[0]?.options.map(({ name }) => name)).toEqual(['Red', 'Blue', 'Let the agent decide']);
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('Blue');
  });

  test('asks the editor about requests of sub-agents', async () => {
    const script: Script = ({ body }) => {
      const text = JSON.stringify((body as { messages: unknown[] }).messages);
      if (text.includes('"role":"tool"')) return { text: 'ok' };
      return text.includes('look around') ? write('a.txt', 'x') : tool('delega_sottotask', { task: 'look around' });
    };
    await using e = await editor(script);
    expect(await e.prompt(await e.open('on-request'), 'go')).toBe('end_turn');
    expect(e.asked).toHaveLength(1);
    expect(JSON.stringify(e.asked[0]?.toolCall.content)).toContain('Requested by the agent working on: look around');
    expect(readFileSync(join(e.computer.project.path, 'a.txt'), 'utf8')).toBe('x');
  });

  test('shows a form of an MCP server in editors that support forms', async () => {
    await using e = await editor([ASKS_FORM, { text: 'ok' }], { elicitation: { form: {} } });
    await asksFor(e.computer, FORM);
    const sessionId = await e.open('workspace-write');
    expect(await e.prompt(sessionId, 'go')).toBe('end_turn');
    const { requestedSchema } = FORM;
    expect(e.forms).toMatchObject([
      { sessionId, mode: 'form', message: expect.stringContaining('crm'), requestedSchema },
    ]);
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('Ada');
  });

  test('says in a form that an MCP server wants to ask the model', async () => {
    const script: Script = ({ lastRole, lastText }) => {
      if (lastRole === 'tool') return { text: 'ok' };
      if (lastText.includes('What is a forge?')) return { text: 'A place of fire.' };
      return tool('mcp__all__trigger-sampling-request', { prompt: 'What is a forge?' });
    };
    await using e = await editor(script, { elicitation: { form: {} } });
    await declareEverything(e.computer, 'trigger-sampling-request');
    expect(await e.prompt(await e.open('workspace-write'), 'go')).toBe('end_turn');
    expect(e.forms[0]?.message).toMatch(/all asks to use the model[\s\S]*at most 100 tokens[\s\S]*What is a forge\?/);
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('A place of fire.');
  });

  test('declines a form in editors that do not support forms', async () => {
    await using e = await editor([ASKS_FORM, { text: 'ok' }], { elicitation: { url: {} } });
    await asksFor(e.computer, FORM);
    expect(await e.prompt(await e.open('workspace-write'), 'go')).toBe('end_turn');
    expect(e.forms).toEqual([]);
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('decline');
  });

  test('cancels a turn and continues in the same session', async () => {
    let count = 0;
    await using e = await editor(() => ((count += 1) === 1 ? { fault: { kind: 'hang' } } : { text: 'ok' }));
    const sessionId = await e.open();
    const turn = e.prompt(sessionId, 'go');
    while (count === 0) await new Promise(setImmediate);
    await e.agent.notify(theirs.session.cancel, { sessionId });
    expect(await turn).toBe('cancelled');
    expect(await e.prompt(sessionId, 'again')).toBe('end_turn');
  });

  test('lists sessions by folder, loads their history, and deletes them', async () => {
    await using e = await editor(() => ({ text: 'Herons.' }));
    const sessionId = await e.open();
    await e.prompt(sessionId, 'Which birds?');
    const { sessions } = await e.agent.request(theirs.session.list, { cwd: e.computer.project.path });
    expect(sessions).toMatchObject([{ sessionId, cwd: e.computer.project.path, title: 'Which birds?' }]);
    expect((await e.agent.request(theirs.session.list, { cwd: '/nowhere' })).sessions).toEqual([]);
    e.updates.length = 0;
    const loaded = await e.agent.request(theirs.session.load, {
      sessionId,
      cwd: e.computer.project.path,
      mcpServers: [],
    });
    expect(loaded.modes?.currentModeId).toBe('on-request');
    expect(said(e.updates, 'user_message_chunk')).toBe('Which birds?');
    expect(said(e.updates, 'agent_message_chunk')).toBe('Herons.');
    await e.agent.request(theirs.session.delete, { sessionId });
    expect((await e.agent.request(theirs.session.list, {})).sessions).toEqual([]);
  });

  test('sends attached files and embedded resources to the model', async () => {
    await using e = await editor(() => ({ text: 'ok' }));
    const sessionId = await e.open();
    await e.agent.request(theirs.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look at' },
        { type: 'resource_link', name: 'a.ts', uri: 'file:///project/a.ts' },
        { type: 'resource', resource: { uri: 'file:///project/b.ts', text: 'const heron = 1;' } },
      ],
    });
    const sent = JSON.stringify(e.computer.model.requests.at(-1)?.body);
    expect(sent).toContain('@/project/a.ts');
    expect(sent).toContain('const heron = 1;');
  });

  test('answers an invalid request with an error and changes nothing', async () => {
    await using e = await editor([{ fault: { kind: 'status', status: 401, message: 'No.' } }]);
    const missing = { sessionId: 'none', prompt: [] };
    await expect(e.agent.request(theirs.session.prompt, missing)).rejects.toMatchObject({ code: -32002 });
    await expect(e.agent.request(theirs.session.new, { cwd: 'relative', mcpServers: [] })).rejects.toMatchObject({
      code: -32602,
    });
    const sessionId = await e.open();
    await expect(e.agent.request(theirs.session.setMode, { sessionId, modeId: 'odd' })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(e.prompt(sessionId, 'go')).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining('The provider rejected the key.'),
      data: { code: 'MODEL_CALL_FAILED', class: 'credential' },
    });
  });
});

test('reports invalid settings on standard error', async () => {
  await using computer = await testComputer([]);
  await computer.project.write({
    '.svc/settings.json': '{"version": 2, "colour": "red", "permissions": {"deny": ["Bash("]}}',
  });
  const { exit, stdout, stderr } = await computer.run(['acp'], { input: '' });
  expect([exit, stdout]).toEqual([0, '']);
  expect(stderr).toContain('colour');
  expect(stderr).toContain('Bash(');
});

describe('a command that wants to reach a host', () => {
  // A name of this computer: no other address is looked up or reached, whether allowed or not.
  const connect = tool('shell', { comando: `curl -s --max-time 20 http://${hostname()}:9/` });

  test('is put to the editor, and allowed for the project it is not asked for again', async () => {
    await using e = await editor([connect, connect, { text: 'Done.' }]);
    e.chooses('project');
    const sessionId = await e.open('workspace-write');
    expect(await e.prompt(sessionId, 'go')).toBe('end_turn');
    expect(e.asked).toHaveLength(1);
    expect(e.asked[0]?.toolCall.title).toBe(`curl wants to reach ${hostname().toLowerCase()}:9`);
    expect(e.asked[0]?.options.map(({ optionId }) => optionId)).toEqual(['once', 'session', 'project', 'deny']);
    const { rules } = JSON.parse((await e.computer.run(['sandbox', 'rules', '--json'])).stdout);
    expect(rules).toMatchObject([{ rule: `Network(${hostname().toLowerCase()})` }]);
  });

  test('does not reach it where the editor denies', async () => {
    await using e = await editor([connect, { text: 'Done.' }]);
    e.chooses('deny');
    await e.prompt(await e.open('workspace-write'), 'go');
    expect(e.computer.model.requests.at(-1)?.lastText).toContain(`Fucina blocks ${hostname().toLowerCase()}`);
  });
});
