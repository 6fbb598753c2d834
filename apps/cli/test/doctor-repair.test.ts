import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createHost } from '@fucina/host';
import { systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

const PAGE = 4096;

/** Overwrites pages of a store, as a failing disk does. */
function spoil(file: string, pages: readonly number[]): void {
  const handle = openSync(file, 'r+');
  for (const page of pages) writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE);
  closeSync(handle);
}

const notesIn = async (computer: TestComputer): Promise<{ title: string }[]> =>
  JSON.parse((await computer.run(['notes', '--json'])).stdout).notes;

async function withNotes(count: number): Promise<TestComputer> {
  const computer = await testComputer([]);
  for (let made = 0; made < count; made += 1) await computer.run(['notes', 'add', `Note ${made}`, 'x'.repeat(3_000)]);
  return computer;
}

test('names a damaged store, refuses writes to it, and recovers the readable rows', async () => {
  await using computer = await withNotes(24);
  const file = join(computer.dataDir, 'library.db');
  const { length } = readFileSync(file);
  spoil(file, [Math.floor(length / PAGE / 2)]);
  const damaged = readFileSync(file);

  const seen = await computer.run(['doctor']);
  expect(seen.exit).toBe(1);
  expect(seen.stdout).toContain('Damaged: library.db.');
  expect(seen.stdout).toContain('fucina doctor --repair');
  const refused = await computer.run(['notes', 'add', 'New', 'x']);
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toContain('The library.db store is damaged and was not opened. [STORE_DAMAGED]');
  expect(readFileSync(file).equals(damaged)).toBe(true);

  const repaired = await computer.run(['doctor', '--repair']);
  expect(repaired.exit).toBe(0);
  expect(repaired.stdout).toMatch(/^library\.db: recovered\. The damaged file is kept in damaged[\\/]library\.db-/m);
  expect(repaired.stdout).toMatch(/notes: \d+ rows recovered, \d+ lost/);
  const [kept] = readdirSync(join(computer.dataDir, 'damaged'));
  expect(readFileSync(join(computer.dataDir, 'damaged', kept as string, 'library.db')).equals(damaged)).toBe(true);

  const { length: left } = await notesIn(computer);
  expect(left).toBeGreaterThan(15);
  expect(repaired.stdout).toContain(`notes: ${left} rows recovered, ${24 - left} lost`);
  expect((await computer.run(['notes', 'add', 'New', 'x'])).exit).toBe(0);
  expect((await computer.run(['doctor'])).stdout).not.toContain('Damaged');
  expect((await computer.run(['doctor', '--repair'])).stdout).toBe('No store is damaged.\n');
});

test('recreates a store whose first page is lost and says so', async () => {
  await using computer = await withNotes(1);
  spoil(join(computer.dataDir, 'library.db'), [0]);
  const { stdout } = await computer.run(['doctor', '--repair']);
  expect(stdout).toContain('Nothing could be read: the store starts empty.');
  expect(await notesIn(computer)).toEqual([]);
});

test('refuses to repair while a server uses the folder', async () => {
  await using computer = await withNotes(1);
  const host = await createHost({
    ambient: systemAmbient('silent'),
    version: '0',
    dataDir: computer.dataDir,
    projects: [],
    model: undefined,
    keyStore: 'memory',
    publicCatalog: false,
    environment: computer.env,
    background: true,
  });
  try {
    expect(await computer.run(['doctor', '--repair'])).toMatchObject({
      exit: 75,
      stderr: expect.stringContaining('[SESSION_STORE_BUSY]'),
    });
  } finally {
    await host.close();
  }
});
