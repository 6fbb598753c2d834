import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, coversEach, refusesEach } from '../covers.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let sessionId: string;
beforeAll(async () => {
  server = await testServer();
  sessionId = await server.startSession();
  await server.settled(sessionId);
});
afterAll(() => server[Symbol.asyncDispose]());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

interface Kind {
  collection: string;
  record: string;
  list: string;
  fields: { titolo: string } & Record<string, unknown>;
  change: Record<string, unknown>;
  tooLong: Record<string, unknown>;
  code: string;
}

const KINDS: Record<string, Kind> = {
  notes: {
    collection: 'notes',
    record: 'nota',
    list: 'note',
    fields: { titolo: 'Forge', contenuto: '# Heat\n\nslowly' },
    change: { titolo: 'Anvil' },
    tooLong: { titolo: 'x'.repeat(121) },
    code: 'NOTE',
  },
  tasks: {
    collection: 'tasks',
    record: 'attivita',
    list: 'attivita',
    fields: { titolo: 'Oil the hinge', descrizione: 'with care', priorita: 'high' },
    change: { descrizione: null },
    tooLong: { titolo: 'x'.repeat(201) },
    code: 'TASK',
  },
  memories: {
    collection: 'memory',
    record: 'memoria',
    list: 'memorie',
    fields: { titolo: 'Indentation', contenuto: 'Two spaces', genere: 'project_fact' },
    change: { genere: 'procedure' },
    tooLong: { contenuto: 'x'.repeat(601) },
    code: 'MEMORY',
  },
};

/** The record kind of an operation, and the path of its collection. */
function placeOf(operation: string): Kind & { at: string } {
  const name = operation.replace('session-', '').split('.')[0] ?? '';
  const kind = KINDS[name] as Kind;
  const root = operation.startsWith('session-') ? `/sessions/${sessionId}` : '/me';
  return { ...kind, at: `${root}/${kind.collection}` };
}

let made = 0;
/** A new record with a unique title; returns the response. */
async function create(operation: string): Promise<{ reply: Reply; id: string; record: any }> {
  const { at, fields, record } = placeOf(operation);
  const reply = await server.call('POST', at, { body: { ...fields, titolo: `${fields.titolo} ${++made}` } });
  return { reply, id: reply.data?.[record]?.id, record: reply.data?.[record] };
}

coversEach(
  [
    'notes.create',
    'tasks.create',
    'memories.create',
    'session-notes.create',
    'session-tasks.create',
    'session-memories.create',
  ],
  'keeps what a user writes, and says where it can be read',
  async (operation) => {
    const { at, fields } = placeOf(operation);
    const { reply, id, record } = await create(operation);
    expect(reply.status).toBe(200);
    expect(record).toEqual({
      ...record,
      ...fields,
      titolo: record.titolo,
      id: expect.stringMatching(UUID),
      origine: 'persona',
      creataAlle: expect.stringMatching(ISO),
      aggiornataAlle: record.creataAlle,
    });
    const location = reply.headers.get('location') ?? '';
    expect(location).toBe(`/api/v1${at}/${id}`);
    expect((await server.call('GET', location.slice('/api/v1'.length))).data).toEqual({
      [placeOf(operation).record]: record,
    });
  },
);

coversEach(
  ['notes.list', 'tasks.list', 'memories.list', 'session-notes.list', 'session-tasks.list', 'session-memories.list'],
  'the newest first, the same through a session and alone; a text and a number narrow it',
  async (operation) => {
    const { at, list } = placeOf(operation);
    const first = await create(operation);
    const second = await create(operation);
    const { data } = await server.call('GET', at);
    expect(data.errore).toBeNull();
    const ids = data[list].map(({ id }: { id: string }) => id);
    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
    const { origine: _origin, creataAlle: _created, formato: _format, ...row } = second.record;
    expect(data[list][ids.indexOf(second.id)]).toEqual(row);
    const narrowed = await server.call('GET', at, { query: { cerca: ` ${second.record.titolo.toUpperCase()} ` } });
    expect(narrowed.data[list]).toEqual([row]);
    expect((await server.call('GET', at, { query: { limite: '1' } })).data[list]).toHaveLength(1);
    for (const [name, value] of [
      ['limite', '0'],
      ['limite', 'x'],
      ['altro', '1'],
    ] as const) {
      expect((await server.call('GET', at, { query: { [name]: value } })).code).toBe('QUERY_INVALID');
    }
  },
);

coversEach(
  ['notes.read', 'tasks.read', 'memories.read', 'session-notes.read', 'session-tasks.read', 'session-memories.read'],
  'the whole record, also to a HEAD',
  async (operation) => {
    const { at, record } = placeOf(operation);
    const made = await create(operation);
    expect((await server.call('GET', `${at}/${made.id}`)).data).toEqual({ [record]: made.record });
    expect((await server.call('HEAD', `${at}/${made.id}`)).status).toBe(200);
  },
);

