import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type Reply, until } from '../harness.ts';
import { DRAFT, type ResearchFixture, researchFixture } from '../research-fixture.ts';

let fixture: ResearchFixture;
/** Done before the first test. */
let done: string;
beforeAll(async () => {
  fixture = await researchFixture();
  done = await fixture.start();
  await fixture.ended(done);
});
afterAll(async () => fixture[Symbol.asyncDispose]());

const call = (method: string, id: string, tail = '', options: Parameters<typeof fixture.server.call>[2] = {}) =>
  fixture.server.call(method, `/sessions/${fixture.session}/research/${id}${tail}`, options);
const begun = (own: ResearchFixture, id: string, kind: string): Promise<true> =>
  until(async () => (await own.read(id)).passi.some(({ tipo }: { tipo: string }) => tipo === kind) || undefined);
const folder = (id: string, ...parts: string[]): string =>
  join(fixture.server.project.path, '.svc/research', id, ...parts);

covers('research.read', 'returns plan, steps, sources, claims with verdicts, and the report', async () => {
  const { ricerca } = (await call('GET', done)).data;
  expect(ricerca).toMatchObject({
    id: done,
    domanda: 'How is steel quenched?',
    question: 'How is steel quenched?',
    titolo: 'How steel is quenched',
    nome: 'How is steel quenched?',
    stato: 'done',
    padreId: fixture.session,
    motivo: null,
    ultimoMessaggio: DRAFT.summary,
    bilancio: { totali: 3, sostenute: 2, inParte: 1, nonSostenute: 0, contese: 0, nonVerificate: 0 },
    proveDistinte: 2,
    plan: ['What is it cooled in?', 'How hot is it?'],
    contenutoRespinto: null,
    spesa: { searches: 3, pages: 3 },
    giornale: { righeSaltate: 0, stato: 'done' },
  });
  expect(ricerca.report).toContain('## Cooling');
  expect(ricerca.passi.map(({ id, stato }: any) => `${id} ${stato}`)).toContain('verify-3 done');
  expect(ricerca.affermazioni[2]).toMatchObject({ fonte: 3, passo: '', verdetto: 'sostenuta' });
});

covers('research.list', 'lists reports newest first with the same state as a single read', async () => {
  const { data } = await fixture.server.call('GET', `/sessions/${fixture.session}/research`);
  const { ricerca } = (await call('GET', done)).data;
  expect(data).toMatchObject({ errore: null, totale: data.ricerche.length });
  const row = data.ricerche.find(({ id }: { id: string }) => id === done);
  expect(ricerca).toMatchObject(row);
});

test('runs in its own session at a fixed level, named after the question', async () => {
  const { data } = await fixture.server.call('GET', '/sessions');
  expect(data.items.find(({ sessionId }: { sessionId: string }) => sessionId === done)).toMatchObject({
    nome: 'How is steel quenched?',
    permessi: 'Research',
    padreId: fixture.session,
    conclusa: true,
  });
  const reply = await fixture.server.call('POST', `/sessions/${done}/settings`, { body: { permessi: 'Research' } });
  expect(reply.code).toBe('PERMISSIONS_INVALID');
});

test('stores the report in the project library and deletes it with the research', async () => {
  const id = await fixture.start('Another question?');
  const { reportLibraryId } = await fixture.ended(id);
  const library = async (): Promise<any[]> =>
    (await fixture.server.call('GET', `/sessions/${fixture.session}/library`)).data.voci;
  expect((await library()).find((item) => item.id === reportLibraryId)).toMatchObject({
    nome: 'How steel is quenched.md',
    creatoDa: 'research',
    origine: 'generated',
  });
  await call('DELETE', id);
  expect((await library()).find((item) => item.id === reportLibraryId)).toBeUndefined();
});

covers('research.pause', 'pauses after the running step and repeats no step', async () => {
  const gate = fixture.hold('write');
  const id = await fixture.start('Pause me?');
  await begun(fixture, id, 'synthesise');
  const reply = await call('POST', id, '/pausa', { body: {} });
  expect(reply.data.ricerca).toMatchObject({ stato: 'running', giornale: { stato: 'pause_requested' } });
  gate.go();
  const rests = await fixture.ended(id);
  expect(rests).toMatchObject({ stato: 'paused', motivo: expect.any(String), giornale: { stato: 'paused' } });
  expect(rests.passi.find(({ tipo }: any) => tipo === 'synthesise').stato).toBe('done');
});

covers('research.resume', 'resumes from the last finished step', async () => {
  const gate = fixture.hold('write');
  const id = await fixture.start('Resume me?');
  await begun(fixture, id, 'synthesise');
  await call('POST', id, '/pausa');
  gate.go();
  await fixture.ended(id);
  const { length } = fixture.queries;
  expect((await call('POST', id, '/ripresa')).status).toBe(200);
  expect(await fixture.ended(id)).toMatchObject({ stato: 'done', spesa: { searches: 3, pages: 3 } });
  expect(fixture.queries).toHaveLength(length);
});

