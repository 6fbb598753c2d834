import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import * as current from '@agentclientprotocol/sdk';
import * as older from '@agentclientprotocol/sdk-0.29';
import { systemAmbient } from '@fucina/shared';
import { freePort, pageServerCommand, type Reply, type Script } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { run } from '../src/run.ts';
import { type EditorTerminals, editorTerminals } from './editor-terminals.ts';
import { type TestComputer, testComputer } from './harness.ts';

const { agent: theirs } = current.methods;
const tool = (name: string, given: Record<string, unknown>): Reply => ({ toolCalls: [{ name, arguments: given }] });

type Update = { sessionUpdate: string } & Record<string, unknown>;

/** The capabilities of an editor, in any version. */
interface Editor extends AsyncDisposable {
  computer: TestComputer;
  request(method: string, params: object): Promise<any>;
  updates: Update[];
  /** Unsaved texts, by path. */
  buffers: Map<string, string>;
  /** What the agent wrote through the editor, by path. */
  written: Map<string, string>;
  terminals: EditorTerminals;
}

const TERMINALS = { terminal: true };
const FILES = { fs: { readTextFile: true, writeTextFile: true } };

/** The program at the other end of an editor's pipes. */
async function editor(script: Script, connect: typeof connectCurrent, capabilities: object = {}): Promise<Editor> {
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
  const side: Side = { updates: [], buffers: new Map(), written: new Map(), terminals: editorTerminals() };
  const { request, close } = connect(side, toAgent, fromAgent);
  await request('initialize', { protocolVersion: current.PROTOCOL_VERSION, clientCapabilities: capabilities });
  return {
    computer,
    ...side,
    request,
    async [Symbol.asyncDispose]() {
      close();
      toAgent.end();
      expect(await ended).toBe(0);
      side.terminals.end();
      await computer[Symbol.asyncDispose]();
    },
  };
}

interface Side {
  updates: Update[];
  buffers: Map<string, string>;
  written: Map<string, string>;
  terminals: EditorTerminals;
}

function write(side: Side, { path, content }: { path: string; content: string }): Record<string, never> {
  side.written.set(path, content);
  side.buffers.delete(path);
  writeFileSync(path, content);
  return {};
}

function read({ buffers }: Side, { path }: { path: string }): { content: string } {
  return { content: buffers.get(path) ?? readFileSync(path, 'utf8') };
}

/** Also the answer about an MCP server at its first call. */
const allowed = { outcome: { outcome: 'selected' as const, optionId: 'once' } };

function connectCurrent(side: Side, toAgent: Writable, fromAgent: Readable) {
  const { client: ours } = current.methods;
  const connection = current
    .client({ name: 'an editor' })
    .onNotification(ours.session.update, ({ params }) => void side.updates.push(params.update as Update))
    .onRequest(ours.session.requestPermission, () => allowed)
    .onRequest(ours.fs.readTextFile, ({ params }) => read(side, params))
    .onRequest(ours.fs.writeTextFile, ({ params }) => write(side, params))
    .onRequest(ours.terminal.create, ({ params }) => side.terminals.create(params))
    .onRequest(ours.terminal.output, ({ params }) => side.terminals.output(params))
    .onRequest(ours.terminal.waitForExit, ({ params }) => side.terminals.waitForExit(params))
    .onRequest(ours.terminal.kill, ({ params }) => side.terminals.kill(params))
    .onRequest(ours.terminal.release, ({ params }) => side.terminals.release(params))
    .connect(current.ndJsonStream(Writable.toWeb(toAgent) as never, Readable.toWeb(fromAgent) as never));
  return {
    request: (method: string, params: object): Promise<unknown> =>
      method === theirs.session.cancel
        ? connection.agent.notify(method as never, params as never)
        : connection.agent.request(method as never, params as never),
    close: () => connection.close(),
  };
}

