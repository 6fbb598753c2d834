import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createHost } from '@fucina/host';
import { systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { type Bench, bench } from './harness.ts';

const PAGE = 4096;

/** Overwrites pages of a store, as a dying disk does. */
function spoil(file: string, pages: readonly number[]): void {
  const handle = openSync(file, 'r+');
  for (const page of pages) writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE);
  closeSync(handle);
}

const notesIn = async (b: Bench): Promise<{ title: string }[]> =>
  JSON.parse((await b.run(['notes', '--json'])).stdout).notes;

async function withNotes(count: number): Promise<Bench> {
  const b = await bench([]);
  for (let made = 0; made < count; made += 1) await b.run(['notes', 'add', `Note ${made}`, 'x'.repeat(3_000)]);
  return b;
}

test('names a damaged store, refuses writes to it, and recovers the readable rows', async () => {
  await using b = await withNotes(24);
  const file = join(b.dataDir, 'library.db');
  const { length } = readFileSync(file);
  spoil(file, [Math.floor(length / PAGE / 2)]);
  const damaged = readFileSync(file);

  const seen = await b.run(['doctor']);
  expect(seen.exit).toBe(1);
  expect(seen.stdout).toContain('Damaged: library.db.');
  expect(seen.stdout).toContain('fucina doctor --repair');
  const refused = await b.run(['notes', 'add', 'New', 'x']);
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain('The library.db store is damaged and was not opened. [STORE_DAMAGED]');
  expect(readFileSync(file).equals(damaged)).toBe(true);

  const repaired = await b.run(['doctor', '--repair']);
  expect(repaired.exit).toBe(0);
  expect(repaired.stdout).toMatch(/^library\.db: recovered\. The damaged file is kept in damaged[\\/]library\.db-/m);
  expect(repaired.stdout).toMatch(/notes: \d+ rows recovered, \d+ lost/);
  const [kept] = readdirSync(join(b.dataDir, 'damaged'));
  expect(readFileSync(join(b.dataDir, 'damaged', kept as string, 'library.db')).equals(damaged)).toBe(true);

  const { length: left } = await notesIn(b);
  expect(left).toBeGreaterThan(15);
  expect(repaired.stdout).toContain(`notes: ${left} rows recovered, ${24 - left} lost`);
  expect((await b.run(['notes', 'add', 'New', 'x'])).exit).toBe(0);
  expect((await b.run(['doctor'])).stdout).not.toContain('Damaged');
  expect((await b.run(['doctor', '--repair'])).stdout).toBe('No store is damaged.\n');
}, 60_000);

test('recreates a store whose first page is lost and says so', async () => {
  await using b = await withNotes(1);
  spoil(join(b.dataDir, 'library.db'), [0]);
  const { stdout } = await b.run(['doctor', '--repair']);
  expect(stdout).toContain('Nothing could be read: the store starts empty.');
  expect(await notesIn(b)).toEqual([]);
});

test('refuses to repair while a server uses the folder', async () => {
  await using b = await withNotes(1);
  const host = await createHost({
    ambient: systemAmbient('silent'),
    version: '0',
    dataDir: b.dataDir,
    projects: [],
    model: undefined,
    keyStore: 'memory',
    publicCatalog: false,
    environment: b.env,
    background: true,
  });
  try {
    expect(await b.run(['doctor', '--repair'])).toMatchObject({
      exit: 75,
      stderr: expect.stringContaining('[SESSION_STORE_BUSY]'),
    });
  } finally {
    await host.close();
  }
});
