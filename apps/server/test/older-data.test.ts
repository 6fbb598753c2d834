import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedToolCall } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer, until } from './harness.ts';
import { CONFIG, environmentOf, HOME, PROJECT, writeProject } from './older-data/project.ts';

// The place of the project is part of its fingerprints, and another one where /tmp is a link.
const onLinux = process.platform === 'linux' ? test : test.skip;

let server: TestServer;
const sessions = new Map<string, string>();
beforeAll(async () => {
  await writeProject();
  const dataDir = join(HOME, 'data');
  await cp(join(import.meta.dirname, 'older-data/folder'), dataDir, { recursive: true });
  await cp(join(import.meta.dirname, 'older-data/config'), CONFIG, { recursive: true });
  server = await testServer({ dataDir, settings: { environment: environmentOf(process.env) } });
  for (const { sessionId } of (await server.call('GET', '/sessions')).data.items) {
    const [begun] = await server.events(sessionId);
    const consegna = (begun as { input?: { consegna?: string } } | undefined)?.input?.consegna;
    if (consegna) sessions.set(consegna, sessionId);
  }
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(HOME, { recursive: true, force: true });
});

const here = { cartella: PROJECT };
const write = (percorso: string) => ({ name: 'scrivi', arguments: { percorso, contenuto: 'now\n' } });
const read = (url: string) => ({ name: 'naviga', arguments: { url } });
const results = async (id: string) =>
  (await server.events(id)).flatMap((event) =>
    event.type === 'ToolCallResult' ? [String((event as { content?: unknown }).content)] : [],
  );

/** The card that the call shows, which is then refused, or undefined; and what the call answered. */
async function outcome(id: string): Promise<{ card: any; result: string }> {
  let card: any;
  await until(async () => {
    const { pending } = (await server.call('GET', `/sessions/${id}/pending`)).data;
    if (pending) {
      card = pending.azione;
      await server.call('POST', `/sessions/${id}/approve`, {
        body: { requestId: pending.requestId, approvato: false },
      });
    }
    const row = (await server.call('GET', '/sessions')).data.items.find((one: any) => one.sessionId === id);
    return row.conclusa || undefined;
  });
  return { card, result: (await results(id)).at(-1) ?? '' };
}
function calling(call: ScriptedToolCall): void {
  const calls = [call];
  server.model.script(() => {
    const next = calls.shift();
    return next ? { toolCalls: [next] } : { text: 'Done.' };
  });
}
/** The next turn of a stored session. */
async function inSession(name: string, call: ScriptedToolCall) {
  const id = sessions.get(name) ?? '';
  calling(call);
  const reply = await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Again.' } });
  expect([name, reply.ok]).toEqual([name, true]);
  return outcome(id);
}
async function inNewSession(call: ScriptedToolCall, fields: object = {}) {
  calling(call);
  const id = await server.startSession({ cartellaLibera: PROJECT, permessi: 'Workspace write', ...fields });
  return outcome(id);
}

onLinux(
  'applies stored rules for a host, a host of all projects and a control file, and asks about others',
  async () => {
    for (const host of ['ruled.example', 'everywhere.example'])
      expect(await inNewSession(read(`https://${host}/x`))).toMatchObject({ card: undefined });
    expect((await inNewSession(read('https://other.example/x'))).card).toMatchObject({ host: '*.other.example' });
    expect((await inNewSession(write('.vscode/tasks.json'))).card).toBeUndefined();
    expect(await readFile(join(PROJECT, '.vscode/tasks.json'), 'utf8')).toBe('now\n');
    expect((await inNewSession(write('.vscode/settings.json'))).card).toMatchObject({ motivo: 'file-di-controllo' });
  },
);

onLinux('applies the grants of a stored session there: a path, a folder, a host, a tool', async () => {
  const asks = { tipo: 'scrivi' };
  expect((await inSession('granted path', write('notes/one.md'))).card).toBeUndefined();
  expect((await inSession('granted path', write('notes/two.md'))).card).toMatchObject(asks);
  expect((await inSession('granted folder', write('docs/two.md'))).card).toBeUndefined();
  expect((await inSession('granted folder', write('notes/two.md'))).card).toMatchObject(asks);
  expect((await inSession('always', write('always.md'))).card).toBeUndefined();
  const shell = (host: string) => ({ name: 'shell', arguments: { comando: `curl -sS http://${host}/ 2>&1; true` } });
  expect(await inSession('granted host', shell('granted.example'))).toEqual({
    card: undefined,
    result: expect.stringContaining('granted.example was not found'),
  });
  expect((await inSession('granted host', shell('other.example'))).card).toMatchObject({ tipo: 'rete' });
});

onLinux('keeps the network off in a session for which it was turned off', async () => {
  expect(await inSession('network off', read('https://ruled.example/x'))).toMatchObject({
    card: undefined,
    result: expect.stringContaining('The network is off'),
  });
});

