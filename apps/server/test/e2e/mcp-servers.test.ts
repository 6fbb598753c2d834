import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { EVERYTHING } from '../everything-server.ts';
import { type TestServer, testServer } from '../harness.ts';

const definizione = { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} };

let server: TestServer;
let cartella: string;
beforeAll(async () => {
  server = await testServer();
  cartella = await realpath(server.project.path);
});
afterAll(async () => server[Symbol.asyncDispose]());

const add = (body: object) =>
  server.call('POST', '/ext/mcp', { body: { ambito: 'progetto', cartella, definizione, ...body } });
const rows = async (query: Record<string, string> = { cartella }) =>
  (await server.call('GET', '/ext/mcp', { query })).data.server;
const rowOf = async (nome: string) => (await rows()).find((row: { nome: string }) => row.nome === nome);
const here = { ambito: 'progetto' };
const act = (nome: string, what: string, more: object = {}) =>
  server.call('POST', `/ext/mcp/${nome}/${what}`, { body: { ...here, cartella, ...more } });
const remove = (nome: string, query: Record<string, string> = {}) =>
  server.call('DELETE', `/ext/mcp/${nome}`, { query: { ...here, cartella, ...query } });
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(join(cartella, path, '..'), { recursive: true });
  await writeFile(join(cartella, path), text);
};

covers('ext.mcp.add', 'adds a server for a project, and its secrets are not in the answer', async () => {
  const reply = await add({
    nome: 'added',
    definizione: { ...definizione, ambiente: { A_TOKEN: 'sent-canary', MODE: 'x' } },
    segreti: { OTHER: 'unused-canary' },
  });
  expect(reply.status).toBe(201);
  expect(reply.data.server).toEqual({
    nome: 'added',
    ambito: 'progetto',
    cartella,
    definizione: { ...definizione, ambiente: { A_TOKEN: '${secret:A_TOKEN}', MODE: 'x' } },
    consentiti: null,
    segreti: [{ nome: 'A_TOKEN', salvato: true }],
    attivo: true,
    strumentiSpenti: [],
    stato: 'fermo',
    errore: null,
    accesso: 'nessuno',
    strumenti: null,
    sostituito: false,
    calls: null,
  });
  const everywhere = await add({ nome: 'added', ambito: 'ovunque' });
  expect(everywhere.data.server).toMatchObject({ ambito: 'ovunque', cartella: null, sostituito: true });
  await remove('added');
  await remove('added', { ambito: 'ovunque' });
});

refuses('ext.mcp.add', 'MCP_INVALID', 'for a malformed server or a name in use', async () => {
  await add({ nome: 'present' });
  for (const [body, reason] of [
    [{ nome: 'present' }, 'exists'],
    [{ nome: '../up' }, 'definition'],
    [{ nome: 'a', definizione: { ...definizione, url: 'https://a.example' } }, 'definition'],
    [{ nome: 'a', definizione: { ...definizione, comando: undefined, url: 'http://a.example' } }, 'definition'],
  ] as const) {
    const reply = await add(body);
    expect([body, reply.status, reply.code, reply.reason]).toEqual([body, 422, 'MCP_INVALID', reason]);
    expect(reply.error?.title).not.toContain('file');
  }
  const nowhere = await server.call('POST', '/ext/mcp', { body: { nome: 'a', ambito: 'progetto', definizione } });
  expect([nowhere.status, nowhere.code, nowhere.reason]).toEqual([400, 'QUERY_INVALID', 'mcp-place']);
  expect((await rows()).map(({ nome }: { nome: string }) => nome)).toEqual(['present']);
  await remove('present');
});

