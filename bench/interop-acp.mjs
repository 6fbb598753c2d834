// Agents of others that Fucina runs over the Agent Client Protocol, as the provider `esterno`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolNames } from './interop-mcp.mjs';
import { startBench, tempFolder } from './lib.mjs';
import { claudeVariables, codexLines, environmentOf, opencodeVariables, placeIn, program } from './peer-drivers.mjs';

const LIMIT_MS = 60_000;
const STOP_MS = 10_000;
const SHOWN = 240;
const FILE = 'made.txt';

export function acpAgents(folder) {
  return [claude(folder), codex(folder), gemini(folder), opencode(folder)].filter(
    ({ version }) => version !== undefined,
  );
}

const packageVersion = (folder, name) => {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
};

function claude(folder) {
  const name = '@agentclientprotocol/claude-agent-acp';
  return {
    name: 'claude-agent-acp',
    version: packageVersion(folder, name),
    calls: [{ name: 'Bash', arguments: { command: `echo made > ${FILE}`, description: 'Make a file' } }],
    start: (place) => ({
      argv: [process.execPath, join(folder, 'node_modules', name, 'dist', 'index.js')],
      env: { ...claudeVariables(place), ANTHROPIC_MODEL: 'bench' },
    }),
  };
}

function codex(folder) {
  const name = '@agentclientprotocol/codex-acp';
  const escalated = { sandbox_permissions: 'require_escalated', justification: 'The folder can only be read.' };
  return {
    name: 'codex-acp',
    version: packageVersion(folder, name),
    calls: [{ name: 'exec_command', arguments: { cmd: `echo made > ${FILE}`, ...escalated } }],
    start({ url, home }) {
      writeFileSync(join(home, 'config.toml'), `${codexLines(url).join('\n')}\n`);
      // Codex refuses a home inside the folder for temporary files.
      const env = { CODEX_HOME: home, TMPDIR: join(home, 'tmp'), INITIAL_AGENT_MODE: 'read-only' };
      mkdirSync(env.TMPDIR);
      return { argv: [process.execPath, join(folder, 'node_modules', name, 'dist', 'index.js')], env };
    },
  };
}

function gemini(folder) {
  return {
    name: 'Gemini CLI',
    version: packageVersion(folder, '@google/gemini-cli'),
    note: 'It reports no tokens in the fields of the protocol.',
    reportsTokens: false,
    calls: [{ name: 'run_shell_command', arguments: { command: `echo made > ${FILE}`, description: 'Make a file' } }],
    start({ url, home }) {
      mkdirSync(join(home, '.gemini'));
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        model: { name: 'bench' },
        privacy: { usageStatisticsEnabled: false },
      };
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return {
        argv: [process.execPath, program(folder, 'gemini'), '--experimental-acp'],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url },
      };
    },
  };
}

function opencode(folder) {
  return {
    name: 'opencode acp',
    version: packageVersion(folder, 'opencode-ai'),
    calls: [{ name: 'bash', arguments: { command: `echo made > ${FILE}`, description: 'Make a file' } }],
    start: ({ url }) => ({
      argv: [program(folder, 'opencode'), 'acp', '--pure'],
      env: opencodeVariables(url, { permission: { bash: 'ask', edit: 'ask' } }),
    }),
  };
}