/** The client of 0.29: a connection with a method for each request. */
function connectOlder(side: Side, toAgent: Writable, fromAgent: Readable): ReturnType<typeof connectCurrent> {
  const connection = new older.ClientSideConnection(
    () => ({
      sessionUpdate: async ({ update }) => void side.updates.push(update as Update),
      requestPermission: async () => allowed,
      readTextFile: async (params) => read(side, params),
      writeTextFile: async (params) => write(side, params),
      createTerminal: async (params) => side.terminals.create(params),
      terminalOutput: async (params) => side.terminals.output(params),
      waitForTerminalExit: (params) => side.terminals.waitForExit(params),
      killTerminal: async (params) => side.terminals.kill(params),
      releaseTerminal: async (params) => side.terminals.release(params),
    }),
    older.ndJsonStream(Writable.toWeb(toAgent) as never, Readable.toWeb(fromAgent) as never),
  );
  const methods: Record<string, (params: never) => Promise<unknown>> = {
    initialize: (params) => connection.initialize(params),
    'session/new': (params) => connection.newSession(params),
    'session/prompt': (params) => connection.prompt(params),
    'session/cancel': (params) => connection.cancel(params),
    'session/load': (params) => connection.loadSession(params),
    'session/set_mode': (params) => connection.setSessionMode(params),
    'session/set_config_option': (params) => connection.setSessionConfigOption(params),
  };
  return {
    request: (method: string, params: object) =>
      methods[method]?.(params as never) ?? Promise.reject(new Error(`no method ${method}`)),
    close: () => undefined,
  };
}

const CLIENTS = [
  ['the current SDK', connectCurrent],
  ['the SDK 0.29', connectOlder],
] as const;

const prompt = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: 'text', text }] });

async function open(e: Editor, mcpServers: object[] = [], modeId = 'workspace-write'): Promise<any> {
  const opened = await e.request('session/new', { cwd: e.computer.project.path, mcpServers });
  await e.request('session/set_mode', { sessionId: opened.sessionId, modeId });
  return opened;
}

async function until(is: () => boolean): Promise<void> {
  const ambient = systemAmbient('silent');
  while (!is()) await ambient.sleep(10);
}

