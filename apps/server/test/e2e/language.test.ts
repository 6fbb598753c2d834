import { appendFile, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processesWith, type ScriptedToolCall } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';
import { addTypeScript } from '../typescript-project.ts';

const GOOD = 'export const size = (text: string): number => text.length;\n';

let server: TestServer;
let cartella: string;
beforeAll(async () => {
  server = await testServer({ isApart: true });
  cartella = await realpath(server.project.path);
  await addTypeScript(server.project);
  await server.project.write({ 'src/size.ts': GOOD });
});
afterAll(async () => server[Symbol.asyncDispose]());

const rows = async () => (await server.call('GET', '/ext/language-servers', { query: { cartella } })).data.server;
const typescript = async () => (await rows()).find((row: { id: string }) => row.id === 'typescript');
const act = (what: string, id = 'typescript', body: object = { cartella }) =>
  server.call('POST', `/ext/language-servers/${id}/${what}`, { body });
const diagnose = (id: string, body: object) => server.call('POST', `/ext/sessions/${id}/diagnostics/file`, { body });

/** A session whose model reads the file, then makes these calls; what the calls answered. */
async function edits(...calls: ScriptedToolCall[]) {
  const script = [{ name: 'leggi', arguments: { percorso: 'src/size.ts' } }, ...calls];
  let step = 0;
  server.model.script(() => {
    const call = script[step++];
    return call ? { toolCalls: [call] } : { text: 'Done.' };
  });
  const id = await server.startSession({ permessi: 'Workspace write' });
  await server.settled(id);
  const results = (await server.events(id)).flatMap((event) =>
    event.type === 'ToolCallResult' ? [String((event as { content?: unknown }).content)] : [],
  );
  return { id, results };
}
const write = (contenuto: string) => ({ name: 'scrivi', arguments: { percorso: 'src/size.ts', contenuto } });
const BROKEN = `${GOOD}export const wrong: string = size('x');\n`;

covers('ext.language.servers', 'lists the servers of a project, and none of it runs before it is trusted', async () => {
  expect(await typescript()).toEqual({
    id: 'typescript',
    estensioni: expect.arrayContaining(['.ts', '.tsx', '.js']),
    comando: [join(cartella, 'node_modules/.bin/tsc'), '--lsp', '--stdio'],
    delProgetto: true,
    stato: 'non-fidato',
    problema: null,
  });
  const { results } = await edits(write(BROKEN));
  expect(results[1]).toMatch(/^Replaced src\/size\.ts \(2 lines\)\.$/);
  expect(await typescript()).toMatchObject({ stato: 'non-fidato' });
});

test('servers of the user come from the data folder, and a file that cannot be read is reported', async () => {
  const file = join(server.dataDir, 'language/servers.json');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, '[{"id": "mine"}]');
  const { errore } = (await server.call('GET', '/ext/language-servers', { query: { cartella } })).data;
  expect(errore).toMatch(/servers\.json:1:2: 0\.program: expected string$/);
  await rm(file);
  expect((await server.call('GET', '/ext/language-servers', { query: { cartella } })).data.errore).toBeNull();
});

covers('ext.language.trust', 'starts the server of a project in the sandbox once it is trusted', async () => {
  await writeFile(join(cartella, 'src/size.ts'), GOOD);
  const reply = await act('trust');
  expect(reply).toMatchObject({ status: 200, data: { server: { stato: 'pronto', problema: null } } });
  expect(processesWith('--lsp --stdio').length).toBeGreaterThan(0);
});

covers('ext.language.diagnostics', 'answers the diagnostics of a file on disk and of unsaved text', async () => {
  const { id } = await edits();
  expect(await diagnose(id, { percorso: 'src/size.ts' })).toMatchObject({ status: 200, data: { problemi: [] } });
  const unsaved = await diagnose(id, { percorso: 'src/size.ts', testo: BROKEN });
  expect(unsaved.data.problemi).toEqual([
    {
      riga: 2,
      colonna: 14,
      finoARiga: 2,
      finoAColonna: 19,
      gravita: 'errore',
      codice: 'TS2322',
      messaggio: "Type 'number' is not assignable to type 'string'.",
    },
  ]);
  expect((await diagnose(id, { percorso: 'src/size.ts' })).data.problemi).toEqual([]);
  expect((await diagnose(id, { percorso: 'README.md' })).data.problemi).toBeNull();
});

