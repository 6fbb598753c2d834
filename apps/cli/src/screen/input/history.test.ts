import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createHistory, type History } from './history.ts';

async function open(dataDir: string | undefined): Promise<History> {
  const history = createHistory({ ambient: systemAmbient('silent'), dataDir: Promise.resolve(dataDir) });
  await history.settled();
  return history;
}

test('keeps entries across sessions in a file only its owner can read', async () => {
  await using dir = await tempDir();
  const history = await open(dir.path);
  history.add('one\ntwo');
  history.add('one\ntwo');
  history.add(' a secret');
  history.add('  ');
  history.add('three');
  await history.settled();
  expect((await open(dir.path)).entries()).toEqual(['one\ntwo', 'three']);
  expect((await stat(join(dir.path, 'prompt-history.jsonl'))).mode & 0o777).toBe(0o600);
});

test('keeps at most a thousand entries and skips very long ones', async () => {
  await using dir = await tempDir();
  const lines = Array.from({ length: 1_000 }, (_, at) => JSON.stringify(`entry ${at}`));
  await writeFile(join(dir.path, 'prompt-history.jsonl'), `${lines.join('\n')}\n{"cut`);
  const history = await open(dir.path);
  history.add('x'.repeat(20_000));
  history.add('the last');
  await history.settled();
  expect(history.entries()).toHaveLength(1_000);
  const kept = (await open(dir.path)).entries();
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, 'entry 1', 'the last']);
});

test('works without a file when there is no folder', async () => {
  const history = await open(undefined);
  history.add('one');
  await history.settled();
  expect(history.entries()).toEqual(['one']);
});

test('appends entries added before the file was read', async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, 'prompt-history.jsonl'), '"old"\n');
  const history = createHistory({ ambient: systemAmbient('silent'), dataDir: Promise.resolve(dir.path) });
  history.add('at once');
  expect(history.entries()).toEqual(['at once']);
  await history.settled();
  expect(history.entries()).toEqual(['old', 'at once']);
});

test('two processes that write at once lose no entry', async () => {
  await using dir = await tempDir();
  const source = join(import.meta.dirname, 'history.ts');
  const script = `
    const { createHistory } = await import(${JSON.stringify(source)});
    const { systemAmbient } = await import('@fucina/shared');
    const history = createHistory({ ambient: systemAmbient('silent'), dataDir: Promise.resolve(${JSON.stringify(dir.path)}) });
    const keep = setInterval(() => {}, 1000);
    for (let at = 0; at < 50; at++) history.add(process.argv.at(-1) + at);
    await history.settled();
    clearInterval(keep);
  `;
  const both = ['a', 'b'].map(async (name) => {
    const flags = ['--import', 'tsx', '--conditions=@fucina/source', '--input-type=module', '--eval', script, name];
    const child = spawn(process.execPath, flags, { cwd: import.meta.dirname, stdio: 'inherit' });
    expect((await once(child, 'close'))[0]).toBe(0);
  });
  await Promise.all(both);
  const entries = (await readFile(join(dir.path, 'prompt-history.jsonl'), 'utf8')).trim().split('\n');
  expect(entries).toHaveLength(100);
  for (const name of ['a', 'b'])
    expect(entries.filter((entry) => entry.startsWith(`"${name}`))).toEqual(
      Array.from({ length: 50 }, (_, at) => `"${name}${at}"`),
    );
});
