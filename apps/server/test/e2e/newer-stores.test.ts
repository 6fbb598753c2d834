import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { failToStart, startChild } from '../child-server.ts';

/** One operation that opens each store. */
const OPENINGS: readonly (readonly [string, string, string, unknown?])[] = [
  ['automations.db', 'GET', '/automations'],
  ['files.db', 'GET', '/projects'],
  ['library.db', 'GET', '/me/notes'],
  ['local-models.db', 'GET', '/local-models'],
  ['providers.db', 'POST', '/providers/lmstudio/runtime/reset', {}],
  ['sandbox.db', 'POST', '/ext/sandbox/network', { ambito: 'ovunque', modalita: 'spenta' }],
  ['sessions.db', 'GET', '/sessions'],
  ['workflows.db', 'GET', '/workflows/none/versions/1'],
];

test('data of this version starts again; a store of a newer one ends the start with 78 and stays as it is', async () => {
  await using place = await tempDir();
  await using server = await startChild({ dataDir: place.path });
  for (const [, method, path, body] of OPENINGS) await server.call(method, path, { body });
  expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
  const names = readdirSync(place.path).filter((name) => name.endsWith('.db'));
  expect(names).toEqual(OPENINGS.map(([name]) => name));
  await using again = await startChild({ dataDir: place.path });
  expect(await again.kill('SIGTERM')).toMatchObject({ code: 0 });

  for (const name of names) raise(join(place.path, name), 1);
  const before = names.map((name) => readFileSync(join(place.path, name)));
  const { code, stderr } = await failToStart({ dataDir: place.path });
  expect(code).toBe(78);
  expect(stderr).toContain(`A newer version of Fucina wrote this data. Nothing was changed. (${names.join(', ')})`);
  expect(stderr).not.toContain('damaged');
  expect(names.map((name) => readFileSync(join(place.path, name)))).toEqual(before);

  for (const name of names) raise(join(place.path, name), -1);
  await using last = await startChild({ dataDir: place.path });
  expect(await last.call('GET', '/sessions')).toMatchObject({ status: 200 });
});

function raise(file: string, by: number): void {
  const db = openDatabase(file, { migrations: Array.from({ length: 100 }, () => '').slice(0, versionOf(file)) });
  db.pragma(`user_version = ${versionOf(file) + by}`);
  db.close();
}

const versionOf = (file: string): number => readFileSync(file).readUInt32BE(60);
