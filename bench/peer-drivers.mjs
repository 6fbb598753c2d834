// How each peer is started and asked for a turn, by its documented options alone. Nothing of them leaves this computer:
// their way out leads to a closed port.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from './lib.mjs';

const NOWHERE = 'http://127.0.0.1:9';

/** The environment of another agent: settings and state in a folder of its own, no key of the user, no way out. */
export function environmentOf(home, more) {
  const xdg = ['CONFIG', 'DATA', 'STATE', 'CACHE'].map((name) => [`XDG_${name}_HOME`, join(home, name.toLowerCase())]);
  return {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    HOME: home,
    ...Object.fromEntries(xdg),
    HTTPS_PROXY: NOWHERE,
    HTTP_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1,localhost',
    ...more,
  };
}

const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Ends with this process at the latest. */
function begin(command, options) {
  const child = spawn(command[0], command.slice(1), options);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A program that takes and gives one JSON object a line. `deltaOf`: the text of a line that is a delta, not parsed. */
function talkByLines(command, { env, cwd, deltaOf = () => undefined }) {
  const startedAt = nowMs();
  const child = begin(command, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Set();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.startsWith('{'))) {
      const delta = deltaOf(line);
      if (delta !== undefined) {
        talk.onDelta?.(delta);
        continue;
      }
      const message = JSON.parse(line);
      for (const one of waiting) if (one.fits(message)) one.settle(message);
    }
  });
  const seen = (fits) =>
    new Promise((settle, fail) => {
      const one = { fits, settle: (message) => (waiting.delete(one), settle(message)), fail };
      waiting.add(one);
    });
  child.once('exit', (code) => {
    for (const { fail } of waiting) fail(new Error(`${command[0]} ended with ${code}`));
  });
  const stop = () =>
    new Promise((done) => {
      child.removeAllListeners('exit');
      child.once('exit', done);
      child.kill('SIGTERM');
    });
  const talk = { startedAt, seen, stop, send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`) };
  return talk;
}

/** The text of the first `"delta"` of a line that begins like this. */
export const deltaAfter = (begin) => (line) =>
  line.startsWith(begin) ? /"delta":"([^"]*)"/.exec(line)?.[1] : undefined;

export const program = (folder, name) => join(folder, 'node_modules', '.bin', name);
/** Some say it on standard error. */
export function versionOf(path) {
  const { stdout, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  return /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0];
}

/** What pi calls the wires. */
const PI_WIRES = { chat: 'openai-completions', messages: 'anthropic-messages', responses: 'openai-responses' };

function pi(folder) {
  const path = program(folder, 'pi');
  const prepare = ({ url, home, wire = 'chat', window, reasons = false }) => {
    const model = { id: 'bench', reasoning: reasons, ...(window && { contextWindow: window, maxTokens: window / 4 }) };
    const provider = { baseUrl: `${url}/v1`, api: PI_WIRES[wire], apiKey: 'none', models: [model] };
    writeFileSync(join(home, 'models.json'), JSON.stringify({ providers: { bench: provider } }));
    return environmentOf(home, { PI_CODING_AGENT_DIR: home, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' });
  };
  const options = ['--provider', 'bench', '--model', 'bench'];
  return {
    name: 'pi',
    wires: Object.keys(PI_WIRES),
    version: versionOf(path),
    toolCall: { name: 'bash', arguments: { command: 'echo bench' } },
    async start(place) {
      const deltaOf = deltaAfter('{"type":"message_update","assistantMessageEvent":{"type":"text_delta"');
      const command = [path, '--mode', 'rpc', ...options];
      const talk = talkByLines(command, { env: prepare(place), cwd: place.project, deltaOf });
      const ready = talk.seen(({ command }) => command === 'get_state');
      talk.send({ type: 'get_state' });
      await ready;
      return {
        readyMs: nowMs() - talk.startedAt,
        stop: talk.stop,
        reportsDeltas: true,
        async turn(onDelta) {
          talk.onDelta = onDelta;
          const end = talk.seen(({ type }) => type === 'agent_end');
          talk.send({ type: 'prompt', message: 'again' });
          await end;
        },
      };
    },
    oneShot: (place) => ({ argv: [path, ...options, '-p', 'go'], env: prepare(place) }),
  };
}

/** The lines of Codex's settings with the model of the bench; they end in a table. */
export function codexLines(url) {
  return [
    'model = "bench"',
    'model_provider = "bench"',
    '[analytics]',
    'enabled = false',
    '[model_providers.bench]',
    'name = "bench"',
    `base_url = "${url}/v1"`,
    'wire_api = "responses"',
  ];
}

function codex(folder) {
  const path = program(folder, 'codex');
  const prepare = ({ url, home, window }, mcp) => {
    const lines = [
      ...(window ? [`model_context_window = ${window}`] : []),
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      ...codexLines(url),
      ...(mcp ? ['[mcp_servers.fucina]', `command = "${mcp.command}"`, `args = ${JSON.stringify(mcp.args)}`] : []),
      ...(mcp ? ['[mcp_servers.fucina.env]'] : []),
      ...Object.entries(mcp?.env ?? {}).map(([name, value]) => `${name} = "${value}"`),
    ];
    writeFileSync(join(home, 'config.toml'), `${lines.join('\n')}\n`);
    return environmentOf(home, { CODEX_HOME: home });
  };
  return {
    name: 'Codex',
    wires: ['responses'],
    version: versionOf(path),
    toolCall: { name: 'exec_command', arguments: { cmd: 'echo bench' } },
    async start(place) {
      const deltaOf = deltaAfter('{"method":"item/agentMessage/delta"');
      const talk = talkByLines([path, 'app-server'], { env: prepare(place), cwd: place.project, deltaOf });
      let count = 0;
      const ask = (method, params) => {
        const id = ++count;
        const answer = talk.seen((message) => message.id === id && message.method === undefined);
        talk.send({ method, id, params });
        return answer;
      };
      await ask('initialize', { clientInfo: { name: 'bench', title: 'bench', version: '1' } });
      const readyMs = nowMs() - talk.startedAt;
      talk.send({ method: 'initialized' });
      const { result } = await ask('thread/start', { cwd: place.project });
      const threadId = result.thread.id;
      return {
        readyMs,
        stop: talk.stop,
        reportsDeltas: true,
        async turn(onDelta) {
          talk.onDelta = onDelta;
          const end = talk.seen(({ method }) => method === 'turn/completed');
          await ask('turn/start', { threadId, input: [{ type: 'text', text: 'again' }] });
          await end;
        },
      };
    },
    oneShot: (place, { prompt = 'go', mcp } = {}) => ({
      argv: [path, 'exec', '--skip-git-repo-check', prompt],
      env: prepare(place, mcp),
    }),
  };
}

export function claudeVariables({ url, home }) {
  return {
    CLAUDE_CONFIG_DIR: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

function claude(folder) {
  const path = program(folder, 'claude');
  const prepare = ({ url, home }) => environmentOf(home, claudeVariables({ url, home }));
  const options = ['--model', 'bench', '--allowedTools', 'Bash'];
  const lines = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  return {
    name: 'Claude Code',
    wires: ['messages'],
    version: versionOf(path),
    toolCall: { name: 'Bash', arguments: { command: 'echo bench', description: 'bench' } },
    async start(place) {
      const talk = talkByLines([path, '-p', ...lines, ...options], { env: prepare(place), cwd: place.project });
      const turn = async () => {
        const end = talk.seen(({ type }) => type === 'result');
        talk.send({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'again' }] } });
        await end;
      };
      // It says nothing before it is asked: its first answer is all that tells of its start.
      await turn();
      return { readyMs: null, stop: talk.stop, turn };
    },
    oneShot(place, { prompt = 'go', mcp } = {}) {
      const file = join(place.home, 'mcp.json');
      if (mcp) writeFileSync(file, JSON.stringify({ mcpServers: { fucina: mcp } }));
      const more = mcp ? ['mcp__fucina', '--mcp-config', file] : [];
      return { argv: [path, '-p', prompt, ...options, ...more], env: prepare(place) };
    },
  };
}

/** opencode with the model of the bench, in the environment; `more`: of its configuration; `window`: in tokens. */
export function opencodeVariables(url, more, window) {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${url}/v1`, apiKey: 'none' },
    models: { bench: { name: 'bench', ...(window && { limit: { context: window, output: window / 4 } }) } },
  };
  const config = {
    provider: { bench: provider },
    model: 'bench/bench',
    small_model: 'bench/bench',
    share: 'disabled',
    autoupdate: false,
    ...more,
  };
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  };
}