test('stopping its session allows resuming, and the interrupted step is repeated', async () => {
  const gate = fixture.hold('check');
  const id = await fixture.start('Stop me?');
  await begun(fixture, id, 'verify');
  await fixture.server.call('POST', `/sessions/${id}/stop`);
  const stopped = await fixture.ended(id);
  expect(stopped.stato).toBe('paused');
  expect(stopped.passi.find(({ tipo }: any) => tipo === 'verify').stato).toBe('interrupted');
  gate.go();
  await call('POST', id, '/ripresa');
  expect(await fixture.ended(id)).toMatchObject({ stato: 'done', bilancio: { totali: 3, nonVerificate: 0 } });
});

test('a provider failure allows resuming', async () => {
  const { write } = fixture.answers;
  fixture.answers.write = () => {
    throw new Error('broken');
  };
  const id = await fixture.start('Fail me?');
  expect((await fixture.ended(id)).stato).toMatch(/paused|failed/);
  fixture.answers.write = write;
  await call('POST', id, '/ripresa');
  expect((await fixture.ended(id)).stato).toBe('done');
});

test('ends without a report when the model ignores the required format', async () => {
  const { write } = fixture.answers;
  fixture.answers.write = () => 'Sorry, no.';
  const id = await fixture.start('No report?');
  expect(await fixture.ended(id)).toMatchObject({ stato: 'senza-rapporto', report: null, bilancio: null });
  fixture.answers.write = write;
});

test('fails with a reason when no source is found', async () => {
  const { plan } = fixture.answers;
  fixture.answers.plan = () => JSON.stringify({ title: 'Nothing', plan: [{ question: 'x', queries: ['absent'] }] });
  const id = await fixture.start('Nothing there?');
  expect(await fixture.ended(id)).toMatchObject({ stato: 'failed', motivo: expect.any(String) });
  fixture.answers.plan = plan;
});

covers('research.recheck', 'reads the sources again and reports changed claims', async () => {
  const id = await fixture.start('Check me again?');
  await fixture.ended(id);
  const first = await call('POST', id, '/riverifica');
  expect([first.code, first.reason]).toEqual([undefined, undefined]);
  expect(first.data.riverifica).toMatchObject({ controllate: 3, cambiate: 0 });
  const before = fixture.pages['/oil'] as string;
  fixture.pages['/oil'] = 'Something else altogether.';
  const { riverifica } = (await call('POST', id, '/riverifica')).data;
  fixture.pages['/oil'] = before;
  expect(riverifica).toMatchObject({ controllate: 3, cambiate: 1, bilancio: { sostenute: 1, nonVerificate: 1 } });
});

refuses('research.recheck', 'RESEARCH_RECHECK_UNAVAILABLE', 'when no source answers', async () => {
  const pages = { ...fixture.pages };
  for (const path of Object.keys(pages)) delete fixture.pages[path];
  const reply = await call('POST', done, '/riverifica');
  Object.assign(fixture.pages, pages);
  expect(reply).toMatchObject({ status: 409, code: 'RESEARCH_RECHECK_UNAVAILABLE' });
});

covers('research.delete', 'returns the title and deletes all files', async () => {
  const id = await fixture.start('Delete me?');
  await fixture.ended(id);
  expect((await call('DELETE', id)).data).toEqual({ eliminata: true, id, titolo: 'How steel is quenched' });
  expect(await call('GET', id)).toMatchObject({ status: 404, code: 'RESEARCH_NOT_FOUND' });
  expect(await readdir(folder(''))).not.toContain(id);
});

const CALLS: Record<string, [method: string, tail: string]> = {
  'research.read': ['GET', ''],
  'research.pause': ['POST', '/pausa'],
  'research.resume': ['POST', '/ripresa'],
  'research.recheck': ['POST', '/riverifica'],
  'research.export': ['GET', '/esporta'],
  'research.delete': ['DELETE', ''],
};
const callOn = (operation: string, id: string): Promise<Reply> => {
  const [method, tail] = CALLS[operation] as [string, string];
  return call(method, id, tail, operation === 'research.export' ? { query: { formato: 'md' } } : {});
};

refusesEach(
  'RESEARCH_NOT_FOUND',
  ['research.read', 'research.pause', 'research.resume', 'research.recheck', 'research.export', 'research.delete'],
  async (operation) => {
    expect(await callOn(operation, 'absent')).toMatchObject({ status: 404, code: 'RESEARCH_NOT_FOUND' });
  },
);

refusesEach(
  'RESEARCH_INVALID',
  ['research.read', 'research.pause', 'research.resume', 'research.recheck', 'research.export', 'research.delete'],
  async (operation) => {
    for (const id of ['..%2f..', '.git', 'x'.repeat(65), '%20', 'x'.repeat(300)]) {
      expect(await callOn(operation, id)).toMatchObject({ status: 400, code: 'RESEARCH_INVALID' });
    }
  },
);

