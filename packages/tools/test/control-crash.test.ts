import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemAmbient, type ToolResult } from '@fucina/shared';
import { bundleProgram, OUTSIDE_TEMPORARY } from '@fucina/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { createWorkspaceTools } from '../src/workspace-tools.ts';
import { contextOf } from './run-tool.ts';

const fixture = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-crash-')));
const [folder, dataDir] = [join(fixture, 'project'), join(fixture, 'data')];
await mkdir(folder);
afterAll(() => rm(fixture, { recursive: true, force: true }));

/** Starts a command in the background that makes a control file and goes on, and says so. */
const PROGRAM = `
import { systemAmbient } from '@fucina/shared';
import { createWorkspaceTools } from './src/workspace-tools.ts';
import { contextOf } from './test/run-tool.ts';
const [folder, dataDir] = process.argv.slice(2);
const ambient = systemAmbient('silent');
const { tools } = createWorkspaceTools({ ambient, environment: process.env, dataDir });
const background = { asked: new AbortController().signal, letGo: () => undefined };
const shell = tools.find(({ name }) => name === 'shell');
await shell.run(
  { comando: 'mkdir .vscode; echo made > .vscode/tasks.json; echo kept > plain; sleep 600', sfondo: true },
  contextOf(folder, { toolCallId: 'bg', background }),
);
process.stdout.write('started');
setInterval(() => undefined, 1000);
`;

test('control files of a command that ran when its process was killed are removed, and asked for with the next command', async () => {
  const program = join(fixture, 'program.mjs');
  await bundleProgram({ text: PROGRAM, folder: resolve(import.meta.dirname, '..') }, program);
  // Where the bundle finds the database driver that it does not contain.
  await symlink(resolve(import.meta.dirname, '../../shared/node_modules'), join(fixture, 'node_modules'));
  const killed = spawn(process.execPath, [program, folder, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(killed.stdout, 'data');
  while (!(await readdir(folder)).includes('plain')) await new Promise((resolve) => setTimeout(resolve, 20));
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await readFile(join(folder, '.vscode/tasks.json'), 'utf8')).toBe('made\n');

  const { tools, commands } = createWorkspaceTools({
    ambient: systemAmbient('silent'),
    environment: process.env,
    dataDir,
  });
  if (!(await commands.sandboxState()).isWorking) {
    process.stderr.write('not held on this machine\n');
    return;
  }
  const run = async (): Promise<ToolResult> =>
    (await tools.find(({ name }) => name === 'shell')?.run({ comando: 'true' }, contextOf(folder))) as ToolResult;
  await commands.sweep(() => true);
  expect(await readdir(folder, { recursive: true })).toEqual(['.vscode', 'plain']);
  expect((await run()).controlWrites).toEqual([{ path: '.vscode/tasks.json', content: 'made\n' }]);
  expect((await run()).controlWrites).toBeUndefined();
  await commands[Symbol.asyncDispose]();
}, 60_000);