function opencode(folder) {
  const path = program(folder, 'opencode');
  const prepare = ({ url, home, window }, mcp) => {
    const command = mcp && [mcp.command, ...mcp.args];
    const servers = mcp && { mcp: { fucina: { type: 'local', command, environment: mcp.env, enabled: true } } };
    return environmentOf(home, opencodeVariables(url, { permission: { bash: 'allow' }, ...servers }, window));
  };
  return {
    name: 'opencode',
    wires: ['chat'],
    version: versionOf(path),
    toolCall: { name: 'bash', arguments: { command: 'echo bench', description: 'bench' } },
    async start(place) {
      // Below those that outgoing connections take.
      const port = 20_000 + Math.floor(Math.random() * 12_000);
      const startedAt = nowMs();
      const command = [path, 'serve', '--pure', '--port', String(port)];
      const child = begin(command, { env: prepare(place), cwd: place.project, stdio: 'ignore' });
      const ask = async (way, body, limitMs = 60_000) => {
        const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        const options = { ...sent, signal: AbortSignal.timeout(limitMs) };
        return (await fetch(`http://127.0.0.1:${port}${way}`, options)).json();
      };
      // What it is asked as soon as its port is open it never answers.
      await untilAnswered(() => ask('/session', undefined, 1_000));
      const readyMs = nowMs() - startedAt;
      const { id } = await ask('/session', '{}');
      const parts = [{ type: 'text', text: 'again' }];
      const message = JSON.stringify({ model: { providerID: 'bench', modelID: 'bench' }, parts });
      return {
        readyMs,
        turn: () => ask(`/session/${id}/message`, message),
        stop: () => new Promise((done) => (child.once('exit', done), child.kill('SIGTERM'))),
      };
    },
    oneShot: (place, { prompt = 'go', mcp } = {}) => ({
      argv: [path, 'run', '--pure', prompt],
      env: prepare(place, mcp),
    }),
  };
}

async function untilAnswered(ask) {
  for (const until = nowMs() + 30_000; ; ) {
    try {
      return await ask();
    } catch (error) {
      if (nowMs() > until) throw error;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/** A folder for settings and state, and one to work in. */
export function placeIn(path, url) {
  const [home, project] = [join(path, 'home'), join(path, 'project')];
  for (const one of [home, project]) mkdirSync(one, { recursive: true });
  return { url, home, project };
}

/** Those whose program is there. */
export function peersIn(folder) {
  return [pi(folder), codex(folder), claude(folder), opencode(folder)].filter(({ version }) => version !== undefined);
}
