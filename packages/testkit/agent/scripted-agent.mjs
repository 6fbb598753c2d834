// An agent of the Agent Client Protocol (version 1) that follows its first argument, a JSON object: { initialize?,
// newSession?, turns: Step[][] }. A step is an object with one of the names in STEPS; the result of its own requests is
// sent as text for the test. `initialize` and `newSession` may be { error: code } or 'hang'.
import { createInterface } from 'node:readline';

const script = JSON.parse(process.argv[2] ?? '{"turns":[]}');
const waiting = new Map();
let lastId = 0;
let turns = 0;
let onCancel;
let reported;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (body) => send({ method: 'session/update', params: { sessionId: 'scripted', update: body } });
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

function ask(method, params) {
  const id = ++lastId;
  send({ id: `agent-${id}`, method, params: { sessionId: 'scripted', ...params } });
  return new Promise((resolve) => waiting.set(`agent-${id}`, resolve));
}

const STEPS = {
  say,
  think: (text) => update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }),
  call: (title) => update({ sessionUpdate: 'tool_call', toolCallId: `call-${++lastId}`, title, status: 'pending' }),
  mode: (currentModeId) => update({ sessionUpdate: 'current_mode_update', currentModeId }),
  plan: (entries) =>
    update({
      sessionUpdate: 'plan',
      entries: entries.map((content) => ({ content, priority: 'medium', status: 'pending' })),
    }),
  async read(path) {
    const { result, error } = await ask('fs/read_text_file', typeof path === 'string' ? { path } : path);
    say(error ? `read failed: ${error.message}` : `read: ${result.content}`);
  },
  async write({ path, content }) {
    const { error } = await ask('fs/write_text_file', { path, content });
    say(error ? `write failed: ${error.message}` : 'written');
  },
  async run(request) {
    const { result, error } = await ask('terminal/create', request);
    if (error) return say(`run failed: ${error.message}`);
    const { terminalId } = result;
    const exit = await ask('terminal/wait_for_exit', { terminalId });
    const output = await ask('terminal/output', { terminalId });
    await ask('terminal/release', { terminalId });
    return say(`exit ${exit.result.exitCode}: ${output.result.output}`);
  },
  async permission({ kind, title, rawInput, path, options }) {
    const toolCall = { toolCallId: `ask-${++lastId}`, kind, title, rawInput, ...(path && { locations: [{ path }] }) };
    const offered = options ?? ['allow_always', 'allow_once', 'reject_once'];
    const { result } = await ask('session/request_permission', {
      toolCall,
      options: offered.map((name) => ({ optionId: name, name, kind: name })),
    });
    say(`permission: ${result.outcome.optionId ?? result.outcome.outcome}`);
  },
  echo: (_on, prompt) => say(prompt.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('|')),
  wait: () =>
    new Promise((resolve) => {
      onCancel = resolve;
    }),
  deaf: () => new Promise(() => {}),
  exit: (code) => process.exit(code),
  usage({ costUsd, ...tokens }) {
    if (costUsd !== undefined)
      update({ sessionUpdate: 'usage_update', used: 1, size: 1, cost: { amount: costUsd, currency: 'USD' } });
    reported = tokens;
  },
  noise: (text) => process.stdout.write(text),
  flood: (count) => {
    for (let sent = 0; sent < count; sent += 1) say('word ');
  },
};

async function turn(prompt) {
  const steps = script.turns[turns++] ?? [{ say: 'done' }];
  reported = undefined;
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    if (name === 'stop') return { result: { stopReason: value } };
    if (name === 'error') return { error: { code: value, message: 'scripted' } };
    await STEPS[name](value, prompt);
  }
  return { result: { stopReason: onCancel ? 'cancelled' : 'end_turn', ...(reported && { usage: reported }) } };
}

async function answer({ id, method, params }) {
  if (method === 'initialize') {
    if (script.initialize === 'hang') return;
    if (script.initialize) return send({ id, error: { code: script.initialize.error, message: 'scripted' } });
    return send({
      id,
      result: {
        protocolVersion: script.version ?? 1,
        ...(script.about && { agentInfo: script.about }),
        agentCapabilities: { promptCapabilities: { image: script.images === true } },
      },
    });
  }
  if (method === 'session/new') {
    if (script.newSession) return send({ id, error: { code: script.newSession.error, message: 'scripted' } });
    return send({ id, result: { sessionId: 'scripted' } });
  }
  if (method === 'session/prompt') return send({ id, ...(await turn(params.prompt)) });
  return send({ id, error: { code: -32601, message: 'no such method' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'session/cancel') return onCancel?.();
  if (message.method) return void answer(message);
  waiting.get(message.id)?.(message);
  return waiting.delete(message.id);
});
process.stdin.on('end', () => process.exit(0));