refusesEach('RESEARCH_CONFLICT', ['research.pause', 'research.resume'], async (operation) => {
  expect(await callOn(operation, done)).toMatchObject({ status: 409, code: 'RESEARCH_CONFLICT' });
});

describe('a running report', () => {
  refusesEach('RESEARCH_CONFLICT', ['research.recheck', 'research.export', 'research.delete'], async (operation) => {
    const gate = fixture.hold('plan');
    const id = await fixture.start(`Running for ${operation}?`);
    const reply = await callOn(operation, id);
    gate.go();
    await fixture.ended(id);
    expect(reply).toMatchObject({ status: 409, code: 'RESEARCH_CONFLICT' });
  });
});

refuses('research.resume', 'SERVER_SHUTTING_DOWN', 'while the server shuts down', async () => {
  await using own = await researchFixture();
  const gate = own.hold('check');
  const id = await own.start();
  await begun(own, id, 'verify');
  await own.server.call('POST', `/sessions/${id}/stop`);
  await own.ended(id);
  gate.go();
  await own.server.host.quiesce();
  const reply = await own.server.call('POST', `/sessions/${own.session}/research/${id}/ripresa`);
  expect(reply).toMatchObject({ status: 503, code: 'SERVER_SHUTTING_DOWN' });
});

test('resumes from its journal after a restart without repeating steps', async () => {
  await using own = await researchFixture();
  const gate = own.hold('check');
  const id = await own.start();
  await begun(own, id, 'verify');
  await using next = await own.restart();
  const path = `/sessions/${own.session}/research/${id}`;
  const state = async (): Promise<any> => (await next.call('GET', path)).data.ricerca;
  expect(await state()).toMatchObject({ stato: 'failed', giornale: { stato: 'verifying' } });
  gate.go();
  const { length } = own.queries;
  expect((await next.call('POST', `${path}/ripresa`)).status).toBe(200);
  const ended = await until(async () => {
    const now = await state();
    return now.stato === 'running' ? undefined : now;
  });
  expect(ended).toMatchObject({ stato: 'done', bilancio: { totali: 3, nonVerificate: 0 }, spesa: { searches: 3 } });
  expect(own.queries).toHaveLength(length);
});

test('damaged files hide no other report, and an unknown session has none', async () => {
  const id = await fixture.start('Damage me?');
  await fixture.ended(id);
  await writeFile(folder(id, 'meta.json'), '{');
  expect(await call('GET', id)).toMatchObject({ status: 400, code: 'RESEARCH_INVALID' });
  const { data } = await fixture.server.call('GET', `/sessions/${fixture.session}/research`);
  expect(data.ricerche.map((row: { id: string }) => row.id)).toContain(done);
  expect((await fixture.server.call('GET', '/sessions/absent/research')).code).toBe('NOT_FOUND');
});

test('ignores a truncated last line of the journal', async () => {
  const id = await fixture.start('Tear me?');
  const { giornale } = await fixture.ended(id);
  await writeFile(folder(id, 'giornale.jsonl'), `${await readFile(folder(id, 'giornale.jsonl'), 'utf8')}{"type":"st`);
  expect((await fixture.read(id)).giornale).toEqual({ ...giornale, righeSaltate: 1 });
});

covers('session-kept.batch', 'deletes each kind in one batch and reports each result', async () => {
  const research = await fixture.start('Many?');
  await fixture.ended(research);
  const note = (await fixture.server.call('POST', '/me/notes', { body: { titolo: 'a', contenuto: 'b' } })).data.nota;
  const items = (await fixture.server.call('GET', `/sessions/${fixture.session}/library`)).data.voci;
  const batch = (resource: string, ids: string[]) =>
    fixture.server.call('POST', `/sessions/${fixture.session}/${resource}/batch`, { body: { azione: 'elimina', ids } });
  for (const [resource, id, code] of [
    ['research', research, 'RESEARCH_NOT_FOUND'],
    ['notes', note.id, 'NOTE_NOT_FOUND'],
    ['library', items.at(-1).id, 'LIBRARY_NOT_FOUND'],
  ] as const) {
    expect((await batch(resource, [id, 'absent'])).data).toEqual({
      azione: 'elimina',
      risorsa: resource,
      esiti: [
        { id, ok: true, status: 200 },
        { id: 'absent', ok: false, status: 404, code },
      ],
      riepilogo: { richiesti: 2, riusciti: 1, falliti: 1 },
    });
  }
  expect((await batch('tasks', ['absent'])).data.esiti[0]).toMatchObject({ code: 'TASK_NOT_FOUND' });
  expect((await batch('memory', ['absent'])).data.esiti[0]).toMatchObject({ code: 'MEMORY_NOT_FOUND' });
  expect((await batch('files', ['absent'])).code).toBe('QUERY_INVALID');
  expect((await batch('notes', ['a', 'a'])).code).toBe('QUERY_INVALID');
});