covers('ext.mcp.list', 'lists the servers of the user and the untrusted ones of the project', async () => {
  await put('.svc/mcp.json', JSON.stringify({ mcpServers: { brought: { command: 'node', env: { A: 'b' } } } }));
  await add({ nome: 'everywhere', ambito: 'ovunque' });
  expect(await rows()).toMatchObject([
    { nome: 'everywhere', ambito: 'ovunque', stato: 'fermo' },
    { nome: 'brought', ambito: 'file', stato: 'non-fidato', definizione: { ambiente: { A: 'b' } } },
  ]);
  expect(await rows({})).toMatchObject([{ nome: 'everywhere' }]);
  await put('.svc/mcp.json', '{');
  const { data } = await server.call('GET', '/ext/mcp', { query: { cartella } });
  expect(data).toMatchObject({ errore: expect.stringContaining('.svc/mcp.json'), server: [{ nome: 'everywhere' }] });
  await put('.svc/mcp.json', '{"mcpServers":{}}');
  await remove('everywhere', { ambito: 'ovunque' });
});

covers('ext.mcp.change', 'replaces a definition and keeps the stored secret', async () => {
  await add({ nome: 'kept', definizione: { ...definizione, ambiente: { A_KEY: 'first-value' } } });
  const next = { ...definizione, argomenti: [EVERYTHING, 'stdio'], ambiente: { A_KEY: '${secret:A_KEY}' } };
  const reply = await server.call('PATCH', '/ext/mcp/kept', { body: { ...here, cartella, definizione: next } });
  expect(reply.data.server).toMatchObject({ definizione: next, segreti: [{ nome: 'A_KEY', salvato: true }] });
  const absent = await server.call('PATCH', '/ext/mcp/absent', { body: { ...here, cartella, definizione } });
  expect([absent.status, absent.code]).toEqual([404, 'NOT_FOUND']);
  await remove('kept');
});

refuses('ext.mcp.change', 'MCP_INVALID', 'when a secret would go to another address', async () => {
  const at = (url: string) => ({ url, argomenti: [], ambiente: {}, intestazioni: { 'X-Key': '${secret:X}' } });
  await add({ nome: 'web', definizione: at('https://one.example/mcp'), segreti: { X: 'value' } });
  const body = { ...here, cartella, definizione: at('https://two.example/mcp') };
  const reply = await server.call('PATCH', '/ext/mcp/web', { body });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', 'secret-for-other-address']);
  expect(await rowOf('web')).toMatchObject({ definizione: { url: 'https://one.example/mcp' } });
  await remove('web');
});

covers('ext.mcp.connect', 'starts a server, lists its tools, and shows why one fails', async () => {
  await add({ nome: 'all' });
  const { data } = await act('all', 'start');
  expect(data.server).toMatchObject({ stato: 'connesso', errore: null });
  expect(data.server.strumenti.map(({ nome }: { nome: string }) => nome)).toContain('echo');
  await add({
    nome: 'fails',
    definizione: { ...definizione, argomenti: ['-e', 'console.error("no luck");process.exit(2)'] },
  });
  expect((await act('fails', 'start')).data.server).toMatchObject({
    stato: 'fallito',
    errore: { motivo: 'ended', dettaglio: 'exit code 2: no luck' },
  });
  expect((await act('absent', 'start')).code).toBe('NOT_FOUND');
});

covers('ext.mcp.log', 'answers what the server did and wrote', async () => {
  const { data } = await server.call('GET', '/ext/mcp/fails/log', { query: { ...here, cartella } });
  expect(data.righe.map(({ tipo, testo }: { tipo: string; testo: string }) => [tipo, testo])).toEqual([
    ['evento', 'starting'],
    ['uscita', 'no luck'],
    ['evento', 'ended: exit code 2'],
    ['errore', 'failed: ended: exit code 2: no luck'],
  ]);
});

