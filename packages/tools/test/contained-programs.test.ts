import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { OUTSIDE_TEMPORARY } from '@fucina/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { createWorkspaceTools } from '../src/workspace-tools.ts';

const fixture = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-programs-')));
const [home, dataDir, folder] = [join(fixture, 'home'), join(fixture, 'data'), join(fixture, 'project')];
// A toolchain inside a folder that is a cache of projects, too.
await mkdir(join(home, '.cargo/bin'), { recursive: true });
await writeFile(join(home, '.cargo/bin/tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
await writeFile(join(home, '.cargo/env'), 'export X=1\n');
await mkdir(dataDir);
await mkdir(folder);
const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: home };
const { commands } = createWorkspaceTools({ ambient, environment, dataDir });
const state = await commands.sandboxState();
afterAll(async () => {
  await commands[Symbol.asyncDispose]();
  await rm(fixture, { recursive: true, force: true });
});

async function run(script: string): Promise<string> {
  const job = { id: 'test', argv: ['/bin/sh', '-c', script] as const, folder, memoryBytes: 1024 ** 3 };
  const program = await commands.programs.contain({ ...job, argv: [...job.argv] });
  if (!program) throw new Error('no sandbox');
  const { stdout, stderr } = await runProcess({ ambient, environment, ...program });
  await program.release();
  return (stdout.bytes.toString() + stderr.bytes.toString()).trim();
}

test('a contained program reads the project and toolchains, writes only temporary files and reaches no network', async () => {
  if (!state.isWorking) {
    expect(await commands.programs.contain({ id: 'x', argv: ['/bin/true'], folder, memoryBytes: 1 })).toBeUndefined();
    return;
  }
  await writeFile(join(folder, 'read.txt'), 'read');
  expect(await run(`cat read.txt; ${home}/.cargo/bin/tool; cat ${home}/.cargo/env`)).toBe('readtool\nexport X=1');
  expect(await run('echo x > made.txt')).toMatch(/Read-only file system/);
  expect(await run('echo x > /tmp/made.txt && cat /tmp/made.txt')).toBe('x');
  expect(await run('ulimit -d')).toBe(String(1024 ** 2));
  const fetch = `node -e "fetch('http://example.com').then(() => console.log('out'), () => console.log('refused'))"`;
  expect(await run(fetch)).toBe('refused');
  expect(await readdir(folder)).toEqual(['read.txt']);
});

test('a contained program leaves no temporary files', async () => {
  if (!state.isWorking) return;
  await run('echo x > /tmp/left.txt');
  expect((await readdir(join(dataDir, 'tmp'))).filter((name) => name.includes('program'))).toEqual([]);
});
