import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { processesWith, type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { chromiumWindows } from './chromium-window.ts';

const system = systemAmbient('silent');
/** Shortens the limit for the first window to 200 ms. */
const ambient = {
  ...system,
  sleep: (ms: number, signal?: AbortSignal) => system.sleep(ms === 20_000 ? 200 : ms, signal),
};

const opened = (dir: TempDir, program: string) =>
  chromiumWindows({ ambient, environment: process.env, program, isSandboxed: true })({
    profileDir: join(dir.path, 'profile'),
    ownOrigin: () => undefined,
    onTitle: () => undefined,
    openExternally: () => undefined,
  });

test('ends a browser that shows no window, and gives its last lines', async () => {
  await using dir = await tempDir();
  await dir.write({ browser: '#!/bin/sh\necho "no display" >&2\nexec sleep 60\n' });
  const program = join(dir.path, 'browser');
  await chmod(program, 0o755);
  await expect(opened(dir, program)).rejects.toMatchObject({ end: undefined, lines: ['no display'] });
  expect(processesWith(dir.path)).toEqual([]);
});

test('gives the reason when the browser cannot be started', async () => {
  await using dir = await tempDir();
  await expect(opened(dir, join(dir.path, 'missing'))).rejects.toMatchObject({
    end: 'exit code -2',
    lines: [expect.stringContaining('ENOENT')],
  });
});
