import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { caller, TOKEN } from './harness.ts';

const ROUNDS = process.env.FUCINA_TEST_LONG ? 500 : 60;
const STRACE = '/usr/bin/strace';
const hasStrace = existsSync(STRACE) || process.env.FUCINA_TEST_REQUIRE === '1';
if (!hasStrace) process.stderr.write('power-loss test skipped: no strace\n');

(hasStrace ? test : test.skip)('no acknowledgement leaves before its commit is on the disk', async () => {
  await using dir = await tempDir();
  await using project = await tempDir();
  const trace = join(dir.path, 'trace');
  const child = spawn(
    STRACE,
    [
      '-f',
      '-s',
      '32',
      '-e',
      'trace=fdatasync,fsync,write,writev,sendto',
      '-o',
      trace,
      process.execPath,
      'dist/main.js',
    ],
    {
      cwd: join(import.meta.dirname, '..'),
      env: {
        ...process.env,
        FUCINA_TOKEN: TOKEN,
        FUCINA_DATA_DIR: join(dir.path, 'data'),
        FUCINA_PORT: '0',
        FUCINA_KEY_STORE: 'memory',
        FUCINA_PUBLIC_CATALOG: '0',
        FUCINA_LOG: 'silent',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [line] = await new Promise<string[]>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (text) => resolve([text])),
  );
  const { url, pid } = JSON.parse(line ?? '{}') as { url: string; pid: number };
  try {
    const call = caller(url);
    const body = { cartellaLibera: project.path, consegna: 'x', modello: 'ollama:none' };
    const { data } = await call('POST', '/sessions/custom', { body });
    while ((await call('GET', '/sessions')).data.items[0].conclusa !== true)
      await new Promise((resolve) => setImmediate(resolve));
    for (let round = 0; round < ROUNDS; round += 1) {
      expect((await call('POST', `/sessions/${data.sessionId}/rename`, { body: { nome: `name ${round}` } })).ok).toBe(
        true,
      );
    }
  } finally {
    process.kill(pid, 'SIGTERM');
    await ended;
  }

  // Number of fsync calls of the thread that answers between two responses, in the kernel's order.
  const forced: number[] = [];
  let since = 0;
  for (const text of readFileSync(trace, 'utf8').split('\n')) {
    if (text.startsWith(`${pid} `) && / (fdatasync|fsync)\(/.test(text)) since += 1;
    if (!text.includes('"HTTP/1.1 200')) continue;
    forced.push(since);
    since = 0;
  }
  const renames = forced.slice(-ROUNDS);
  expect(renames).toHaveLength(ROUNDS);
  expect(renames.filter((count) => count === 0)).toEqual([]);
});