covers('ext.language.counts', 'counts the problems that an edit introduced, and the model reads them', async () => {
  const { id, results } = await edits(write(BROKEN), write(GOOD), write(BROKEN));
  const problem = "src/size.ts:2:14 error TS2322: Type 'number' is not assignable to type 'string'.";
  expect(results[1]).toBe(`Replaced src/size.ts (2 lines).\n\nNew problems after this edit:\n${problem}`);
  expect(results[2]).toBe('Replaced src/size.ts (1 line).');
  expect(results[3]).toContain(problem);
  const reply = await server.call('GET', `/ext/sessions/${id}/diagnostics`);
  expect(reply.data.file).toEqual([{ percorso: 'src/size.ts', errori: 1, avvisi: 0 }]);
});

covers('ext.language.restart', 'starts a server anew', async () => {
  expect(await act('start')).toMatchObject({ status: 200, data: { server: { stato: 'pronto' } } });
});

test('a program that changed after it was trusted does not start again', async () => {
  await appendFile(join(cartella, 'node_modules/typescript/bin/tsc'), '\n');
  expect(await act('start')).toMatchObject({ data: { server: { stato: 'non-fidato' } } });
  expect(await act('trust')).toMatchObject({ data: { server: { stato: 'pronto' } } });
});

test('ends the server of a folder with its last session', async () => {
  const sessions = (await server.call('GET', '/sessions')).data.sessions ?? [];
  for (const { sessionId } of sessions) await server.call('DELETE', `/sessions/${sessionId}`);
  await until(async () => (await typescript()).stato === 'fermo');
});

const PATHS: Record<string, string> = { 'ext.language.trust': 'trust', 'ext.language.restart': 'start' };