describe.each(CLIENTS)('an editor with %s', (_name, connect) => {
  test('gets models, reasoning and modes as options and changes them before the first message', async () => {
    await using e = await editor(() => ({ text: 'ok' }), connect);
    const { sessionId, configOptions, modes } = await open(e);
    expect(configOptions).toMatchObject([
      { id: 'model', category: 'model', currentValue: 'ollama:tiny' },
      { id: 'effort', category: 'thought_level', currentValue: 'default' },
      { id: 'mode', category: 'mode', currentValue: 'on-request' },
    ]);
    expect(modes.currentModeId).toBe('on-request');
    const change = (configId: string, value: string) =>
      e.request('session/set_config_option', { sessionId, configId, value });
    const changed = await change('model', 'ollama:other');
    expect(changed.configOptions[0]).toMatchObject({ currentValue: 'ollama:other' });
    await change('effort', 'low');
    await expect(change('effort', 'odd')).rejects.toMatchObject({ code: -32602 });
    expect(await e.request('session/prompt', prompt(sessionId, 'go'))).toMatchObject({ stopReason: 'end_turn' });
    expect(e.computer.model.requests.at(-1)?.body).toMatchObject({ model: 'other' });
    await change('model', 'ollama:tiny');
    await e.request('session/prompt', prompt(sessionId, 'again'));
    expect(e.computer.model.requests.at(-1)?.body).toMatchObject({ model: 'tiny' });
  });

  test('gets the slash commands and runs one', async () => {
    await using e = await editor(() => ({ text: 'ok' }), connect);
    const { sessionId } = await open(e);
    await until(() => e.updates.some(({ sessionUpdate }) => sessionUpdate === 'available_commands_update'));
    const update = e.updates.find(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    expect(update?.availableCommands).toEqual(
      expect.arrayContaining([
        { name: 'cost', description: 'Show tokens and cost of the session' },
        { name: 'diff', description: expect.any(String), input: { hint: '[turn | session]' } },
      ]),
    );
    await e.request('session/prompt', prompt(sessionId, '/cost'));
    expect(JSON.stringify(e.updates)).toMatch(/Price unknown|Prezzo sconosciuto/);
    expect(e.computer.model.requests).toEqual([]);
  });

  test('opens and closes the port of a server in the sandbox with /ports', async () => {
    const port = await freePort();
    const serve = tool('shell', { comando: pageServerCommand(port, '<h1>Inside</h1>'), sfondo: true });
    await using e = await editor([serve, { text: 'It runs.' }], connect);
    const { sessionId } = await open(e, [], 'workspace-write');
    const ports = async (argument: string): Promise<string> => {
      e.updates.length = 0;
      await e.request('session/prompt', prompt(sessionId, `/ports ${argument}`.trim()));
      return JSON.stringify(e.updates);
    };
    expect(await ports('')).toContain('No servers run in the sandbox of this session.');
    await e.request('session/prompt', prompt(sessionId, 'serve it'));
    while (!(await ports('')).includes(`- ${port}: not open on this computer`)) await new Promise(setImmediate);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    expect(await ports(`open ${port}`)).toContain(`Port ${port} is open: http://127.0.0.1:${port}`);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toContain('Inside');
    expect(await ports('open 1')).toContain('No server of this session listens on port 1.');
    expect(await ports('shut')).toContain('Usage: /ports [open <port> | close <port>]');
    expect(await ports(`close ${port}`)).toContain(`Port ${port} is closed.`);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    expect(e.computer.model.requests).toHaveLength(2);
  });

  test('gets an error for a second prompt while a turn runs, and the turn continues', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await using e = await editor(async () => {
      await held;
      return { text: 'ok' };
    }, connect);
    const { sessionId } = await open(e);
    const first = e.request('session/prompt', prompt(sessionId, 'go'));
    await until(() => e.computer.model.requests.length === 1);
    await expect(e.request('session/prompt', prompt(sessionId, 'and'))).rejects.toMatchObject({
      code: -32600,
      data: { code: 'SESSION_NOT_READY', reason: 'turn-in-progress' },
    });
    release();
    expect(await first).toMatchObject({ stopReason: 'end_turn' });
  });

  test('is asked to sign in when the provider rejects the key', async () => {
    await using e = await editor([{ fault: { kind: 'status', status: 401, message: 'No.' } }], connect);
    const { sessionId } = await open(e);
    await expect(e.request('session/prompt', prompt(sessionId, 'go'))).rejects.toMatchObject({ code: -32000 });
  });

  test('reads and edits unsaved buffers and writes files itself', async () => {
    await using e = await editor(
      [
        tool('leggi', { percorso: 'a.txt' }),
        tool('file_edit', { percorso: 'a.txt', vecchio: 'unsaved', nuovo: 'edited' }),
        { text: 'ok' },
      ],
      connect,
      FILES,
    );
    const path = join(e.computer.project.path, 'a.txt');
    writeFileSync(path, 'on disk\n');
    e.buffers.set(path, 'an unsaved line\n');
    const { sessionId } = await open(e);
    await e.request('session/prompt', prompt(sessionId, 'go'));
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('an unsaved line');
    expect(e.written.get(path)).toBe('an edited line\n');
    expect(readFileSync(path, 'utf8')).toBe('an edited line\n');
  });

  test('runs the commands of a session at Full access in its terminals', async () => {
    const command = 'echo "in $IN_EDITOR"; sleep 0.3; echo wrong >&2; exit 3';
    await using e = await editor([tool('shell', { comando: command }), { text: 'ok' }], connect, TERMINALS);
    const { sessionId } = await open(e, [], 'full-access');
    expect(await e.request('session/prompt', prompt(sessionId, 'go'))).toMatchObject({ stopReason: 'end_turn' });
    const [[terminalId, terminal] = []] = [...e.terminals.opened];
    expect(terminal).toMatchObject({ isReleased: true, isKilled: false });
    expect(terminal?.asked).toMatchObject({ cwd: e.computer.project.path, args: expect.arrayContaining([command]) });
    const sent = JSON.stringify(e.computer.model.requests.at(-1)?.body);
    expect(sent).toContain('Exit code 3');
    expect(sent).toMatch(/in yes.*wrong/);
    const shown = e.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'));
    expect(shown[0]).toMatchObject({ sessionUpdate: 'tool_call', kind: 'execute' });
    expect(shown.filter(({ content }) => content)).toMatchObject([{ content: [{ type: 'terminal', terminalId }] }]);
    expect(shown.at(-1)).toMatchObject({ status: 'failed' });
    // The session's journal contains the command as one of the agent's own.
    e.updates.length = 0;
    await e.request('session/load', { sessionId, cwd: e.computer.project.path, mcpServers: [] });
    const recorded = JSON.stringify(e.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update'));
    expect(recorded).toContain('in yes\\nwrong\\n');
    expect(recorded).toContain('Exit code 3');
    expect(e.terminals.opened.size).toBe(1);
  });

  test('leaves the commands of a session below Full access to the sandbox', async () => {
    const script: Script = [tool('shell', { comando: 'echo "in ${IN_EDITOR:-sandbox}"' }), { text: 'ok' }];
    await using e = await editor(script, connect, TERMINALS);
    const { sessionId } = await open(e);
    await e.request('session/prompt', prompt(sessionId, 'go'));
    expect(e.terminals.opened.size).toBe(0);
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('in sandbox');
  });

  test('has a command killed and its terminal released when the turn is stopped', async () => {
    await using e = await editor(
      [tool('shell', { comando: 'echo begun; sleep 60' }), { text: 'ok' }],
      connect,
      TERMINALS,
    );
    const { sessionId } = await open(e, [], 'full-access');
    const turn = e.request('session/prompt', prompt(sessionId, 'go'));
    await until(() => [...e.terminals.opened.values()].some(({ output }) => output === 'begun\n'));
    await e.request('session/cancel', { sessionId });
    expect(await turn).toMatchObject({ stopReason: 'cancelled' });
    const [terminal] = e.terminals.opened.values();
    expect(terminal).toMatchObject({ isKilled: true, isReleased: true });
    expect(terminal?.child.signalCode).toBe('SIGTERM');
  });

  test('has a command run by the agent when it opens no terminal', async () => {
    const script: Script = [tool('shell', { comando: 'echo "in ${IN_EDITOR:-agent}"' }), { text: 'ok' }];
    await using e = await editor(script, connect, TERMINALS);
    e.terminals.refuses = true;
    const { sessionId } = await open(e, [], 'full-access');
    await e.request('session/prompt', prompt(sessionId, 'go'));
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('in agent');
    expect(JSON.stringify(e.updates)).toContain('in agent');
  });

  test('gets no command that is to run in the background', async () => {
    const script: Script = [tool('shell', { comando: 'echo "in ${IN_EDITOR:-agent}"', sfondo: true }), { text: 'ok' }];
    await using e = await editor(script, connect, TERMINALS);
    const { sessionId } = await open(e, [], 'full-access');
    await e.request('session/prompt', prompt(sessionId, 'go'));
    expect(e.terminals.opened.size).toBe(0);
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('in agent');
  });

  test('has its stdio server started for its session only', async () => {
    const script: Script = ({ body }) => {
      const text = JSON.stringify(body);
      return text.includes('"role":"tool"') ? { text: 'ok' } : tool('mcp__my-echo__say', { words: 'heron' });
    };
    await using e = await editor(script, connect);
    const server = join(e.computer.project.path, '..', `echo-server.mjs`);
    writeFileSync(server, ECHO_SERVER);
    const { sessionId } = await open(e, [
      { name: 'my echo', command: process.execPath, args: [server], env: [{ name: 'ECHO_SECRET', value: 'kept-7' }] },
    ]);
    await e.request('session/prompt', prompt(sessionId, 'go'));
    expect(JSON.stringify(e.computer.model.requests.at(-1)?.body)).toContain('kept-7: heron');
    const other = await open(e);
    await e.request('session/prompt', prompt(other.sessionId, 'go'));
    expect(JSON.stringify(e.computer.model.requests.at(-2)?.body)).not.toContain('my-echo__say"');
  });

  test('has its session although its servers are not there', async () => {
    await using e = await editor(() => ({ text: 'ok' }), connect);
    const { sessionId } = await open(e, [
      { name: 'a', command: 'no-such-program', args: [], env: [] },
      { type: 'sse', name: 'b', url: 'http://example.com', headers: [] },
      { type: 'http', name: 'c', url: 'http://example.com', headers: [] },
    ]);
    expect(await e.request('session/prompt', prompt(sessionId, 'go'))).toMatchObject({
      stopReason: 'end_turn',
    });
  });
});

test('initialize says that the agent connects to http and sse servers and how to sign in', async () => {
  await using e = await editor([], connectCurrent);
  const about = await e.request(theirs.initialize, { protocolVersion: current.PROTOCOL_VERSION });
  expect(about).toMatchObject({
    agentCapabilities: { mcpCapabilities: { http: true, sse: true } },
    authMethods: [{ id: 'provider-key' }],
  });
  expect(await e.request(theirs.authenticate, { methodId: 'provider-key' })).toEqual({});
});

/** An MCP server with one tool that returns its input and a secret from its environment. */
const ECHO_SERVER = `import { createInterface } from 'node:readline';
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    return answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' } });
  if (method === 'tools/list')
    return answer(id, { tools: [{ name: 'say', description: 'Says it', inputSchema: { type: 'object', properties: { words: { type: 'string' } } } }] });
  if (method === 'tools/call')
    return answer(id, { content: [{ type: 'text', text: process.env.ECHO_SECRET + ': ' + params.arguments.words }] });
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'none' } }) + '\\n');
});
`;
