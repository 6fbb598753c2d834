import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createOutputStore, STREAMS } from './output-store.ts';

test('what arrives after the end is written nowhere', async () => {
  await using dir = await tempDir();
  const outputs = createOutputStore(systemAmbient('silent'), join(dir.path, 'outputs'));
  const recorder = await outputs.begin('s1', 'c1');
  await recorder.write(Buffer.from('in time'), 'stdout');
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