/** A turn with a tool call that is asked of the user, and a turn of a model that hangs, stopped by the user. */
export async function runBehindFucina(agent) {
  const { createModelServer } = await import('../packages/testkit/dist/index.js');
  const data = tempFolder();
  const lines = [];
  let isHanging = false;
  let done = 0;
  const model = await createModelServer({ script: (request) => answer(request) });
  const bench = await startBench(undefined);
  const shown = (text) =>
    text.replaceAll(bench.project, '<folder>').replaceAll(data.path, '<home>').replaceAll('\n', ' ⏎ ').slice(0, SHOWN);

  function answer({ body, lastRole, lastText }) {
    if (!toolNames(body).includes(agent.calls.at(-1).name)) return { text: 'A title' };
    if (isHanging) return { fault: { kind: 'hang' } };
    if (lastRole === 'tool') {
      done += 1;
      lines.push(`← ${shown(lastText)}`);
    }
    const call = agent.calls[done];
    if (!call) return { text: ['The file ', 'is made.'] };
    lines.push(`→ ${call.name} ${JSON.stringify(call.arguments)}`);
    return { reasoning: 'A file is wanted.', toolCalls: [call] };
  }

  try {
    const place = placeIn(data.path, model.url);
    const { argv, env } = agent.start(place);
    const words = Object.entries(environmentOf(place.home, env)).map(([name, value]) => `${name}=${value}`);
    const agente = { command: '/usr/bin/env', args: ['-i', ...words, ...argv], settings: {} };
    await bench.api('POST', '/providers/esterno/runtime', { agente });
    const { agente: about } = await bench.api('POST', '/providers/esterno/test');
    lines.push(`test of the provider: ${about?.nome} ${about?.versione}, signed in: ${about?.accessoEffettuato}`);
    const events = await firstTurn(bench, (event) => lines.push(...shownEvent(event).map(shown)));
    const file = join(bench.project, FILE);
    isHanging = true;
    const stopped = await hangingTurn(bench);
    lines.push(`a turn of a hanging model, stopped: ${stopped.code}, after ${Math.round(stopped.ms / 100) / 10} s`);
    const receipt = events.find(({ name }) => name === 'svc.ricevuta-consumo')?.value.usage;
    return {
      lines,
      checks: [
        { what: 'starts and is signed in', isMet: about?.accessoEffettuato === true },
        { what: 'its thoughts', isMet: events.some(({ type }) => type === 'ReasoningMessageContent') },
        { what: 'its question as an approval', isMet: events.some(({ type }) => type === 'ApprovalRequested') },
        { what: 'its work', isMet: existsSync(file) && readFileSync(file, 'utf8') === 'made\n' },
        { what: 'its answer', isMet: textOf(events).includes('The file is made.') },
        ...(agent.reportsTokens === false ? [] : [{ what: 'its tokens', isMet: receipt?.prompt_tokens > 0 }]),
        { what: 'stopped while it hangs', isMet: stopped.code === 'fermato' && stopped.ms < STOP_MS },
      ],
    };
  } finally {
    await bench.close();
    await model.close();
    data.remove();
  }
}

const textOf = (events) => events.map(({ type, delta }) => (type === 'TextMessageContent' ? delta : '')).join('');

async function firstTurn(bench, onEvent) {
  const request = {
    cartellaLibera: bench.project,
    consegna: `Make the file ${FILE}.`,
    modello: 'esterno:agente',
    permessi: 'On request',
  };
  const { sessionId } = await bench.api('POST', '/sessions/custom', request);
  return settled(bench, { sessionId, onEvent });
}

/** Follows the turn to its end and says yes to what it asks. */
async function settled(bench, { sessionId, from = 0, onEvent = () => undefined }) {
  let seen = from;
  for (const until = Date.now() + LIMIT_MS; Date.now() < until; ) {
    const { eventi } = await bench.api('GET', `/sessions/${sessionId}/export`);
    for (const event of eventi.slice(seen)) {
      onEvent(event);
      if (event.type !== 'ApprovalRequested') continue;
      await bench.api('POST', `/sessions/${sessionId}/approve`, { requestId: event.requestId, approvato: true });
    }
    seen = eventi.length;
    if (/^Run(Finished|Error)$/.test(eventi.slice(from).at(-1)?.type)) return eventi.slice(from);
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error('the turn did not end in time');
}

async function hangingTurn(bench) {
  const [{ sessionId }] = (await bench.api('GET', '/sessions')).items;
  const { eventi } = await bench.api('GET', `/sessions/${sessionId}/export`);
  await bench.api('POST', `/sessions/${sessionId}/resume`, { messaggio: 'Once more.' });
  await new Promise((wake) => setTimeout(wake, 2_000));
  const from = Date.now();
  await bench.api('POST', `/sessions/${sessionId}/stop`);
  const events = await settled(bench, { sessionId, from: eventi.length });
  return { code: events.at(-1).code, ms: Date.now() - from };
}

/** What a reader wants to see of an event. */
function shownEvent({ type, name, delta, azione, value, code }) {
  if (delta !== undefined && typeof delta === 'string') return [`event ${type}: ${delta}`];
  if (type === 'ApprovalRequested') return [`event ${type}: ${azione.tipo} ${azione.titolo}`, 'the user says yes'];
  if (name === 'svc.ricevuta-consumo') return [`event ${name}: ${JSON.stringify(value.usage)}`];
  return type.startsWith('Run') ? [`event ${type}${code ? ` ${code}` : ''}`] : [];
}
