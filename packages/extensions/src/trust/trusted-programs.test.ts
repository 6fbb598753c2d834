import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createTrustStore } from './trust-store.ts';
import { createTrustedPrograms, type ProjectProgram } from './trusted-programs.ts';

test('trusts a program of a project until it, its arguments or a file it depends on changes', async () => {
  await using data = await tempDir();
  await using project = await tempDir();
  const programs = createTrustedPrograms(createTrustStore({ ambient: systemAmbient('silent'), dataDir: data.path }));
  const [bin, manifest] = [join(project.path, 'server'), join(project.path, 'package.json')];
  await writeFile(bin, 'one');
  await writeFile(manifest, '{"version":"1.0.0"}');
  const program: ProjectProgram = { id: 'tsgo', folder: project.path, argv: [bin, '--stdio'], files: [manifest] };
  expect(await programs.isTrusted(program)).toBe(false);
  await programs.trust(program);
  expect(await programs.isTrusted(program)).toBe(true);
  expect(await programs.isTrusted({ ...program, argv: [bin, '--lsp'] })).toBe(false);
  expect(await programs.isTrusted({ ...program, id: 'other' })).toBe(false);
  expect(await programs.isTrusted({ ...program, folder: data.path })).toBe(false);
  await writeFile(manifest, '{"version":"1.0.1"}');
  expect(await programs.isTrusted(program)).toBe(false);
  await programs.trust(program);
  await writeFile(bin, 'two');
  expect(await programs.isTrusted(program)).toBe(false);
});

test('trusts a runner until the file that says what its names mean changes', async () => {
  await using data = await tempDir();
  await using project = await tempDir();
  const programs = createTrustedPrograms(createTrustStore({ ambient: systemAmbient('silent'), dataDir: data.path }));
  const manifest = join(project.path, 'package.json');
  const write = (serve: string, version = '1'): Promise<void> =>
    writeFile(manifest, JSON.stringify({ version, scripts: { serve } }));
  await write('node server.js');
  const program: ProjectProgram = {
    id: 'served',
    folder: project.path,
    argv: ['/usr/bin/npm', 'run', 'serve'],
    files: [],
  };
  await programs.trust(program);
  expect(await programs.isTrusted(program)).toBe(true);
  await write('node server.js', '2');
  expect(await programs.isTrusted(program)).toBe(true);
  await write('sh anything.sh');
  expect(await programs.isTrusted(program)).toBe(false);
  await rm(manifest);
  expect(await programs.isTrusted(program)).toBe(false);
});
