import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';

const SETUP = resolve(import.meta.dirname, '../../../scripts/setup.mjs');

/** An installer that tells by its exit code whether npx would find a pnpm in the workspace. */
const INSTALLER = '#!/bin/sh\n[ -e node_modules/pnpm ] && exit 3\nexit 7\n';

test('set-up after an installation that did not finish does not take the pnpm that is left', async () => {
  await using place = await tempDir();
  const inWorkspace = (path: string): string => join(place.path, path);
  for (const folder of ['scripts', 'bin', 'node_modules/pnpm']) mkdirSync(inWorkspace(folder), { recursive: true });
  copyFileSync(SETUP, inWorkspace('scripts/setup.mjs'));
  writeFileSync(inWorkspace('package.json'), '{"packageManager":"pnpm@1.0.0"}');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) writeFileSync(inWorkspace(file), '');
  writeFileSync(inWorkspace('bin/npx'), INSTALLER, { mode: 0o755 });

  const env = { ...process.env, PATH: `${inWorkspace('bin')}:${process.env['PATH']}` };
  const { status, stderr } = spawnSync(process.execPath, [inWorkspace('scripts/setup.mjs')], { env, encoding: 'utf8' });

  expect(status).toBe(7);
  expect(stderr).toContain('the installation failed');
});
