import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

/** As many items as it takes for the list to be kept. */
const ITEMS = 1_200;
const DAY = '2026-01-01T00:00:00.000Z';
let server: TestServer;
let session: string;
beforeAll(async () => {
  server = await testServer();
  session = await server.startSession();
  await server.settled(session);
  for (let count = 0; count < ITEMS; count += 1) {
    await mkdir(folderOf(`i${count}`), { recursive: true });
    await writeFile(join(folderOf(`i${count}`), 'meta.json'), metaOf(`i${count}`));
  }
  for (let call = 0; call < 3; call += 1) await names();
  await delay(1_000);
  await names();
});
afterAll(() => server[Symbol.asyncDispose]());

const folderOf = (id: string): string => join(server.project.path, '.svc/library', id);
const metaOf = (id: string, nome = id): string =>
  JSON.stringify({ id, nome, mediaType: 'image/png', creatoIl: DAY, aggiornatoIl: DAY, file: 'a' });

interface Row {
  id: string;
  nome: string;
}
async function names(): Promise<string[]> {
  const { data } = await server.call('GET', `/sessions/${session}/library`);
  return data.voci.map(({ id, nome }: Row) => `${id}:${nome}`);
}

test('shows changes by another program in a kept list at once', async () => {
  for (let count = 0; count < 40; count += 1) {
    const id = `i${count}`;
    if (count % 2) execFileSync('rm', ['-r', folderOf(id)]);
    else execFileSync('sh', ['-c', 'printf %s "$0" > "$1/meta.json"', metaOf(id, 'changed'), folderOf(id)]);
    const listed = await names();
    expect(listed.includes(`${id}:changed`)).toBe(count % 2 === 0);
    expect(listed).toHaveLength(ITEMS - Math.floor((count + 1) / 2));
  }
});

test('shows renamed and deleted items in a kept list at once', async () => {
  const before = await names();
  for (let count = 100; count < 110; count += 1) {
    const path = `/sessions/${session}/library/i${count}`;
    expect((await server.call('PATCH', path, { body: { nome: `renamed-${count}` } })).status).toBe(200);
    expect((await names())[0]).toBe(`i${count}:renamed-${count}`);
    expect((await server.call('DELETE', path)).status).toBe(200);
    expect(await names()).not.toContain(`i${count}:renamed-${count}`);
  }
  expect(await names()).toHaveLength(before.length - 10);
});

test('reports a damaged item of a kept list, until it is repaired', async () => {
  await writeFile(join(folderOf('i200'), 'meta.json'), '{');
  for (let call = 0; call < 2; call += 1) {
    const { data } = await server.call('GET', `/sessions/${session}/library`);
    expect(data).toEqual({ voci: null, errore: expect.any(String) });
  }
  await writeFile(join(folderOf('i200'), 'meta.json'), metaOf('i200', 'repaired'));
  expect(await names()).toContain('i200:repaired');
});
