// Agents of others that start and read a Fucina session over MCP, on standard streams.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { tempFolder } from './lib.mjs';
import { peersIn, placeIn } from './peer-drivers.mjs';

const LIMIT_MS = 120_000;
const SHOWN = 300;
/** As each program names a tool of an MCP server. */
const NAMES = {
  'Claude Code': (tool) => `mcp__fucina__${tool}`,
  Codex: (tool) => `mcp__fucina/${tool}`,
  opencode: (tool) => `fucina_${tool}`,
};

export function mcpClients(folder) {
  return peersIn(folder).filter(({ name }) => NAMES[name] !== undefined);
}

/** The scripted model of the program starts a session, waits for it and reads its changes; the session has its own. */
export async function askOverMcp(program) {
  const { createModelServer } = await import('../packages/testkit/dist/index.js');
  const data = tempFolder();
  const lines = [];
  const offered = new Set();
  const results = [];
  const nameOf = NAMES[program.name];
  const model = await createModelServer({ script: (request) => answer(request) });
  const place = placeIn(data.path, model.url);
  const calls = [
    {
      tool: 'start_session',
      arguments: { folder: place.project, message: 'Make the file made.txt.', model: 'ollama:inner' },
    },
    { tool: 'wait_for_session', arguments: () => ({ sessionId: sessionIn(results[0]) }) },
    { tool: 'read_changes', arguments: () => ({ sessionId: sessionIn(results[0]) }) },
  ];

  function answer({ model: asked, body, lastRole, lastText }) {
    if (asked === 'inner') return innerAnswer(lastRole);
    const names = toolNames(body).filter((name) => name.includes('fucina'));
    if (!names.length) return { text: 'A title' };
    for (const name of names) offered.add(name);
    if (lastRole === 'tool') {
      results.push(lastText);
      lines.push(`← ${shown(lastText)}`);
    }
    const call = calls[results.length];
    if (!call) return { text: 'The session made the file.' };
    const given = typeof call.arguments === 'function' ? call.arguments() : call.arguments;
    lines.push(`→ ${nameOf(call.tool)} ${shown(JSON.stringify(given))}`);
    return { toolCalls: [{ name: nameOf(call.tool), arguments: given }] };
  }

  const shown = (text) => text.replaceAll(data.path, '<folder>').replaceAll('\n', ' ⏎ ').slice(0, SHOWN);
  try {
    const home = join(data.path, 'fucina');
    const env = {
      FUCINA_DATA_DIR: home,
      FUCINA_CONFIG_DIR: home,
      FUCINA_KEY_STORE: 'memory',
      FUCINA_PUBLIC_CATALOG: '0',
    };
    const fucina = join(root, 'apps/cli/dist/main.js');
    spawnSync(process.execPath, [fucina, 'provider', 'set-address', 'ollama', model.url], {
      env: { ...process.env, ...env },
    });
    const mcp = { command: process.execPath, args: [fucina, 'mcp', 'serve'], env };
    const { argv, env: own } = program.oneShot(place, { prompt: 'Let Fucina make the file made.txt.', mcp });
    lines.push(
      `$ ${argv
        .slice(1)
        .map((word) => shown(word))
        .join(' ')}`.replace(/^\$ /, `$ ${program.name.toLowerCase().split(' ')[0]} `),
    );
    const { code, output } = await ended(
      spawn(argv[0], argv.slice(1), { env: own, cwd: place.project, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    lines.push(`output: ${shown(output.trim().split('\n').at(-1) ?? '')}`, `exit ${code}`);
    lines.splice(
      1,
      0,
      `tools offered to the model: ${[...offered].sort((one, other) => one.localeCompare(other)).join(', ')}`,
    );
    return {
      lines,
      checks: [
        { what: 'lists the tools', isMet: offered.size > 0 },
        { what: 'starts a session', isMet: sessionIn(results[0]) !== undefined },
        { what: 'waits for it', isMet: results[1]?.includes('The file is made.') === true },
        { what: 'reads its changes', isMet: results[2]?.includes('made.txt') === true },
        { what: 'ends well', isMet: code === 0 },
      ],
    };
  } finally {
    await model.close();
    data.remove();
  }
}

function innerAnswer(lastRole) {
  if (lastRole === 'tool') return { text: 'The file is made.' };
  return { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'made.txt', contenuto: 'made\n' } }] };
}

/** Codex offers a namespace with the tools in it. */
export function toolNames({ tools = [] }) {
  return tools.flatMap(({ name, type, function: inner, functionDeclarations, tools: within }) =>
    functionDeclarations
      ? functionDeclarations.map((each) => each.name)
      : within
        ? within.map((each) => `${name}/${each.name}`)
        : [name ?? inner?.name ?? type],
  );
}

const sessionIn = (text) => /"sessionId"\s*:\s*"([^"]+)"/.exec(text ?? '')?.[1];

export function ended(child) {
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  return new Promise((done) =>
    child.once('close', (code) => {
      clearTimeout(timer);
      done({ code, output });
    }),
  );
}
