import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createModelServer, type ScriptedToolCall } from '@fucina/testkit';
import { CONFIG, environmentOf, HOME, PLUGIN, PROJECT, TOKEN, writeProject } from './project.ts';

// Makes `folder/` with the built server of another checkout, whose folder is the argument: see README.md.
const checkout = process.argv[2];
if (!checkout) throw new Error('usage: make.ts <folder of a built checkout>');
const DATA = join(HOME, 'data');
const KEPT = join(import.meta.dirname, 'folder');
const KEPT_CONFIG = join(import.meta.dirname, 'config');
/** Not the user's, or made anew at each start. */
const LEFT_OUT = /^(locks|tmp|reserve|outputs|favicons|browser|models|damaged|.*-wal|.*-shm)$/;

await writeProject();

const model = await createModelServer({ script: () => ({ text: 'Done.' }) });
const server = spawn(
  process.execPath,
  [
    join(checkout, 'apps/server/dist/main.js'),
    '--port=0',
    `--data-dir=${DATA}`,
    '--key-store=memory',
    '--public-catalog=0',
  ],
  {
    env: { ...environmentOf(process.env), FUCINA_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
// A failure ends the server as well.
process.once('exit', () => server.kill('SIGKILL'));
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const { url } = JSON.parse(String(line)) as { url: string };

async function call(method: string, path: string, body?: object): Promise<any> {
  const reply = await fetch(new URL(`api/v1${path}`, url), {
    method,
    headers: { cookie: `svc_token=${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text).data;
}
async function until<Value>(look: () => Promise<Value | null | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
/** A session that makes these calls and is allowed each in its scope. */
async function session(fields: object, calls: ScriptedToolCall[], ambito?: string): Promise<string> {
  const left = [...calls];
  model.script(() => {
    const next = left.shift();
    return next ? { toolCalls: [next] } : { text: 'Done.' };
  });
  const body = { cartellaLibera: PROJECT, modello: 'ollama:tiny', ...fields };
  const { sessionId } = await call('POST', '/sessions/custom', body);
  await until(async () => {
    const { pending } = await call('GET', `/sessions/${sessionId}/pending`);
    if (pending)
      await call('POST', `/sessions/${sessionId}/approve`, {
        requestId: pending.requestId,
        approvato: true,
        ...(ambito && { ambito }),
      });
    const row = (await call('GET', '/sessions')).items.find((one: any) => one.sessionId === sessionId);
    return row.conclusa;
  });
  return sessionId;
}

const here = { cartella: PROJECT };
await call('POST', '/providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 30 });
for (const regola of ['Network(ruled.example)', 'Write(.vscode/tasks.json)'])
  await call('POST', '/ext/sandbox/regole', { ...here, regola });
await call('POST', '/ext/sandbox/regole', { regola: 'Network(everywhere.example)' });
await call('POST', '/ext/mcp', {
  nome: 'mine',
  ambito: 'progetto',
  ...here,
  definizione: { comando: 'older-mcp', argomenti: [], ambiente: {}, intestazioni: {} },
});
await call('POST', '/ext/mcp/mine/scelte', { ambito: 'progetto', ...here, strumentiSpenti: ['quiet'] });
await call('POST', '/ext/mcp/brought/fiducia', { ambito: 'file', ...here });
await call('POST', '/ext/hook', {
  id: 'own',
  ambito: 'ovunque',
  definizione: { eventi: ['session_start'], comando: `node ${PROJECT}/bin/hook.js` },
});
await call('POST', '/ext/hook/own/fiducia', { ambito: 'ovunque', ...here });
await call('POST', '/ext/hook/mark/fiducia', { ambito: 'file', ...here });
await call('POST', '/ext/plugin/brought/fiducia', { ambito: 'file', ...here });
const { plugin } = await call('POST', '/ext/plugin/lettura', { percorso: PLUGIN });
await call('POST', '/ext/plugin', { ambito: 'ovunque', percorso: PLUGIN, impronta: plugin.impronta });
await call('POST', '/ext/linguaggi/typescript/fiducia', here);
await call('POST', '/ext/formattatori/prettier/scelte', { ...here, attivo: true });
spawnSync(process.execPath, [join(checkout, 'apps/cli/dist/main.js'), 'config', 'trust'], {
  cwd: PROJECT,
  env: environmentOf(process.env),
  stdio: 'inherit',
});
await call('POST', '/providers/aggregator/esclusi', { esclusi: ['slow-provider'], diSerie: [] });
const { worktree } = await call('POST', '/ext/worktrees', { ...here, titolo: 'older' });
const { script } = await call('GET', `/ext/worktrees/${worktree.id}/preparazione`);
await call('POST', `/ext/worktrees/${worktree.id}/preparazione`, { impronta: script.impronta });
await until(
  async () => (await call('GET', `/ext/worktrees/${worktree.id}/preparazione`)).esecuzione.stato !== 'in-corso',
);
await call('DELETE', `/ext/worktrees/${worktree.id}?forza=true&eliminaRamo=true`);

const write = (percorso: string) => ({ name: 'scrivi', arguments: { percorso, contenuto: 'text\n' } });
await session({ permessi: 'On request', consegna: 'granted path' }, [write('notes/one.md')], 'percorso');
await session({ permessi: 'On request', consegna: 'granted folder' }, [write('docs/one.md')], 'cartella');
await session(
  { permessi: 'Workspace write', consegna: 'granted host' },
  [{ name: 'shell', arguments: { comando: 'curl -sS http://granted.example/ 2>&1; true' } }],
  'percorso',
);
await session({ permessi: 'On request', permessiPerAttrezzo: { scrivi: 'sempre' }, consegna: 'always' }, [
  write('always.md'),
]);
const off = await session({ permessi: 'Workspace write', consegna: 'network off' }, []);
await call('POST', '/ext/sandbox/rete', { sessionId: off, ambito: 'sessione', modalita: 'spenta' });
await call('POST', '/automations', {
  nome: 'Older',
  istruzioni: 'Read the page.',
  cartella: PROJECT,
  modello: 'ollama:tiny',
  permessi: 'Workspace write',
  pianificazione: { tipo: 'giornaliera', ora: '09:00' },
  fusoOrario: 'Europe/Rome',
});

server.kill('SIGTERM');
await once(server, 'exit');
await model[Symbol.asyncDispose]();
for (const path of [KEPT, KEPT_CONFIG]) await rm(path, { recursive: true, force: true });
await cp(CONFIG, KEPT_CONFIG, { recursive: true, filter: (from) => !from.endsWith('.lock') });
await cp(DATA, KEPT, {
  recursive: true,
  filter: (from) => from === DATA || !LEFT_OUT.test(from.split('/').at(-1) ?? ''),
});
for (const name of await readdir(KEPT))
  if (name.endsWith('.db')) spawnSync('sqlite3', [join(KEPT, name), 'vacuum; pragma journal_mode = delete;']);
await rm(HOME, { recursive: true, force: true });
