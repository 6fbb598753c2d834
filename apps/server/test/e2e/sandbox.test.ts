import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await testServer({
    isApart: true,
    script: ({ lastRole, lastText }) =>
      lastRole !== 'tool' && lastText.includes('fetch')
        ? {
            toolCalls: [{ name: 'shell', arguments: { comando: 'curl -sS -m 20 http://blocked.example/; echo over' } }],
          }
        : { text: 'Done.' },
  });
  folder = await realpath(server.project.path);
});
afterAll(async () => server[Symbol.asyncDispose]());

const add = (body: object) => server.call('POST', '/ext/sandbox/rules', { body });
const list = async (query: Record<string, string> = {}) =>
  (await server.call('GET', '/ext/sandbox/rules', { query })).data.regole;
const rulesOf = async (query: Record<string, string> = {}) =>
  (await list(query)).map(({ regola }: { regola: string }) => regola);

covers('ext.sandbox.state', 'names the mechanism, the network setting and whether there is a token', async () => {
  const { data } = await server.call('GET', '/ext/sandbox', { query: { cartella: folder } });
  expect(data.sandbox).toMatchObject({
    meccanismo: expect.stringMatching(/^(bubblewrap|seatbelt|none)$/),
    conToken: true,
    cartella: folder,
    rete: { ovunque: null, progetto: null, sessione: null, effettiva: 'elenco' },
  });
  // There is advice only when no sandbox works.
  expect(data.sandbox.consiglio === null).toBe(data.sandbox.funziona);
});

refuses('ext.sandbox.state', 'WORKSPACE_NOT_AVAILABLE', 'the folder does not exist', async () => {
  const reply = await server.call('GET', '/ext/sandbox', { query: { cartella: `${folder}/absent` } });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});

covers('ext.sandbox.rules-add', 'adds a rule once, for a session’s project or for every project', async () => {
  const sessionId = await server.startSession();
  await server.settled(sessionId);
  const reply = await add({ regola: 'Network(a.example)', sessionId });
  expect([reply.status, reply.data.regola]).toEqual([
    201,
    expect.objectContaining({ regola: 'Network(a.example)', ambito: 'progetto', cartella: folder }),
  ]);
  expect((await add({ regola: 'Network(a.example)', cartella: folder })).data.regola.id).toBe(reply.data.regola.id);
  expect((await add({ regola: 'Network(b.example)' })).data.regola).toMatchObject({
    ambito: 'ovunque',
    cartella: null,
  });
});

refuses('ext.sandbox.rules-add', 'PERMISSIONS_INVALID', 'the rule opens nothing or too much', async () => {
  const before = await list();
  for (const [regola, reason] of [
    ['Network(', 'rule-malformed'],
    ['Bash(npm test)', 'rule-other-tool'],
    ['Read(/)', 'rule-path-too-wide'],
    ['Write(src/index.ts)', 'rule-not-control-file'],
  ]) {
    const reply = await add({ regola, cartella: folder });
    expect([reply.status, reply.code, reply.reason]).toEqual([400, 'PERMISSIONS_INVALID', reason]);
    expect(reply.error?.title).not.toBe('');
  }
  expect(await list()).toEqual(before);
});

refuses('ext.sandbox.rules-add', 'WORKSPACE_NOT_AVAILABLE', 'the folder does not exist', async () => {
  const reply = await add({ regola: 'Network(c.example)', cartella: `${folder}/absent` });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
  expect(await rulesOf()).not.toContain('Network(c.example)');
});

covers('ext.sandbox.rules', 'lists the rules of one project with those of every project', async () => {
  await using other = await tempDir();
  await add({ regola: 'Network(everywhere.example)' });
  await add({ regola: 'Network(here.example)', cartella: folder });
  await add({ regola: 'Network(there.example)', cartella: other.path });
  const here = await rulesOf({ cartella: folder });
  expect(here).toEqual(expect.arrayContaining(['Network(everywhere.example)', 'Network(here.example)']));
  expect(here).not.toContain('Network(there.example)');
  expect(await rulesOf()).toContain('Network(there.example)');
});

