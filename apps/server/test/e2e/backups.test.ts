import { readdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await testServer();
  folder = join(await realpath(server.project.path), 'backups');
});
afterAll(async () => server[Symbol.asyncDispose]());

const read = async () => (await server.call('GET', '/ext/backup')).data.backup;
const choose = (body: object) =>
  server.call('POST', '/ext/backup', { body: { frequenza: 'giornaliera', cartella: folder, conserva: 3, ...body } });

covers('ext.backup.read', 'shows that no backups are scheduled, and where they would be', async () => {
  const { dataDir } = server;
  expect(await read()).toEqual({
    frequenza: 'mai',
    cartella: expect.stringMatching(/-backups$/),
    conserva: 7,
    inCorso: false,
    ultimoAlle: null,
    errore: null,
  });
  await writeFile(join(dataDir, 'backup-schedule.json'), '{');
  expect(await read()).toMatchObject({ frequenza: 'mai', errore: { codice: 'SCHEDULE_DAMAGED' } });
});

covers('ext.backup.schedule', 'sets the schedule, changes it and turns it off', async () => {
  const chosen = { frequenza: 'giornaliera', cartella: folder, conserva: 3 };
  expect((await choose({})).data.backup).toMatchObject(chosen);
  expect(await readdir(folder)).toEqual([]);
  expect((await choose({ frequenza: 'settimanale', conserva: 1 })).data.backup).toMatchObject({
    frequenza: 'settimanale',
    conserva: 1,
  });
  expect((await choose({ frequenza: 'mai' })).data.backup).toMatchObject({ frequenza: 'mai' });
  const inData = await realpath(server.dataDir);
  for (const [cartella, reason] of [
    ['backups', 'backup-folder-relative'],
    [join(inData, 'backups'), 'backup-folder-in-data'],
    [join(server.project.path, 'readme.md/x'), 'backup-folder-unusable'],
  ]) {
    await server.project.write({ 'readme.md': 'x' });
    expect(await choose({ cartella })).toMatchObject({ code: 'QUERY_INVALID', reason });
  }
  for (const conserva of [0, 1_000, 1.5]) expect((await choose({ conserva })).code).toBe('QUERY_INVALID');
});

covers('ext.backup.start', 'makes a backup at once, in the folder of the schedule', async () => {
  await choose({});
  expect((await server.call('POST', '/ext/backup/start')).data.backup).toMatchObject({ inCorso: true });
  const done = await until(async () => {
    const view = await read();
    return view.inCorso ? undefined : view;
  });
  expect(done).toMatchObject({ errore: null, ultimoAlle: expect.stringMatching(/^\d{4}-/) });
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^fucina-scheduled-[0-9a-f]{8}-.*\.tar\.gz$/)]);
});

const elsewhere = { headers: { origin: 'http://evil.example' } };
refuses('ext.backup.schedule', 'ORIGIN_FORBIDDEN', 'from another origin', async () => {
  const body = { frequenza: 'mai', cartella: folder, conserva: 3 };
  expect((await server.call('POST', '/ext/backup', { body, ...elsewhere })).code).toBe('ORIGIN_FORBIDDEN');
});
refuses('ext.backup.start', 'ORIGIN_FORBIDDEN', 'from another origin', async () => {
  expect((await server.call('POST', '/ext/backup/start', elsewhere)).code).toBe('ORIGIN_FORBIDDEN');
});
