import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { base, create, ended, going, legacy, made, post, proposed, runs, server } from '../automations-fixture.ts';
import { covers, coversEach } from '../covers.ts';
import { testServer, until } from '../harness.ts';

covers('automations.create', 'creates an enabled automation with its next run', async () => {
  const { status, data } = await create();
  expect(status).toBe(200);
  expect(data).toEqual({
    versione: 2,
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    ...base(),
    permessi: 'Workspace write',
    coordinazione: false,
    ripeti: null,
    eseguite: 0,
    attiva: true,
    origine: { tipo: 'interfaccia' },
    creataAlle: expect.any(String),
    modificataAlle: expect.any(String),
    ultimaEsecuzione: null,
    prossimaEsecuzione: expect.any(String),
    inAttesaFinoA: null,
    giroInCorso: null,
  });
  const at = new Date(data.prossimaEsecuzione);
  expect(at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Rome' })).toBe('09:00:00');
});

test('an automation of an older version says that it reads any address, until it is edited', async () => {
  const id = await made();
  const db = new (sqliteDriver())(join(server.dataDir, 'automations.db'));
  db.prepare("UPDATE automations SET record = json_remove(record, '$.asksAddresses') WHERE id = ?").run(id);
  db.close();
  const read = async () =>
    (await server.call('GET', '/automations')).data.items.find((one: { id: string }) => one.id === id);
  expect(await read()).toMatchObject({ leggeOgniIndirizzo: true });
  await post(id, 'modifica', { nome: 'Evening' });
  expect(await read()).not.toHaveProperty('leggeOgniIndirizzo');
});

test('an automation whose model cannot be used says so when it is created and changed, and is made all the same', async () => {
  const { status, data } = await create({ modello: 'zai:glm-4.7' });
  expect([status, data.modelloNonUsabile]).toEqual([200, 'PROVIDER_KEY_REQUIRED']);
  const listed = (await server.call('GET', '/automations')).data.items;
  const neighbour = listed.find(({ modello }: { modello: string }) => modello === base().modello);
  expect(listed.find(({ id }: { id: string }) => id === data.id).modelloNonUsabile).toBe('PROVIDER_KEY_REQUIRED');
  expect(neighbour).not.toHaveProperty('modelloNonUsabile');
  const changed = await post(data.id, 'modifica', { modello: base().modello });
  expect(changed.data).not.toHaveProperty('modelloNonUsabile');
});

test('every schedule type survives a round trip', async () => {
  const kinds = [
    { tipo: 'manuale' },
    { tipo: 'ogni-ora', minuto: 15 },
    { tipo: 'giornaliera', ora: '23:59' },
    { tipo: 'feriali', ora: '00:00' },
    { tipo: 'settimanale', ora: '08:30', giorno: 0 },
    { tipo: 'ogni-n-minuti', minuti: 5 },
    { tipo: 'cron', espressione: '*/10 9-17 * * 1-5' },
    { tipo: 'una-volta', quando: '2099-12-31T23:59' },
  ];
  for (const pianificazione of kinds) {
    const { data } = await create({ pianificazione });
    expect(data.pianificazione).toEqual(pianificazione);
    expect(data.prossimaEsecuzione === null).toBe(pianificazione.tipo === 'manuale');
    expect(data.ripeti).toBe(pianificazione.tipo === 'una-volta' ? 1 : null);
    // It could start during another test.
    await post(data.id, 'elimina');
  }
});

test('the legacy form creates a disabled automation', async () => {
  const { data } = await server.call('POST', '/automations', {
    body: { taskId: 'carrello-sconti', intervalloMinuti: 30 },
  });
  expect(data).toMatchObject({
    taskId: 'carrello-sconti',
    nome: 'cart',
    intervalloMinuti: 30,
    limiteAlGiorno: 3,
    attiva: false,
  });
  expect(data.versione).toBeUndefined();
});

covers('automations.list', 'lists oldest first, in both forms', async () => {
  const [one, two] = [await made(), await legacy()];
  const { data } = await server.call('GET', '/automations');
  expect(data.items.map(({ id }: any) => id).slice(-2)).toEqual([one, two]);
});

covers('automations.change', 'changes only the sent fields', async () => {
  const id = await made();
  const { data } = await post(id, 'modifica', { nome: 'Evening', permessi: 'Read only', ripeti: 3 });
  expect(data).toMatchObject({ ...base(), nome: 'Evening', permessi: 'Read only', ripeti: 3 });
});

covers('automations.toggle', 'removes the next run when disabled and computes it when enabled', async () => {
  const id = await made();
  expect((await post(id, 'toggle', { attiva: false })).data).toMatchObject({ attiva: false, prossimaEsecuzione: null });
  expect((await post(id, 'toggle', { attiva: true })).data).toMatchObject({
    attiva: true,
    prossimaEsecuzione: expect.any(String),
  });
});

covers('automations.coordination', 'stores the coordination setting', async () => {
  const id = await made();
  expect((await post(id, 'coordinazione', { coordinazione: true })).data.coordinazione).toBe(true);
});

covers('automations.run', 'runs in its own session with its permissions and records outcome and summary', async () => {
  const id = await made({ permessi: 'Read only' });
  const { status, data } = await post(id, 'esegui', { contesto: 'Only the first test.' });
  expect(status).toBe(200);
  expect(data).toEqual({ ok: true, runId: expect.any(String), sessionId: expect.any(String) });
  const row = await server.settled(data.sessionId);
  expect(row).toMatchObject({ nome: 'Morning', permessi: 'Read only', modello: 'ollama:tiny' });
  expect(await ended(id)).toMatchObject({
    runId: data.runId,
    sessionId: data.sessionId,
    manuale: true,
    esito: 'finita',
    riassunto: 'Two tests fail.',
    daGuardare: true,
    letta: false,
    cambi: [],
    finitaAlle: expect.any(String),
  });
  const [start] = await server.events(data.sessionId);
  expect(JSON.stringify(start)).toContain('Only the first test.');
});

covers('automations.stop', 'stops the session of the run and marks nothing for review', async () => {
  const { id, sessionId } = await going();
  const before = (await server.call('GET', '/automations')).data.items.find((item: any) => item.id === id);
  expect(before.giroInCorso).toMatchObject({ sessionId });
  expect((await post(id, 'ferma')).data).toEqual({ ok: true });
  expect(await ended(id)).toMatchObject({ esito: 'fermata', daGuardare: false });
  expect((await server.settled(sessionId)).ultimoEsito).toBe('fermata');
});

covers('automations.runs', 'lists runs newest first', async () => {
  const id = await made();
  for (let count = 0; count < 2; count += 1) {
    await post(id, 'esegui');
    await ended(id);
  }
  const [newest, oldest] = await runs(id);
  expect(newest.partitaAlle >= oldest.partitaAlle).toBe(true);
});

coversEach(['automations.inbox', 'automations.mark-read'], 'what nobody read yet, with its automation', async () => {
  const id = await made();
  const { runId } = (await post(id, 'esegui')).data;
  await ended(id);
  const inbox = async (): Promise<any[]> => (await server.call('GET', '/automations/inbox')).data.items;
  expect((await inbox())[0]).toMatchObject({ runId, automazione: { id, nome: 'Morning' }, letta: false });
  const { data } = await server.call('POST', `/automations/${id}/runs/${runId}/letta`);
  expect(data).toMatchObject({ runId, letta: true });
  expect((await inbox()).map((run) => run.runId)).not.toContain(runId);
});

covers('automations.decide-proposal', 'replaces the instructions with an approved proposal', async () => {
  const { id, runId } = await proposed();
  expect((await runs(id))[0]).toMatchObject({
    daGuardare: true,
    proposta: {
      prima: 'Look at the tests.',
      dopo: 'Look at the tests and the build.',
      minacce: [],
      stato: 'in-attesa',
    },
  });
  const { data } = await post(id, `runs/${runId}/proposta`, { decisione: 'approva' });
  expect(data).toMatchObject({
    voce: { id, istruzioni: 'Look at the tests and the build.' },
    giro: { runId, letta: true, cambi: ['istruzioni'], proposta: { stato: 'approvata' } },
  });
});

covers('automations.delete', 'deletes the automation with its run and history', async () => {
  const { id, sessionId } = await going();
  expect((await post(id, 'elimina')).data).toEqual({ ok: true });
  expect((await server.settled(sessionId)).ultimoEsito).toBe('fermata');
  expect((await server.call('GET', `/automations/${id}/runs`)).status).toBe(404);
});

test('a restart closes an interrupted run', async () => {
  const dir = await tempDir();
  const first = await testServer({ dataDir: dir.path });
  first.model.script(() => ({ fault: { kind: 'hang' } }));
  const body = { ...base(), cartella: first.project.path, pianificazione: { tipo: 'ogni-n-minuti', minuti: 5 } };
  const { id } = (await first.call('POST', '/automations', { body })).data;
  const { automations } = first.host.services;
  const run = await automations.runNow(id);
  await first[Symbol.asyncDispose]();
  await using second = await testServer({ dataDir: dir.path });
  const { data } = await second.call('GET', `/automations/${id}/runs`);
  const ending = await until(async () => {
    const [latest] = (await second.call('GET', `/automations/${id}/runs`)).data.items;
    return latest.esito === 'partita' ? undefined : latest;
  });
  expect(data.items).toHaveLength(1);
  expect(ending).toMatchObject({ runId: run.runId, esito: 'fallita', motivo: 'interrotta', daGuardare: true });
});
