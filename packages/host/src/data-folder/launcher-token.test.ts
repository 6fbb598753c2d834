import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { launcherToken } from './launcher-token.ts';

async function tempDir(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'fucina-token-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe('the token of a data folder', () => {
  test('is reused at the next start and readable only by its owner', async () => {
    await using dir = await tempDir();
    const folder = join(dir.path, 'data');
    const token = await launcherToken(folder, { isNew: false });
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await launcherToken(folder, { isNew: false })).toBe(token);
    const file = join(folder, 'launcher-token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await chmod(file, 0o644);
    await launcherToken(folder, { isNew: false });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('is replaced on request', async () => {
    await using dir = await tempDir();
    const first = await launcherToken(dir.path, { isNew: false });
    const second = await launcherToken(dir.path, { isNew: true });
    expect(second).not.toBe(first);
    expect(await launcherToken(dir.path, { isNew: false })).toBe(second);
  });

  test('is recreated when the file is invalid', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'launcher-token');
    await writeFile(file, 'short');
    const token = await launcherToken(dir.path, { isNew: false });
    expect((await readFile(file, 'utf8')).trim()).toBe(token);
  });
});