onLinux('starts trusted MCP servers with their chosen tools, and asks at the first call how to answer', async () => {
  const { data } = await server.call('GET', '/ext/mcp', { query: here });
  expect(data.server).toMatchObject([
    { nome: 'mine', attivo: true, stato: expect.not.stringMatching('non-fidato') },
    { nome: 'brought', attivo: true, stato: expect.not.stringMatching('non-fidato') },
  ]);
  const called = (level: string, name: string) => inNewSession({ name, arguments: {} }, { permessi: level });
  expect(await called('Full access', 'mcp__brought__greet')).toMatchObject({ card: undefined, result: 'greeted' });
  expect(await called('Full access', 'mcp__mine__greet')).toMatchObject({ card: undefined, result: 'greeted' });
  expect((await called('Full access', 'mcp__mine__quiet')).result).not.toBe('greeted');
  expect((await called('Workspace write', 'mcp__brought__greet')).card).toMatchObject({ chiede: 'server' });
});

onLinux('runs trusted hooks', async () => {
  await rm(join(PROJECT, 'marks'), { force: true });
  await inNewSession({ name: 'leggi', arguments: { percorso: 'README.md' } });
  // Once at the start of the session, once before the call.
  expect(await readFile(join(PROJECT, 'marks'), 'utf8')).toBe('xx');
});

onLinux('offers trusted plugins and runs their tools', async () => {
  const { data } = await server.call('GET', '/ext/plugins', { query: here });
  expect(data.plugin).toMatchObject([
    { id: 'helper', fidato: true },
    { id: 'brought', fidato: true },
  ]);
  const nod = { name: 'plugin_helper_nod', arguments: {} };
  expect((await inNewSession(nod, { permessi: 'Full access' })).result).toContain('nodded');
});

onLinux('starts a trusted language server, and not one that changed', async () => {
  const state = async () =>
    (await server.call('GET', '/ext/language-servers', { query: here })).data.server.find(
      ({ id }: { id: string }) => id === 'typescript',
    ).stato;
  expect(await state()).not.toBe('non-fidato');
  await appendFile(join(PROJECT, 'node_modules/.bin/tsc'), '# changed\n');
  expect(await state()).toBe('non-fidato');
});

onLinux('formats edits with the formatter that was turned on, and not with one that changed', async () => {
  const row = async () =>
    (await server.call('GET', '/ext/formatters', { query: here })).data.formattatori.find(
      ({ id }: { id: string }) => id === 'prettier',
    );
  const formatted = async (): Promise<string> => {
    await inNewSession({ name: 'scrivi', arguments: { percorso: 'styled.css', contenuto: 'now\n' } });
    const text = await readFile(join(PROJECT, 'styled.css'), 'utf8');
    await rm(join(PROJECT, 'styled.css'));
    return text;
  };
  expect(await row()).toMatchObject({ attivo: true, fidato: true });
  expect(await formatted()).toBe('NOW\n');
  await appendFile(join(PROJECT, 'node_modules/.bin/prettier'), '# changed\n');
  expect(await row()).toMatchObject({ attivo: true, fidato: false });
  expect(await formatted()).toBe('now\n');
});

onLinux('keeps the project trusted in the command line until its settings file changes', async () => {
  const allowed = (): string =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../cli/dist/main.js'), 'permissions', 'list'], {
      cwd: PROJECT,
      env: { ...environmentOf(process.env), FUCINA_DATA_DIR: join(HOME, 'other-data') },
      encoding: 'utf8',
    }).stdout;
  expect(allowed()).toContain('Bash(older *)');
  await appendFile(join(PROJECT, '.svc/settings.json'), '\n');
  expect(allowed()).not.toContain('Bash(older *)');
});

onLinux('runs a trusted set-up script of worktrees without a question', async () => {
  const { worktree } = (await server.call('POST', '/ext/worktrees', { body: { ...here, titolo: 'now' } })).data;
  expect((await server.call('POST', `/ext/worktrees/${worktree.id}/setup`, { body: {} })).status).toBe(202);
  await until(async () => existsSync(join(worktree.percorso, 'prepared.txt')) || undefined);
});

onLinux('lets a stored automation read addresses as before until it is edited', async () => {
  const [{ id }] = (await server.call('GET', '/automations')).data.items;
  const run = async (): Promise<string> => {
    calling(read('https://unknown.example/x'));
    await server.call('POST', `/automations/${id}/esegui`);
    const { sessionId } = await until(async () => {
      const [last] = (await server.call('GET', `/automations/${id}/runs`)).data.items;
      return last && last.esito !== 'partita' ? last : undefined;
    });
    return (await results(sessionId)).at(-1) ?? '';
  };
  expect(await run()).not.toContain('Fucina blocks');
  await server.call('POST', `/automations/${id}/modifica`, { body: { istruzioni: 'Read another page.' } });
  expect(await run()).toContain('Fucina blocks *.unknown.example');
});

onLinux('keeps excluded providers excluded', async () => {
  const { items } = (await server.call('GET', '/providers')).data;
  expect(JSON.stringify(items.find(({ id }: { id: string }) => id === 'aggregator'))).toContain('slow-provider');
});