covers('ext.mcp.choose', 'turns a tool and a server off, also for the next turn', async () => {
  const offered = async () => {
    let names: string[] = [];
    server.model.script(({ body }) => {
      names = (body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
      return { text: 'Done.' };
    });
    await server.settled(await server.startSession());
    return names.filter((name) => name.startsWith('mcp__all__'));
  };
  expect((await act('all', 'choices', { strumentiSpenti: ['echo'] })).data.server.strumentiSpenti).toEqual(['echo']);
  const names = await offered();
  expect(names).toContain('mcp__all__get-env');
  expect(names).not.toContain('mcp__all__echo');
  expect((await act('all', 'choices', { attivo: false })).data.server).toMatchObject({
    stato: 'spento',
    attivo: false,
  });
  expect(await offered()).toEqual([]);
  await remove('all');
});

covers('ext.mcp.trust', 'lets a server of the project run as it is now', async () => {
  await put('.svc/mcp.json', JSON.stringify({ mcpServers: { mine: { command: 'node', args: ['server.mjs'] } } }));
  await put('server.mjs', 'process.exit(4)');
  const body = { ambito: 'file', cartella };
  const target = { body };
  expect((await server.call('POST', '/ext/mcp/mine/start', target)).data.server.stato).toBe('non-fidato');
  expect((await server.call('POST', '/ext/mcp/mine/trust', target)).data.server.stato).toBe('fermo');
  expect((await server.call('POST', '/ext/mcp/mine/start', target)).data.server.errore).toEqual({
    motivo: 'ended',
    dettaglio: 'exit code 4',
  });
  await put('server.mjs', 'process.exit(5)');
  expect((await rowOf('mine')).stato).toBe('non-fidato');
});

refuses('ext.mcp.trust', 'MCP_INVALID', 'when the program does not exist', async () => {
  await put('.svc/mcp.json', JSON.stringify({ mcpServers: { mine: { command: 'no-such-program' } } }));
  const reply = await server.call('POST', '/ext/mcp/mine/trust', { body: { ambito: 'file', cartella } });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', 'program-not-found']);
});

covers('ext.mcp.remove', 'removes a server once', async () => {
  await add({ nome: 'gone' });
  expect((await remove('gone')).data).toEqual({ ok: true });
  expect(await rowOf('gone')).toBeUndefined();
  expect((await remove('gone')).code).toBe('NOT_FOUND');
});

refuses('ext.mcp.remove', 'MCP_INVALID', 'for a server that a file declares', async () => {
  await put('.svc/mcp.json', JSON.stringify({ mcpServers: { mine: { command: 'node' } } }));
  const reply = await remove('mine', { ambito: 'file' });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', 'declared-by-file']);
});

test('a prompt of a server is a slash command of the session', async () => {
  await add({ nome: 'all' });
  let told = '';
  server.model.script(({ body }) => {
    told = JSON.stringify(body.messages);
    return { text: 'Done.' };
  });
  const sessionId = await server.startSession({ consegna: '/mcp__all__args-prompt Torino' });
  await server.settled(sessionId);
  expect(told).toContain("What's weather in Torino?");
  const commands = async () => (await server.call('GET', `/sessions/${sessionId}/tools`)).data.comandi;
  expect(await commands()).toContainEqual(
    expect.objectContaining({ nome: 'mcp__all__args-prompt', uso: '/mcp__all__args-prompt <city> [state]' }),
  );
  // Without its argument nothing goes to the model.
  told = '';
  const other = await server.startSession({ consegna: '/mcp__all__args-prompt' });
  await server.settled(other);
  expect([told, JSON.stringify(await server.events(other))]).toEqual(['', expect.stringContaining('city: missing')]);
  await remove('all');
});

test('names the place, the key and what is allowed in a file that the user wrote by hand', async () => {
  const problem = async () => (await server.call('GET', '/ext/mcp', { query: { cartella } })).data.errore;
  const wrong = [
    ['{\n "mcpServers": { "a": { "command": "node",\n  "args": "x" } }\n}', '3:11: mcpServers.a.args: expected array'],
    [
      '{"mcpServers":{"a":{"url":"http://a.example"}}}',
      '1:27: mcpServers.a.url: an address of https, or of http on this computer',
    ],
    ['{"mcpServers":{"a":{}}}', '1:20: mcpServers.a: either a command (comando) or an address (url)'],
    [
      '{"mcpServers":{"../a":{"command":"x"}}}',
      '1:16: mcpServers.../a: expected at most 64 letters, digits, ".", "_" and "-"',
    ],
    ['{"servers":[{"id":"a","command":"x",}]}', '1:37: servers.0: expected a key in double quotes'],
    ['{"mcpServers":{"a":{"command":"x"}}', '1:36: mcpServers: expected "}"'],
  ];
  for (const [text = '', expected] of wrong) {
    await put('.svc/mcp.json', text);
    expect(await problem()).toBe(`.svc/mcp.json:${expected}`);
  }
  await put('.svc/mcp.json', '{"mcpServers":{}}');
  expect(await problem()).toBeNull();
});

const USUAL = JSON.stringify({
  mcpServers: { 'My Server': { command: 'node', args: ['x'], env: { K_TOKEN: 'canary' } } },
});

covers('ext.mcp.import-files', 'shows the servers of other configurations without their secrets', async () => {
  await put('.mcp.json', USUAL);
  const { data, text } = await server.call('GET', '/ext/mcp/imports', { query: { cartella } });
  expect(data.file[0]).toMatchObject({
    id: 'project-mcp-json',
    programma: 'mcp-json',
    percorso: join(cartella, '.mcp.json'),
    delProgetto: true,
    errore: null,
    server: [{ nome: 'My Server', id: 'My-Server', segreti: ['K_TOKEN'], problema: null }],
  });
  expect(text).not.toContain('canary');
});

covers('ext.mcp.import-read', 'reads a pasted configuration', async () => {
  const { data } = await server.call('POST', '/ext/mcp/imports/preview', { body: { testo: USUAL } });
  expect(data.server).toMatchObject([
    { nome: 'My Server', definizione: { ambiente: { K_TOKEN: '${secret:K_TOKEN}' } } },
  ]);
});

refuses('ext.mcp.import-read', 'MCP_INVALID', 'for a text without servers', async () => {
  for (const [testo, reason] of [
    ['{"mcpServers"', 'text'],
    ['{}', 'no-servers'],
  ]) {
    const reply = await server.call('POST', '/ext/mcp/imports/preview', { body: { testo } });
    expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', reason]);
  }
});

const choose = async (testo: string) => {
  const { data } = await server.call('POST', '/ext/mcp/imports/preview', { body: { testo } });
  return data.server.map(({ nome, impronta }: { nome: string; impronta: string }) => ({ nome, impronta }));
};
const bring = (body: object) => server.call('POST', '/ext/mcp/imports', { body });

covers('ext.mcp.import', 'adds the chosen servers from a text or a file', async () => {
  const scelti = await choose(USUAL);
  const reply = await bring({ ambito: 'ovunque', testo: USUAL, scelti });
  expect([reply.status, reply.data]).toEqual([201, { aggiunti: ['My-Server'] }]);
  const [shown] = (await server.call('GET', '/ext/mcp/imports', { query: { cartella } })).data.file[0].server;
  const fromFile = {
    ...here,
    cartella,
    fonte: 'project-mcp-json',
    scelti: [{ nome: shown.nome, impronta: shown.impronta }],
  };
  expect((await bring(fromFile)).data).toEqual({ aggiunti: ['My-Server'] });
  expect((await bring({ ...fromFile, fonte: 'absent' })).code).toBe('NOT_FOUND');
  await remove('My-Server');
  await remove('My-Server', { ambito: 'ovunque' });
});

refuses('ext.mcp.import', 'MCP_INVALID', 'when the configuration changed after it was shown', async () => {
  const scelti = await choose(USUAL);
  const reply = await bring({ ambito: 'ovunque', testo: USUAL.replace('"x"', '"y"'), scelti });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', 'changed']);
  expect((await rows({})).map(({ nome }: { nome: string }) => nome)).toEqual(['fails']);
});

refusesEach(
  'WORKSPACE_NOT_AVAILABLE',
  [
    'ext.mcp.list',
    'ext.mcp.add',
    'ext.mcp.change',
    'ext.mcp.remove',
    'ext.mcp.choose',
    'ext.mcp.trust',
    'ext.mcp.connect',
    'ext.mcp.log',
    'ext.mcp.import-files',
    'ext.mcp.import',
  ],
  async (operation) => {
    const place = { cartella: `${cartella}/absent` };
    const target = { ...here, ...place };
    const scelti = [{ nome: 'a', impronta: 'b' }];
    const requests: Record<string, [string, string, object]> = {
      'ext.mcp.list': ['GET', '', { query: place }],
      'ext.mcp.add': ['POST', '', { body: { nome: 'a', ...target, definizione } }],
      'ext.mcp.change': ['PATCH', '/a', { body: { ...target, definizione } }],
      'ext.mcp.remove': ['DELETE', '/a', { query: target }],
      'ext.mcp.choose': ['POST', '/a/choices', { body: target }],
      'ext.mcp.trust': ['POST', '/a/trust', { body: target }],
      'ext.mcp.connect': ['POST', '/a/start', { body: target }],
      'ext.mcp.log': ['GET', '/a/log', { query: target }],
      'ext.mcp.import-files': ['GET', '/imports', { query: place }],
      'ext.mcp.import': ['POST', '/imports', { body: { ...target, testo: '{}', scelti } }],
    };
    const [method, path, options] = requests[operation] ?? ['GET', '', {}];
    const reply = await server.call(method, `/ext/mcp${path}`, options);
    expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
  },
);

refusesEach(
  'PROVIDER_STORE_UNAVAILABLE',
  ['ext.mcp.add', 'ext.mcp.change', 'ext.mcp.remove', 'ext.mcp.import'],
  async (operation) => {
    await using place = await tempDir();
    const dataDir = join(place.path, 'data');
    await mkdir(dataDir);
    const secret = { ...definizione, ambiente: { A_TOKEN: 'value' } };
    const body = { ambito: 'ovunque', nome: 'a', definizione: secret };
    const first = await testServer({ dataDir });
    await first.call('POST', '/ext/mcp', { body });
    await first[Symbol.asyncDispose]();
    // Without a key store: the tests have no session bus.
    await using second = await testServer({ dataDir, settings: { keyStore: 'system' } });
    const { data } = await second.call('POST', '/ext/mcp/imports/preview', { body: { testo: USUAL } });
    const scelti = data.server.map(({ nome, impronta }: { nome: string; impronta: string }) => ({ nome, impronta }));
    const requests: Record<string, [string, string, object]> = {
      'ext.mcp.add': ['POST', '', { body: { ...body, nome: 'b' } }],
      'ext.mcp.change': ['PATCH', '/a', { body: { ambito: 'ovunque', definizione: secret } }],
      'ext.mcp.remove': ['DELETE', '/a', { query: { ambito: 'ovunque' } }],
      'ext.mcp.import': ['POST', '/imports', { body: { ambito: 'ovunque', testo: USUAL, scelti } }],
    };
    const [method, path, options] = requests[operation] ?? ['GET', '', {}];
    const reply = await second.call(method, `/ext/mcp${path}`, options);
    expect([reply.status, reply.code]).toEqual([503, 'PROVIDER_STORE_UNAVAILABLE']);
  },
);

test('servers are not changed or started by a page of another site', async () => {
  const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', '/a'],
    ['DELETE', '/a'],
    ['POST', '/a/choices'],
    ['POST', '/a/trust'],
    ['POST', '/a/start'],
    ['POST', '/imports'],
  ] as const) {
    const reply = await server.call(method, `/ext/mcp${path}`, { headers, ...(method !== 'DELETE' && { body: {} }) });
    expect([path, reply.status, reply.code]).toEqual([path, 403, 'ORIGIN_FORBIDDEN']);
  }
});