coversEach(
  [
    'notes.change',
    'tasks.change',
    'memories.change',
    'session-notes.change',
    'session-tasks.change',
    'session-memories.change',
  ],
  'only what is sent',
  async (operation) => {
    const { at, record, change } = placeOf(operation);
    const made = await create(operation);
    const reply = await server.call('PATCH', `${at}/${made.id}`, { body: change });
    expect(reply.data[record]).toEqual({
      ...made.record,
      ...change,
      aggiornataAlle: reply.data[record].aggiornataAlle,
    });
    expect((await server.call('GET', `${at}/${made.id}`)).data[record]).toEqual(reply.data[record]);
  },
);

coversEach(
  [
    'notes.delete',
    'tasks.delete',
    'memories.delete',
    'session-notes.delete',
    'session-tasks.delete',
    'session-memories.delete',
  ],
  'answers what was deleted, which then is not there',
  async (operation) => {
    const { at, code } = placeOf(operation);
    const { id, record } = await create(operation);
    const reply = await server.call('DELETE', `${at}/${id}`);
    expect(reply.data).toEqual({ eliminata: true, id, titolo: record.titolo });
    expect(await server.call('GET', `${at}/${id}`)).toMatchObject({ status: 404, code: `${code}_NOT_FOUND` });
  },
);

coversEach(
  ['tasks.set-status', 'session-tasks.set-status'],
  'changes the state and nothing else',
  async (operation) => {
    const { at } = placeOf(operation);
    const { id, record } = await create(operation);
    expect(record.stato).toBe('todo');
    for (const stato of ['doing', 'done', 'todo']) {
      const { data } = await server.call('POST', `${at}/${id}/stato`, { body: { stato } });
      expect(data.attivita).toEqual({ ...record, stato, aggiornataAlle: data.attivita.aggiornataAlle });
    }
  },
);

describe('invalid input', () => {
  const INVALID = async (operation: string): Promise<void> => {
    const { at, fields, tooLong, code } = placeOf(operation);
    const before = (await server.call('GET', at)).data;
    const bodies = [{ ...fields, ...tooLong }, { ...fields, titolo: '  ' }, { ...fields, titolo: null }, {}];
    for (const body of bodies) {
      expect(await server.call('POST', at, { body })).toMatchObject({ status: 400, code: `${code}_INVALID` });
    }
    for (const body of [{ ...fields, altro: 1 }, [], 'text']) {
      expect((await server.call('POST', at, { body })).code).toBe('QUERY_INVALID');
    }
    expect((await server.call('GET', at)).data).toEqual(before);
  };
  refusesEach('NOTE_INVALID', ['notes.create', 'session-notes.create'], INVALID);
  refusesEach('TASK_INVALID', ['tasks.create', 'session-tasks.create'], INVALID);
  refusesEach('MEMORY_INVALID', ['memories.create', 'session-memories.create'], INVALID);

  const CHANGE_INVALID = async (operation: string): Promise<void> => {
    const { at, tooLong, record, code } = placeOf(operation);
    const made = await create(operation);
    for (const body of [tooLong, { titolo: '' }, {}]) {
      const reply = await server.call('PATCH', `${at}/${made.id}`, { body });
      expect(reply).toMatchObject({ status: 400, code: `${code}_INVALID` });
    }
    expect((await server.call('PATCH', `${at}/${made.id}`, { body: { stato: 'done' } })).status).toBe(400);
    expect((await server.call('GET', `${at}/${made.id}`)).data[record]).toEqual(made.record);
  };
  refusesEach('NOTE_INVALID', ['notes.change', 'session-notes.change'], CHANGE_INVALID);
  refusesEach('TASK_INVALID', ['tasks.change', 'session-tasks.change'], CHANGE_INVALID);
  refusesEach('MEMORY_INVALID', ['memories.change', 'session-memories.change'], CHANGE_INVALID);

  const METHODS: Record<string, [method: string, tail: string, body?: unknown]> = {
    read: ['GET', ''],
    delete: ['DELETE', ''],
    change: ['PATCH', '', { titolo: 'Other' }],
    'set-status': ['POST', '/stato', { stato: 'done' }],
  };
  const callOn = (operation: string, id: string): Promise<Reply> => {
    const [method, tail, body] = METHODS[operation.split('.')[1] ?? ''] as [string, string, unknown];
    return server.call(method, `${placeOf(operation).at}/${id}${tail}`, { body });
  };
  const LONG_ID = async (operation: string): Promise<void> => {
    const { code } = placeOf(operation);
    expect(await callOn(operation, 'x'.repeat(201))).toMatchObject({ status: 400, code: `${code}_INVALID` });
  };
  refusesEach('NOTE_INVALID', ['notes.read', 'notes.delete', 'session-notes.read', 'session-notes.delete'], LONG_ID);
  refusesEach('TASK_INVALID', ['tasks.read', 'tasks.delete', 'session-tasks.read', 'session-tasks.delete'], LONG_ID);
  refusesEach(
    'MEMORY_INVALID',
    ['memories.read', 'memories.delete', 'session-memories.read', 'session-memories.delete'],
    LONG_ID,
  );

  refusesEach('TASK_INVALID', ['tasks.set-status', 'session-tasks.set-status'], async (operation) => {
    const { at } = placeOf(operation);
    const { id } = await create(operation);
    const reply = await server.call('POST', `${at}/${id}/stato`, { body: { stato: 'gone' } });
    expect(reply).toMatchObject({ status: 400, code: 'TASK_INVALID' });
    expect((await server.call('GET', `${at}/${id}`)).data.attivita.stato).toBe('todo');
  });

  const ABSENT = async (operation: string): Promise<void> => {
    const { code } = placeOf(operation);
    for (const id of ['absent', '00000000-0000-4000-8000-000000000000', '%20']) {
      expect(await callOn(operation, id)).toMatchObject({ status: 404, code: `${code}_NOT_FOUND` });
    }
  };
  refusesEach(
    'NOTE_NOT_FOUND',
    [
      'notes.read',
      'notes.change',
      'notes.delete',
      'session-notes.read',
      'session-notes.change',
      'session-notes.delete',
    ],
    ABSENT,
  );
  refusesEach(
    'TASK_NOT_FOUND',
    [
      'tasks.read',
      'tasks.change',
      'tasks.delete',
      'tasks.set-status',
      'session-tasks.read',
      'session-tasks.change',
      'session-tasks.delete',
      'session-tasks.set-status',
    ],
    ABSENT,
  );
  refusesEach(
    'MEMORY_NOT_FOUND',
    [
      'memories.read',
      'memories.change',
      'memories.delete',
      'session-memories.read',
      'session-memories.change',
      'session-memories.delete',
    ],
    ABSENT,
  );

  test('an unknown session is reported before anything is stored', async () => {
    const before = (await server.call('GET', '/me/notes')).data.note.length;
    const body = KINDS.notes?.fields;
    expect(await server.call('POST', '/sessions/absent/notes', { body })).toMatchObject({ code: 'NOT_FOUND' });
    expect((await server.call('GET', '/sessions/absent/notes')).code).toBe('NOT_FOUND');
    expect((await server.call('GET', '/me/notes')).data.note).toHaveLength(before);
  });

  test('rejects a body above its limit', async () => {
    const body = { titolo: 'a', contenuto: 'x'.repeat(70_000) };
    expect(await server.call('POST', '/me/notes', { body })).toMatchObject({ status: 413, code: 'PAYLOAD_LIMIT' });
    expect((await server.call('POST', '/me/tasks', { body: { titolo: 'x'.repeat(17_000) } })).status).toBe(413);
  });
});