refuses('ext.sandbox.rules', 'WORKSPACE_NOT_AVAILABLE', 'the folder is a file', async () => {
  const file = join(folder, 'a-file.txt');
  await writeFile(file, '');
  const reply = await server.call('GET', '/ext/sandbox/rules', { query: { cartella: file } });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});

covers('ext.sandbox.rules-remove', 'removes a rule, and a second time answers NOT_FOUND', async () => {
  const { id } = (await add({ regola: 'Network(short.example)' })).data.regola;
  expect((await server.call('DELETE', `/ext/sandbox/rules/${id}`)).data).toEqual({ ok: true });
  expect(await rulesOf()).not.toContain('Network(short.example)');
  const again = await server.call('DELETE', `/ext/sandbox/rules/${id}`);
  expect([again.status, again.code]).toEqual([404, 'NOT_FOUND']);
});

covers('ext.sandbox.network', 'sets the network of a project and of a session, and takes it back', async () => {
  const sessionId = await server.startSession();
  await server.settled(sessionId);
  const set = (body: object) => server.call('POST', '/ext/sandbox/network', { body });
  const project = await set({ ambito: 'progetto', modalita: 'spenta', cartella: folder });
  expect(project.data.rete).toEqual({ ovunque: null, progetto: 'spenta', sessione: null, effettiva: 'spenta' });
  const session = await set({ ambito: 'sessione', modalita: 'aperta', sessionId });
  expect(session.data.rete).toMatchObject({ progetto: 'spenta', sessione: 'aperta', effettiva: 'aperta' });
  const fork = (await server.call('POST', `/sessions/${sessionId}/fork`)).data.sessionId;
  const ofFork = await server.call('GET', '/ext/sandbox', { query: { sessionId: fork } });
  expect(ofFork.data.sandbox.rete.effettiva).toBe('aperta');
  await set({ ambito: 'sessione', modalita: null, sessionId });
  const back = await set({ ambito: 'progetto', modalita: null, cartella: folder });
  expect(back.data.rete).toMatchObject({ progetto: null, effettiva: 'elenco' });
  const nowhere = await set({ ambito: 'progetto', modalita: 'spenta' });
  expect([nowhere.status, nowhere.code, nowhere.reason]).toEqual([400, 'QUERY_INVALID', 'sandbox-place']);
  const unknown = await set({ ambito: 'sessione', modalita: 'spenta', sessionId: 'absent' });
  expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND']);
});

refuses('ext.sandbox.network', 'WORKSPACE_NOT_AVAILABLE', 'the folder does not exist', async () => {
  const body = { ambito: 'progetto', modalita: 'spenta', cartella: `${folder}/absent` };
  const reply = await server.call('POST', '/ext/sandbox/network', { body });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});

covers('ext.sandbox.test', 'tries the sandbox in real commands, each with its result', async () => {
  const { funziona, tentativi } = (await server.call('POST', '/ext/sandbox/test')).data.prova;
  if (!funziona) return expect(tentativi).toEqual([]);
  expect(tentativi.length).toBeGreaterThan(8);
  const wrong = tentativi.filter(
    ({ atteso, esito }: { atteso: string; esito: string }) => esito !== atteso && esito !== 'saltato',
  );
  expect(wrong).toEqual([]);
  // What the user allows is not tested.
  const { id } = (await add({ regola: 'Network(*)' })).data.regola;
  const again = (await server.call('POST', '/ext/sandbox/test')).data.prova;
  const reach = again.tentativi.find(({ id: name }: { id: string }) => name === 'reach-unknown-host');
  expect(reach.esito).toBe('saltato');
  await server.call('DELETE', `/ext/sandbox/rules/${id}`);
});

