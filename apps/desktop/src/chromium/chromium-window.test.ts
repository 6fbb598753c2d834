import { existsSync } from 'node:fs';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { processesWith, type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { chromiumWindows } from './chromium-window.ts';

const system = systemAmbient('silent');
/** The limit for the first window ends when `isDue` resolves. */
const ambientUntil = (isDue: Promise<unknown>) => ({
  ...system,
  sleep: (ms: number, signal?: AbortSignal) => (ms === 20_000 ? isDue.then(() => undefined) : system.sleep(ms, signal)),
});

const opened = (dir: TempDir, program: string, isDue: Promise<unknown> = new Promise(() => undefined)) =>
  chromiumWindows({ ambient: ambientUntil(isDue), environment: process.env, program, isSandboxed: true })({
    profileDir: join(dir.path, 'profile'),
    ownOrigin: () => undefined,
    onTitle: () => undefined,
    openExternally: () => undefined,
  });

test('ends a browser that shows no window, and gives its last lines', async () => {
  await using dir = await tempDir();
  await dir.write({ browser: `#!/bin/sh\necho "no display" >&2\ntouch '${dir.path}/said'\nexec sleep 600\n` });
  const program = join(dir.path, 'browser');
  await chmod(program, 0o755);
  const hasSpoken = async (): Promise<void> => {
    while (!existsSync(join(dir.path, 'said'))) await system.sleep(5);
  };
  await expect(opened(dir, program, hasSpoken())).rejects.toMatchObject({
    reason: { kind: 'no-window' },
    lines: ['no display'],
  });
  expect(processesWith(dir.path)).toEqual([]);
});

test('gives the exit code of a browser that ends, and its last lines', async () => {
  await using dir = await tempDir();
  await dir.write({ browser: '#!/bin/sh\necho "no display" >&2\nexit 3\n' });
  const program = join(dir.path, 'browser');
  await chmod(program, 0o755);
  const reason = { kind: 'ended', end: 'exit code 3' };
  await expect(opened(dir, program)).rejects.toMatchObject({ reason, lines: ['no display'] });
});

test.each([
  ['is missing', 'missing', 'ENOENT'],
  ['is not executable', 'text', 'EACCES'],
  ['names an interpreter that is missing', 'script', 'ENOENT'],
  ['is a link to itself', 'loop', 'ELOOP'],
])('gives the code of the system when the browser %s', async (_case, name, code) => {
  await using dir = await tempDir();
  await dir.write({ text: 'no program', script: '#!/no/such/interpreter\n' });
  await chmod(join(dir.path, 'script'), 0o755);
  await symlink('loop', join(dir.path, 'loop'));
  const reason = { kind: 'not-started', code };
  await expect(opened(dir, join(dir.path, name))).rejects.toMatchObject({ reason, lines: [] });
});