describe('batches', () => {
  coversEach(
    ['notes.batch', 'tasks.batch', 'memories.batch'],
    'each on its own, in order, with one outcome each',
    async (operation) => {
      const { at, collection, code } = placeOf(operation);
      const [first, second] = [await create(operation), await create(operation)];
      const ids = [second.id, 'absent', first.id];
      expect((await server.call('POST', `${at}/batch`, { body: { azione: 'elimina', ids } })).data).toEqual({
        azione: 'elimina',
        risorsa: collection,
        esiti: [
          { id: second.id, ok: true, status: 200 },
          { id: 'absent', ok: false, status: 404, code: `${code}_NOT_FOUND` },
          { id: first.id, ok: true, status: 200 },
        ],
        riepilogo: { richiesti: 3, riusciti: 2, falliti: 1 },
      });
    },
  );

  test('an invalid batch deletes nothing', async () => {
    const { id } = await create('notes.create');
    const many = Array.from({ length: 251 }, (_, index) => `${index}`);
    for (const body of [
      { azione: 'elimina', ids: [id, id] },
      { azione: 'elimina', ids: [id, ''] },
      { azione: 'elimina', ids: [id, ...many] },
      { azione: 'elimina', ids: [] },
      { azione: 'svuota', ids: [id] },
      { ids: [id] },
    ])
      expect(await server.call('POST', '/me/notes/batch', { body })).toMatchObject({ code: 'QUERY_INVALID' });
    expect((await server.call('GET', `/me/notes/${id}`)).status).toBe(200);
  });
});

covers('memories.create', 'returns the existing memory for an existing title', async () => {
  const { record } = await create('memories.create');
  const body = { titolo: record.titolo.toUpperCase(), contenuto: 'other' };
  const reply = await server.call('POST', '/me/memory', { body });
  expect([reply.status, reply.data]).toEqual([200, { memoria: record, duplicato: true }]);
});

test('notes are Markdown or plain text by content or by choice', async () => {
  const made = await server.call('POST', '/me/notes', { body: { titolo: 'a', contenuto: 'plain', formato: null } });
  const { id } = made.data.nota;
  expect(made.data.nota.formato).toBe('testo');
  const chosen = await server.call('PATCH', `/me/notes/${id}`, { body: { formato: 'markdown' } });
  expect(chosen.data.nota.formato).toBe('markdown');
  const bad = await server.call('PATCH', `/me/notes/${id}`, { body: { formato: 'html' } });
  expect([bad.status, bad.code]).toEqual([400, 'NOTE_INVALID']);
});