covers('ext.sandbox.refusals', 'lists a blocked host with the rule that allows it', async () => {
  const sessionId = await server.startSession({ consegna: 'fetch it', permessi: 'Workspace write' });
  const card = await server.pending(sessionId);
  expect(card.azione).toMatchObject({ tipo: 'rete', host: 'blocked.example' });
  await server.call('POST', `/sessions/${sessionId}/approve`, {
    body: { requestId: card.requestId, approvato: false },
  });
  await server.settled(sessionId);
  const { rifiuti } = (await server.call('GET', '/ext/sandbox/refusals')).data;
  expect(rifiuti[0]).toMatchObject({
    tipo: 'rete',
    oggetto: 'blocked.example:80',
    motivo: 'non-ammesso',
    regola: 'Network(blocked.example)',
    sessionId,
    cartella: folder,
  });
});

test('rules and settings are not changed by a page of another site', async () => {
  const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const [method, path, body] of [
    ['POST', '/ext/sandbox/rules', { regola: 'Network(evil.example)' }],
    ['POST', '/ext/sandbox/network', { ambito: 'ovunque', modalita: 'aperta' }],
    ['POST', '/ext/sandbox/test', undefined],
  ] as const) {
    const reply = await server.call(method, path, { headers, body });
    expect([path, reply.status, reply.code]).toEqual([path, 403, 'ORIGIN_FORBIDDEN']);
  }
  expect(await rulesOf()).not.toContain('Network(evil.example)');
});

test('a rule survives a restart of the server', async () => {
  await using place = await tempDir();
  const dataDir = join(place.path, 'data');
  await mkdir(dataDir);
  const first = await testServer({ dataDir });
  await first.call('POST', '/ext/sandbox/rules', { body: { regola: 'Network(kept.example)' } });
  await first[Symbol.asyncDispose]();
  await using second = await testServer({ dataDir });
  const { regole } = (await second.call('GET', '/ext/sandbox/rules')).data;
  expect(regole.map(({ regola }: { regola: string }) => regola)).toEqual(['Network(kept.example)']);
});

test('a Write rule lets the agent write the control file without asking, in its project only', async () => {
  await add({ regola: 'Write(.github/workflows/**)', cartella: folder });
  const write = { name: 'scrivi', arguments: { percorso: '.github/workflows/ci.yml', contenuto: 'on: push\n' } };
  const other = { name: 'scrivi', arguments: { percorso: '.envrc', contenuto: 'x\n' } };
  await using own = await testServer({ script: [{ toolCalls: [write] }, { text: 'Done.' }] });
  for (const [at, calls, isAsked] of [
    [server, [write], false],
    [server, [other], true],
    [own, [write], true],
  ] as const) {
    at.model.script([{ toolCalls: [...calls] }, { text: 'Done.' }]);
    const id = await at.startSession({ permessi: 'Workspace write' });
    if (isAsked) {
      const { requestId, azione } = await at.pending(id);
      expect(azione).toMatchObject({ motivo: 'file-di-controllo' });
      await at.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
    }
    await at.settled(id);
    const requests = (await at.events(id)).filter(({ type }) => type === 'ApprovalRequested');
    expect(requests).toHaveLength(isAsked ? 1 : 0);
  }
});

test('the network that is off for a session is off for the agents it starts', async () => {
  const delegate = { name: 'delega_sottotask', arguments: { task: 'CHILD: fetch it', cartella: 'test' } };
  const curl = { name: 'shell', arguments: { comando: 'curl -sS -m 20 http://blocked.example/; echo over' } };
  let isOff = false;
  await using own = await testServer({
    script: ({ lastRole, lastText }) => {
      if (lastRole === 'tool') return { text: 'Done.' };
      if (lastText.includes('CHILD')) return { toolCalls: [curl] };
      return isOff ? { toolCalls: [delegate] } : { text: 'Ready.' };
    },
  });
  const id = await own.startSession({ permessi: 'Workspace write' });
  await own.settled(id);
  await own.call('POST', '/ext/sandbox/network', { body: { ambito: 'sessione', modalita: 'spenta', sessionId: id } });
  isOff = true;
  await own.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Go on.' } });
  const refused = await until(async () => {
    const { rifiuti } = (await own.call('GET', '/ext/sandbox/refusals')).data;
    return rifiuti[0];
  });
  expect(refused).toMatchObject({ oggetto: 'blocked.example:80', motivo: 'rete-spenta', regola: null });
  expect(refused.sessionId).not.toBe(id);
});