refusesEach('NOT_FOUND', ['ext.language.trust', 'ext.language.restart'], async (operation) => {
  expect(await act(PATHS[operation] ?? '', 'absent')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

refusesEach('QUERY_INVALID', ['ext.language.trust', 'ext.language.restart'], async (operation) => {
  expect(await act(PATHS[operation] ?? '', 'typescript', {})).toMatchObject({ code: 'QUERY_INVALID' });
});

refusesEach('WORKSPACE_NOT_AVAILABLE', ['ext.language.trust', 'ext.language.restart'], async (operation) => {
  const reply = await act(PATHS[operation] ?? '', 'typescript', { cartella: join(cartella, 'absent') });
  expect(reply).toMatchObject({ code: 'WORKSPACE_NOT_AVAILABLE' });
});

refusesEach('ORIGIN_FORBIDDEN', ['ext.language.trust', 'ext.language.restart'], async (operation) => {
  const headers = { Origin: 'http://evil.example' };
  const path = `/ext/language-servers/typescript/${PATHS[operation]}`;
  expect(await server.call('POST', path, { body: { cartella }, headers })).toMatchObject({ code: 'ORIGIN_FORBIDDEN' });
});

refuses('ext.language.servers', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that is gone', async () => {
  const query = { cartella: join(cartella, 'absent') };
  expect(await server.call('GET', '/ext/language-servers', { query })).toMatchObject({
    code: 'WORKSPACE_NOT_AVAILABLE',
  });
});

refuses('ext.language.servers', 'QUERY_INVALID', 'without a project', async () => {
  expect(await server.call('GET', '/ext/language-servers')).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
});

refuses('ext.language.diagnostics', 'QUERY_INVALID', 'for a path outside', async () => {
  const { id } = await edits();
  expect(await diagnose(id, { percorso: '../x.ts' })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
});

refuses('ext.language.diagnostics', 'NOT_FOUND', 'for an unknown session', async () => {
  expect(await diagnose('absent', { percorso: 'a.ts' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

refuses('ext.language.counts', 'NOT_FOUND', 'for an unknown session', async () => {
  const reply = await server.call('GET', '/ext/sessions/absent/diagnostics');
  expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

describe('tools of the agent', () => {
  const rename = (nuovo: string) => ({
    name: 'code_change',
    arguments: { azione: 'rinomina', percorso: 'src/size.ts', simbolo: 'size', nuovo },
  });

  test('are offered where a server has run, and a session keeps what it was offered', async () => {
    const { id } = await edits();
    const names = async () =>
      (await server.call('GET', `/sessions/${id}/tools`)).data.attrezzi.map(({ nome }: { nome: string }) => nome);
    expect(await names()).toEqual(expect.arrayContaining(['code_navigate', 'code_change']));
    const elsewhere = join(cartella, 'src');
    const reply = await server.call('POST', '/sessions/custom', {
      body: { cartellaLibera: elsewhere, consegna: 'go', modello: 'ollama:bench' },
    });
    const other = reply.data.sessionId;
    await server.settled(other);
    const { attrezzi } = (await server.call('GET', `/sessions/${other}/tools`)).data;
    expect(attrezzi.map(({ nome }: { nome: string }) => nome)).not.toContain('code_change');
  });

  test('rename in several files, and undo brings back every file', async () => {
    const user = "import { size } from './size.ts';\nexport const n = size('x');\n";
    await server.project.write({ 'src/size.ts': GOOD, 'src/user.ts': user });
    const { id, results } = await edits(rename('length'));
    expect(results[1]).toMatch(/^Changed /);
    const text = (path: string) => readFile(join(cartella, path), 'utf8');
    expect(await text('src/user.ts')).toContain("length('x')");
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/undo' } });
    await server.settled(id);
    expect(await text('src/user.ts')).toBe(user);
    expect(await text('src/size.ts')).toBe(GOOD);
  });

  test('map the repository once the tool was found', async () => {
    await server.project.write({
      'src/size.ts': GOOD,
      'src/user.ts': "import { size } from './size.ts';\nsize('x');\n",
    });
    const { results } = await edits(
      { name: 'find_tools', arguments: { query: 'repo_map' } },
      { name: 'repo_map', arguments: { percorso: 'src' } },
      { name: 'repo_map', arguments: { percorso: '../..' } },
    );
    expect(results[2]).toContain('src/size.ts\n  1 const size = (text: string): number => text.length');
    expect(results[3]).toBe('The path must be that of a folder in the session folder.');
  });

  test('ask like file_edit, and change nothing without permission', async () => {
    await server.project.write({ 'src/size.ts': GOOD });
    const calls = [{ name: 'leggi', arguments: { percorso: 'src/size.ts' } }, rename('length')];
    server.model.script(() => {
      const call = calls.shift();
      return call ? { toolCalls: [call] } : { text: 'Done.' };
    });
    const id = await server.startSession({ permessi: 'On request' });
    const { requestId, azione } = await server.pending(id);
    expect(azione).toMatchObject({ tipo: 'code_change', percorso: 'src/size.ts', simbolo: 'size', nuovo: 'length' });
    await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
    await server.settled(id);
    expect(await readFile(join(cartella, 'src/size.ts'), 'utf8')).toBe(GOOD);
  });
});

covers('ext.language.symbols', 'finds declarations of the session folder by a part of their name', async () => {
  const id = await server.startSession();
  await server.settled(id);
  const find = (cerca: string) => server.call('GET', `/ext/sessions/${id}/symbols`, { query: { cerca } });
  expect((await find('pageO')).data.simboli).toContainEqual({
    nome: 'pageOf',
    percorso: 'src/pages.js',
    riga: expect.any(Number),
  });
  expect((await find('no such name')).data).toEqual({ simboli: [] });
  for (const short of ['', ' ', 'p']) expect((await find(short)).code).toBe('QUERY_INVALID');
});
