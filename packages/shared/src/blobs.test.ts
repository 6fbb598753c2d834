import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openBlobs } from './blobs.ts';
import { runInWorker } from './bounded-worker.ts';

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'fucina-blobs-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe('a blob store', () => {
  test('stores bytes once under their hash and returns them', async () => {
    await using dir = await folder();
    const blobs = openBlobs(dir.path);
    const sha256 = await blobs.put(Buffer.from('hello'));
    expect(sha256).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    expect(await blobs.put(Buffer.from('hello'))).toBe(sha256);
    expect((await blobs.get(sha256))?.toString()).toBe('hello');
    expect(await readdir(join(dir.path, '2c'))).toEqual([sha256]);
  });

  test('returns nothing for a missing or invalid hash', async () => {
    await using dir = await folder();
    const blobs = openBlobs(dir.path);
    for (const name of ['0'.repeat(64), '../../etc/passwd', 'A'.repeat(64), ''])
      expect(await blobs.get(name)).toBeUndefined();
  });

  test('detects changed bytes and keeps the file', async () => {
    await using dir = await folder();
    const blobs = openBlobs(dir.path);
    const sha256 = await blobs.put(Buffer.from('hello'));
    await writeFile(join(dir.path, '2c', sha256), 'hullo');
    await expect(blobs.get(sha256)).rejects.toThrow(/damaged/);
    expect(await readdir(join(dir.path, '2c'))).toEqual([sha256]);
  });

  test('deletes unreferenced blobs', async () => {
    await using dir = await folder();
    const blobs = openBlobs(dir.path);
    const kept = await blobs.put(Buffer.from('kept'));
    await blobs.put(Buffer.from('gone'));
    expect(await blobs.sweep((sha256) => sha256 === kept)).toBe(1);
    expect(await blobs.sweep((sha256) => sha256 === kept)).toBe(0);
    expect((await blobs.get(kept))?.toString()).toBe('kept');
  });

  test('keeps recent blobs even without a reference', async () => {
    await using dir = await folder();
    const blobs = openBlobs(dir.path);
    const old = await blobs.put(Buffer.from('old'));
    await utimes(join(dir.path, old.slice(0, 2), old), 1_000, 1_000);
    const fresh = await blobs.put(Buffer.from('fresh'));
    expect(await blobs.sweep(() => false, 2_000_000)).toBe(1);
    expect([await blobs.get(old), (await blobs.get(fresh))?.toString()]).toEqual([undefined, 'fresh']);
  });
});

describe('a bounded worker', () => {
  const script = (code: string): URL =>
    new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads'; ${code}`)}`,
    );
  const bounds = { timeoutMs: 120_000, memoryMiB: 64 };

  test('answers once, without the environment of the process', async () => {
    const code = 'parentPort.postMessage({ doubled: workerData * 2, names: Object.keys(process.env).length });';
    expect(await runInWorker(script(code), 21, bounds)).toEqual({ doubled: 42, names: 0 });
  });

  test('is terminated on timeout, memory limit, failure or abort', async () => {
    const problem = (code: string, extra: object = {}) =>
      runInWorker(script(code), null, { ...bounds, ...extra }).then(
        () => 'answered',
        (error: { problem: string }) => error.problem,
      );
    expect(await problem('for (;;) {}', { timeoutMs: 100 })).toBe('timeout');
    expect(await problem('const kept = []; for (;;) kept.push(new Array(1e6).fill({}));', { memoryMiB: 16 })).toBe(
      'memory',
    );
    const buffers = 'const kept = []; for (;;) kept.push(Buffer.alloc(4e6, 1));';
    expect(await problem(buffers, { memoryMiB: 64 })).toBe('memory');
    expect(await problem("throw new Error('no');")).toBe('failed');
    expect(await problem('')).toBe('failed');
    expect(await problem('for (;;) {}', { signal: AbortSignal.abort() })).toBe('aborted');
  });
});