test('reports that a server has no token, and accepts rules from its window only', async () => {
  await using own = await testServer({ settings: { token: undefined } });
  expect((await own.call('GET', '/ext/sandbox')).data.sandbox.conToken).toBe(false);
  const program = await own.call('POST', '/ext/sandbox/rules', { body: { regola: 'Network(a.example)' } });
  expect([program.status, program.code]).toEqual([403, 'ORIGIN_FORBIDDEN']);
  const headers = { origin: own.url.replace(/\/$/, ''), 'sec-fetch-site': 'same-origin' };
  const inWindow = await own.call('POST', '/ext/sandbox/rules', { headers, body: { regola: 'Network(a.example)' } });
  expect(inWindow.status).toBe(201);
});

const tools = (body: object) => server.call('POST', '/ext/sandbox/tools', { body });
const deniedBy = async (query: Record<string, string> = {}) =>
  Object.fromEntries(
    (await server.call('GET', '/ext/sandbox/tools', { query })).data.tools.map(
      (row: { tool: string; denied: boolean; deniedBy: string[] }) => [row.tool, row.denied ? row.deniedBy : []],
    ),
  );

covers('ext.sandbox.tools', 'lists the tools of the network and who denies them', async () => {
  expect(await deniedBy()).toEqual({ naviga: [], web_search: [], browser_open: [] });
});

covers(
  'ext.sandbox.tools-deny',
  'denies a tool for a session, a project or everywhere, and no other tool',
  async () => {
    const sessionId = await server.startSession();
    await server.settled(sessionId);
    const other = await server.startSession();
    await server.settled(other);
    await tools({ tool: 'naviga', scope: 'session', sessionId, denied: true });
    expect(await deniedBy({ sessionId })).toMatchObject({ naviga: ['session'], web_search: [] });
    expect(await deniedBy({ sessionId: other })).toMatchObject({ naviga: [] });
    await tools({ tool: 'web_search', scope: 'project', folder, denied: true });
    expect(await deniedBy({ sessionId: other })).toMatchObject({ naviga: [], web_search: ['project'] });
    expect(await deniedBy()).toMatchObject({ web_search: [] });
    const { data } = await tools({ tool: 'naviga', scope: 'everywhere', denied: true });
    expect(data.tools[0]).toEqual({ tool: 'naviga', denied: true, deniedBy: ['everywhere'] });
    expect(await deniedBy({ sessionId })).toMatchObject({ naviga: ['everywhere', 'session'] });
    for (const [tool, scope] of [
      ['naviga', 'session'],
      ['web_search', 'project'],
      ['naviga', 'everywhere'],
    ]) {
      await tools({
        tool,
        scope,
        denied: false,
        ...(scope === 'session' ? { sessionId } : scope === 'project' ? { folder } : {}),
      });
    }
    expect(await deniedBy({ sessionId })).toEqual({ naviga: [], web_search: [], browser_open: [] });
  },
);

test('refuses an unknown tool and a scope that does not fit the place', async () => {
  expect((await tools({ tool: 'shell', scope: 'everywhere', denied: true })).code).toBe('QUERY_INVALID');
  expect((await tools({ tool: 'naviga', scope: 'session', denied: true })).code).toBe('QUERY_INVALID');
});

refuses('ext.sandbox.tools', 'WORKSPACE_NOT_AVAILABLE', 'the folder does not exist', async () => {
  const reply = await server.call('GET', '/ext/sandbox/tools', { query: { folder: `${folder}/absent` } });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});

refuses('ext.sandbox.tools-deny', 'WORKSPACE_NOT_AVAILABLE', 'the folder does not exist', async () => {
  const reply = await tools({ tool: 'naviga', scope: 'project', denied: true, folder: `${folder}/absent` });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});
