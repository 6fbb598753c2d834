import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { STREAMS } from './output-recorder.ts';
import { createOutputStore } from './output-store.ts';

test('what arrives after the end is written nowhere', async () => {
  await using dir = await tempDir();
  const outputs = createOutputStore(systemAmbient('silent'), join(dir.path, 'outputs'));
  const recorder = outputs.begin('s1', 'c1');
  await recorder.write(Buffer.from('in time'), 'stdout');
  outputs.flush();
  await recorder.end();
  // These get the numbers that the closed files had.
  const others = STREAMS.map((stream) => join(dir.path, stream));
  const files = others.map((path) => openSync(path, 'w'));
  for (const stream of STREAMS) await recorder.write(Buffer.from('late'), stream);
  await recorder.end();
  for (const file of files) closeSync(file);
  expect(others.map((path) => readFileSync(path, 'utf8'))).toEqual(['', '']);
  const kept = await outputs.find('s1', 'c1', 'stdout');
  expect(kept).toMatchObject({ availableBytes: 7, state: 'complete' });
});

async function store() {
  const dir = await tempDir();
  const ambient = fakeAmbient();
  const root = join(dir.path, 'outputs');
  const outputs = createOutputStore(ambient, root);
  const files = (): string[] => readdirSync(root, { recursive: true }).map(String).sort();
  return { ambient, root, outputs, files, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

test('the output of a short command is written after its end, or when it is read', async () => {
  await using setup = await store();
  for (const id of ['c1', 'c2']) {
    const recorder = setup.outputs.begin('s1', id);
    void recorder.write(Buffer.from('out'), 'stdout');
    void recorder.write(Buffer.from('wrong'), 'stderr');
    await recorder.end();
  }
  expect(existsSync(setup.root)).toBe(false);
  const kept = await setup.outputs.find('s1', 'c1', 'stderr');
  expect(kept).toMatchObject({ availableBytes: 5, state: 'complete' });
  await setup.ambient.advance(20);
  expect(setup.files()).toContain('s1/c2.end');
  expect(readFileSync(join(setup.root, 's1/c2.stdout'), 'utf8')).toBe('out');
});

test('the output of a long or talkative command is on the disk while it runs', async () => {
  await using setup = await store();
  const slow = setup.outputs.begin('s1', 'slow');
  void slow.write(Buffer.from('first '), 'stdout');
  await setup.ambient.advance(20);
  await slow.write(Buffer.from('second'), 'stdout');
  expect(readFileSync(join(setup.root, 's1/slow.stdout'), 'utf8')).toBe('first second');
  const long = setup.outputs.begin('s1', 'long');
  void long.write(Buffer.alloc(64 * 1024 + 1, 'x'), 'stdout');
  expect(statSync(join(setup.root, 's1/long.stdout')).size).toBe(64 * 1024 + 1);
  expect(await setup.outputs.find('s1', 'long', 'stdout')).toMatchObject({ state: 'running' });
});

test('what is in memory is written at the end of the program, and not for a deleted session', async () => {
  await using setup = await store();
  const [kept, deleted] = ['s1', 's2'].map((session) => setup.outputs.begin(session, 'c1'));
  void kept?.write(Buffer.from('kept'), 'stdout');
  void deleted?.write(Buffer.from('deleted'), 'stdout');
  await kept?.end();
  await setup.outputs.forget('s2');
  setup.outputs.flush();
  await setup.ambient.advance(20);
  expect(setup.files()).toEqual(['s1', 's1/c1.end', 's1/c1.stderr', 's1/c1.stdout']);
});

test('a command whose output cannot be written runs on without it', async () => {
  await using setup = await store();
  writeFileSync(setup.root, 'a file where the folder should be');
  const recorder = setup.outputs.begin('s1', 'c1');
  void recorder.write(Buffer.from('lost'), 'stdout');
  await setup.ambient.advance(20);
  expect(recorder.write(Buffer.from('lost too'), 'stdout')).toBeUndefined();
  await recorder.end();
  rmSync(setup.root);
  expect(await setup.outputs.find('s1', 'c1', 'stdout')).toBeUndefined();
});
