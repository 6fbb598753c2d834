import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { breakStore, busySession, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let quiet: string;

beforeAll(async () => {
  server = await testServer();
  quiet = await server.startSession();
  await server.settled(quiet);
});
afterAll(async () => server[Symbol.asyncDispose]());

/** A turn that waits for an answer: the session runs as long as the test wants. */
async function running(): Promise<{ id: string; end(): Promise<void> }> {
  server.model.script(() => ({ toolCalls: [{ name: 'shell', arguments: { comando: 'true' } }] }));
  const id = await server.startSession({ permessi: 'On request' });
  await server.pending(id);
  server.model.script(() => ({ text: 'Hello.' }));
  return {
    id,
    async end() {
      await server.call('POST', `/sessions/${id}/stop`);
      await server.settled(id);
    },
  };
}

const create = (fields: Record<string, unknown>) =>
  server.call('POST', '/sessions/custom', {
    body: { cartellaLibera: server.project.path, consegna: 'Look around.', modello: 'ollama:tiny', ...fields },
  });

describe('creating a session', () => {
  covers('sessions.create-custom', 'runs the first turn in the chosen folder', async () => {
    const { status, data } = await create({
      permessi: 'Read only',
      reasoning: { effort: 'low' },
      linguaInterfaccia: 'en',
    });
    expect(status).toBe(200);
    expect(data.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    const row = await server.settled(data.sessionId);
    expect(row).toMatchObject({
      taskId: 'libero:full-access',
      nome: 'Look around.',
      modello: 'ollama:tiny',
      permessi: 'Read only',
      modalitaOperativa: 'normale',
      reasoning: { effort: 'low' },
      conclusa: true,
      interrotta: false,
      ultimoEsito: 'fine-lavoro',
      motivoChiusura: 'fine-lavoro',
      inAttesaApprovazione: false,
      usage: { giri: 1 },
    });
  });

  refuses('sessions.create-custom', 'MODEL_ID_INVALID', 'for an invalid model id', async () => {
    for (const modello of ['', 'x', 'no spaces/here', 7, 'nobody:x'])
      expect((await create({ modello })).code).toBe('MODEL_ID_INVALID');
  });

  refuses('sessions.create-custom', 'PERMISSIONS_INVALID', 'for an unknown level', async () => {
    for (const permessi of ['read only', 'Research', null])
      expect((await create({ permessi })).code).toBe('PERMISSIONS_INVALID');
  });

  refuses(
    'sessions.create-custom',
    'REASONING_INVALID',
    'for an unknown effort, an unknown key or an empty object',
    async () => {
      for (const reasoning of [{ effort: 'huge' }, { depth: 1 }, {}, 'high']) {
        expect((await create({ reasoning })).code).toBe('REASONING_INVALID');
      }
    },
  );

  refuses('sessions.create-custom', 'MODE_WORKFLOW_RETIRED', 'only for the retired workflow mode', async () => {
    expect((await create({ modalitaOperativa: 'workflow' })).code).toBe('MODE_WORKFLOW_RETIRED');
    expect((await create({ modalitaOperativa: 'other' })).code).toBe('QUERY_INVALID');
  });

  refuses('sessions.create-custom', 'WORKSPACE_NOT_AVAILABLE', 'for a missing folder or project', async () => {
    expect((await create({ cartellaLibera: '/nowhere/at/all' })).code).toBe('WORKSPACE_NOT_AVAILABLE');
    const body = { cartellaId: '0'.repeat(16), consegna: 'x', modello: 'ollama:tiny' };
    expect((await server.call('POST', '/sessions/custom', { body })).code).toBe('WORKSPACE_NOT_AVAILABLE');
  });

  refuses('sessions.create-custom', 'WORKSPACE_LAUNCH_NOT_AVAILABLE', 'for an unknown launch', async () => {
    const body = { workspaceLaunchId: 'a'.repeat(32), consegna: 'x', modello: 'ollama:tiny' };
    expect(await server.call('POST', '/sessions/custom', { body })).toMatchObject({
      status: 410,
      code: 'WORKSPACE_LAUNCH_NOT_AVAILABLE',
    });
  });

  refuses(
    'sessions.create-custom',
    'PROVIDER_FALLBACK_INVALID',
    'for a fallback provider that has no key',
    async () => {
      const fallbackProviders = [{ provider: 'local', model: 'x' }];
      expect((await create({ fallbackProviders })).code).toBe('PROVIDER_FALLBACK_INVALID');
    },
  );

  refuses(
    'sessions.create-custom',
    'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
    'for a model without tool support',
    async () => {
      const fallbackProviders = [{ provider: 'openai', model: 'no-such-model' }];
      expect((await create({ fallbackProviders })).code).toBe('PROVIDER_FALLBACK_TOOLS_UNSUPPORTED');
    },
  );

  refuses('sessions.create-custom', 'SESSION_STORE_HEADER_FAILED', 'when the store cannot be written', async () => {
    await using broken = await testServer();
    await broken.settled(await broken.startSession());
    await breakStore(
      broken.dataDir,
      "CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    const body = { cartellaLibera: broken.project.path, consegna: 'x', modello: 'ollama:tiny' };
    const { code } = await broken.call('POST', '/sessions/custom', { body });
    expect(code).toBe('SESSION_STORE_HEADER_FAILED');
    expect((await broken.call('GET', '/sessions')).data.items).toHaveLength(1);
  });

  refuses('sessions.create-custom', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
    await using closing = await testServer();
    await closing.host.quiesce();
    const body = { cartellaLibera: closing.project.path, consegna: 'x', modello: 'ollama:tiny' };
    expect(await closing.call('POST', '/sessions/custom', { body })).toMatchObject({
      status: 503,
      code: 'SERVER_SHUTTING_DOWN',
    });
  });

  covers('sessions.create-custom', 'invalid input creates no session', async () => {
    const before = (await server.call('GET', '/sessions')).data.items.length;
    const folder = { cartellaLibera: server.project.path, consegna: 'x' };
    const bad = [
      {},
      { consegna: 'x' },
      { ...folder, cartellaId: 'y' },
      { ...folder, unknown: 1 },
      { ...folder, consegna: '' },
      { ...folder, permessiPerAttrezzo: {} },
      { ...folder, permessiPerAttrezzo: { leggi: 'sempre' } },
      { ...folder, permessiPerAttrezzo: { shell: 'forse' } },
      { ...folder, immagini: [{ id: '0'.repeat(64) }], modello: 'ollama:tiny' },
      { ...folder, fallbackProviders: Array.from({ length: 9 }, () => ({ provider: 'a', model: 'b' })) },
      { ...folder, workspaceLaunchId: 'short' },
    ];
    for (const body of bad) {
      const reply = await server.call('POST', '/sessions/custom', { body });
      expect([reply.status, reply.code]).toEqual([400, 'QUERY_INVALID']);
    }
    expect((await server.call('GET', '/sessions')).data.items.length).toBe(before);
  });
});

describe('listing', () => {
  covers('sessions.list', 'lists newest first with every field', async () => {
    const later = await server.startSession();
    await server.settled(later);
    const { data } = await server.call('GET', '/sessions');
    expect(data.items[0].sessionId).toBe(later);
    const starts = data.items.map((item: { avviataAlle: string }) => item.avviataAlle);
    expect(starts.toSorted((a: string, b: string) => (a < b ? 1 : -1))).toEqual(starts);
    expect(Object.keys(data.items[0])).toEqual(expect.arrayContaining(ROW_FIELDS));
  });
});

const ROW_FIELDS = [
  'sessionId',
  'taskId',
  'progetto',
  'nome',
  'avviataAlle',
  'ultimaRispostaAlle',
  'conclusa',
  'interrotta',
  'forkDa',
  'modello',
  'modelloPlanner',
  'reasoning',
  'permessi',
  'modalitaOperativa',
  'usavaModalitaWorkflow',
  'permessiPerAttrezzo',
  'inAttesaDomanda',
  'inAttesaRichiestaMcp',
  'inAttesaPiano',
  'inAttesaDiscendente',
  'inAttesaApprovazione',
  'inAttesaApprovazioneDaMs',
  'provider',
  'runtimeId',
  'modelId',
  'fallbackProvider',
  'fallbackProviders',
  'padreId',
  'profonditaDelega',
  'avvioDelega',
  'passoWorkflow',
  'taskDelega',
  'sequenzaAlRipristino',
  'ultimoEsito',
  'motivoChiusura',
  'usage',
  'usageSessione',
  'cacheSessione',
  'giriFermati',
];

describe('renaming', () => {
  covers('sessions.rename', 'trims the name and shows it in the list', async () => {
    expect((await server.call('POST', `/sessions/${quiet}/rename`, { body: { nome: '  Pages  ' } })).data).toEqual({
      ok: true,
    });
    const { data } = await server.call('GET', '/sessions');
    expect(data.items.find((item: any) => item.sessionId === quiet).nome).toBe('Pages');
    for (const nome of ['', '   ', 'x'.repeat(81), 7]) {
      expect((await server.call('POST', `/sessions/${quiet}/rename`, { body: { nome } })).code).toBe('QUERY_INVALID');
    }
  });

  refuses('sessions.rename', 'SESSION_STORE_WRITE_FAILED', 'when the store cannot be written', async () => {
    await using broken = await testServer();
    const id = await broken.startSession();
    await broken.settled(id);
    await breakStore(
      broken.dataDir,
      "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect((await broken.call('POST', `/sessions/${id}/rename`, { body: { nome: 'x' } })).code).toBe(
      'SESSION_STORE_WRITE_FAILED',
    );
  });

  refuses('sessions.rename', 'SESSION_STORE_BUSY', 'when another process runs the session', () =>
    expectBusy('rename', { nome: 'x' }),
  );
});

describe('settings', () => {
  const change = (body: unknown) => server.call('POST', `/sessions/${quiet}/settings`, { body });
  const row = async () =>
    (await server.call('GET', '/sessions')).data.items.find((item: any) => item.sessionId === quiet);

  covers('sessions.settings', 'changes only the sent fields', async () => {
    expect((await change({ permessi: 'On request', modelloPlanner: 'openai:gpt-5' })).data).toEqual({ updated: true });
    expect(await row()).toMatchObject({
      permessi: 'On request',
      modelloPlanner: 'openai:gpt-5',
      modello: 'ollama:tiny',
    });
    await change({ modelloPlanner: null, modalitaOperativa: 'piano', linguaInterfaccia: 'it' });
    expect(await row()).toMatchObject({ permessi: 'On request', modelloPlanner: null, modalitaOperativa: 'piano' });
    await change({ modalitaOperativa: 'normale' });
  });

  covers('sessions.settings', 'a merge keeps denied tools when asked and names them', async () => {
    await change({ permessiPerAttrezzo: { shell: 'nega', scrivi: 'chiedi' } });
    const { data } = await change({
      unisciPermessiPerAttrezzo: { shell: 'sempre', prova: 'sempre' },
      rispettaNega: true,
    });
    expect(data).toEqual({ updated: true, nonUniti: ['shell'] });
    expect((await row()).permessiPerAttrezzo).toEqual({ shell: 'nega', scrivi: 'chiedi', prova: 'sempre' });
    expect(
      (await change({ permessiPerAttrezzo: { prova: 'sempre' }, unisciPermessiPerAttrezzo: { prova: 'nega' } })).code,
    ).toBe('QUERY_INVALID');
    expect((await change({ rispettaNega: true })).code).toBe('QUERY_INVALID');
    expect((await change({})).code).toBe('QUERY_INVALID');
  });

  refuses(
    'sessions.settings',
    'MODEL_ID_INVALID',
    'for an invalid id, or null where it cannot be cleared',
    async () => {
      expect((await change({ modello: 'x' })).code).toBe('MODEL_ID_INVALID');
      expect((await change({ modello: null })).code).toBe('MODEL_ID_INVALID');
      expect((await change({ modelloPlanner: 'x' })).code).toBe('MODEL_ID_INVALID');
    },
  );
  refuses('sessions.settings', 'PERMISSIONS_INVALID', 'for an unknown level', async () => {
    expect((await change({ permessi: 'all' })).code).toBe('PERMISSIONS_INVALID');
  });
  refuses('sessions.settings', 'REASONING_INVALID', 'for an unknown summary', async () => {
    expect((await change({ reasoning: { summary: 'long' } })).code).toBe('REASONING_INVALID');
  });
  refuses('sessions.settings', 'MODE_WORKFLOW_RETIRED', 'for the retired mode', async () => {
    expect((await change({ modalitaOperativa: 'workflow' })).code).toBe('MODE_WORKFLOW_RETIRED');
  });
  refuses('sessions.settings', 'PROVIDER_FALLBACK_INVALID', 'for a repeated fallback', async () => {
    const entry = { provider: 'openai', model: 'x' };
    expect((await change({ fallbackProviders: [entry, entry] })).code).toBe('PROVIDER_FALLBACK_INVALID');
  });
  refuses('sessions.settings', 'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED', 'for a model without tool support', async () => {
    expect((await change({ fallbackProviders: [{ provider: 'openai', model: 'x' }] })).code).toBe(
      'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
    );
  });
  refuses('sessions.settings', 'SESSION_NOT_READY', 'for the mode, not the level, while a turn runs', async () => {
    const turn = await running();
    const during = (body: unknown) => server.call('POST', `/sessions/${turn.id}/settings`, { body });
    expect(await during({ modalitaOperativa: 'piano' })).toMatchObject({ status: 409, code: 'SESSION_NOT_READY' });
    expect((await during({ permessi: 'Read only' })).ok).toBe(true);
    await turn.end();
  });
  refuses('sessions.settings', 'SESSION_STORE_WRITE_FAILED', 'when the store cannot be written', async () => {
    await using broken = await testServer();
    const id = await broken.startSession();
    await broken.settled(id);
    await breakStore(
      broken.dataDir,
      "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    const body = { permessi: 'Read only' };
    expect((await broken.call('POST', `/sessions/${id}/settings`, { body })).code).toBe('SESSION_STORE_WRITE_FAILED');
    expect((await broken.call('GET', '/sessions')).data.items[0].permessi).toBe('Workspace write');
  });
  refuses('sessions.settings', 'SESSION_STORE_BUSY', 'when another process runs the session', () =>
    expectBusy('settings', { permessi: 'Read only' }),
  );
});

describe('deleting', () => {
  covers('sessions.delete', 'removes the session from every read', async () => {
    const id = await server.startSession();
    await server.settled(id);
    expect((await server.call('POST', `/sessions/${id}/delete`)).data).toEqual({
      ok: true,
      workflowEliminati: 0,
      workflowNonEliminati: [],
    });
    for (const path of ['events', 'export', 'metrics', 'processes', 'pending', 'tree']) {
      expect(await server.call('GET', `/sessions/${id}/${path}`)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  refuses('sessions.delete', 'SESSION_STILL_RUNNING', 'while a turn runs', async () => {
    const turn = await running();
    expect(await server.call('POST', `/sessions/${turn.id}/delete`)).toMatchObject({
      status: 409,
      code: 'SESSION_STILL_RUNNING',
    });
    await turn.end();
    expect((await server.call('POST', `/sessions/${turn.id}/delete`)).ok).toBe(true);
  });

  refuses('sessions.delete', 'SESSION_STORE_DELETE_FAILED', 'when the store cannot be written', async () => {
    await using broken = await testServer();
    const id = await broken.startSession();
    await broken.settled(id);
    await breakStore(
      broken.dataDir,
      "CREATE TRIGGER kept BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'kept'); END",
    );
    expect((await broken.call('POST', `/sessions/${id}/delete`)).code).toBe('SESSION_STORE_DELETE_FAILED');
    expect((await broken.call('GET', '/sessions')).data.items).toHaveLength(1);
  });

  refuses('sessions.delete', 'SESSION_STORE_BUSY', 'when another process runs the session', () =>
    expectBusy('delete', undefined),
  );
});

async function expectBusy(operation: string, body: unknown): Promise<void> {
  await using busy = await busySession(server);
  const reply = await server.call('POST', `/sessions/${busy.sessionId}/${operation}`, { body });
  expect(reply).toMatchObject({ status: 503, code: 'SESSION_STORE_BUSY' });
}
