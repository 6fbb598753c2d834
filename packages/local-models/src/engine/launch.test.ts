import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesBelow, processesWith, tempDir, tinyModel } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { engineLibrary } from '../library/engine-library.ts';
import { launchOf } from './launch.ts';

const program = join(import.meta.dirname, '../../test/fixtures/llama-server.mjs');

test.each([
  ['our engine', undefined],
  ['a program of the user', program],
])('%s exits when its parent process is gone for any reason', async (_name, given) => {
  await using dir = await tempDir();
  const modelPath = join(dir.path, 'model.gguf');
  writeFileSync(modelPath, tinyModel());
  const key = 'k'.repeat(64);
  const request = {
    program: given,
    key,
    modelId: 'left-alone',
    modelPath,
    contextTokens: 512,
    threads: 1,
    library: engineLibrary(dir.path) ?? null,
  };
  const { argv, firstLine, port, extraEnvironment } = await launchOf(request);
  const [first, ...args] = argv;
  const env = { ...process.env, ...extraEnvironment };
  const child = spawn(first, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  if (firstLine !== undefined) child.stdin.write(firstLine);
  if (port === null) await once(child.stdout, 'data');
  else while (!(await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))) continue;
  const mark = given ? 'left-alone' : 'engine-main';
  const started = processesBelow(mark, child.pid);
  expect(started).not.toEqual([]);
  child.stdin.destroy();
  await once(child, 'exit');
  expect(processesWith(mark).filter((pid) => started.includes(pid))).toEqual([]);
});
