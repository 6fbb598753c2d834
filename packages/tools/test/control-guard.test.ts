import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient, type ToolResult } from '@fucina/shared';
import { gitIn, OUTSIDE_TEMPORARY } from '@fucina/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorkspaceTools } from '../src/workspace-tools.ts';
import { contextOf } from './run-tool.ts';

const fixture = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-control-')));
const workspaceTools = createWorkspaceTools({
  ambient: systemAmbient('silent'),
  environment: { ...process.env, HOME: join(fixture, 'home') },
  dataDir: join(fixture, 'data'),
});
const state = await workspaceTools.commands.sandboxState();

/** On a machine without a working sandbox the tests report that and end. */
const held = (title: string, act: () => Promise<void>): void =>
  test(title, async () => {
    if (state.isWorking) return act();
    process.stderr.write(`not held on this machine: ${state.detail}\n`);
  });

let folder: string;
let calls = 0;
beforeEach(async () => {
  folder = join(fixture, `project-${++calls}`);
  await mkdir(folder);
});
afterAll(async () => {
  await workspaceTools.commands[Symbol.asyncDispose]();
  await rm(fixture, { recursive: true, force: true });
});

describe('control files that a command makes', () => {
  const made = async (comando: string): Promise<ToolResult> => {
    const tool = workspaceTools.tools.find(({ name }) => name === 'shell');
    return (await tool?.run({ comando }, contextOf(folder, { toolCallId: `c${++calls}` }))) as ToolResult;
  };
  const untilGo = 'until [ -e go ]; do sleep 0.02; done';

  held('are removed and reported to the user', async () => {
    const { controlWrites } = await made(
      'mkdir -p .vscode .github/workflows; echo a > .vscode/tasks.json; echo b > .github/workflows/ci.yml; echo c > .envrc; ln -s x .mcp.json',
    );
    expect(controlWrites?.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: '.envrc', content: 'c\n' },
      { path: '.github/workflows/ci.yml', content: 'b\n' },
      { path: '.mcp.json', content: null },
      { path: '.vscode/tasks.json', content: 'a\n' },
    ]);
    expect(await readdir(folder, { recursive: true })).toEqual(['.github', '.vscode']);
  });

  held('are those of a new repository that git would run', async () => {
    const { controlWrites } = await made(
      'git init -q; git remote add o https://h.example/r; git config core.fsmonitor ./x; echo a > .git/hooks/pre-push',
    );
    expect(controlWrites?.map(({ path }) => path).toSorted()).toEqual(['.git/config', '.git/hooks/pre-push']);
    const config = await readFile(join(folder, '.git/config'), 'utf8');
    expect([config.includes('h.example'), config.includes('fsmonitor')]).toEqual([true, false]);
  });

  held('are found in subfolders, where they are read-only or removed', async () => {
    await mkdir(join(folder, 'packages/app/.vscode'), { recursive: true });
    await mkdir(join(folder, 'packages/lib'));
    await writeFile(join(folder, 'packages/app/.vscode/tasks.json'), 'kept');
    await gitIn(join(folder, 'packages/lib'))('init', '-q');
    const { content, controlWrites } = await made(
      `echo a > packages/app/.vscode/tasks.json; git -C packages/lib config core.fsmonitor ./x
       mv packages/app packages/moved; mkdir -p a/b/.vscode packages/app; echo b > a/b/.vscode/tasks.json; echo c > packages/app/.envrc
       mkdir -p node_modules/x; echo d > node_modules/x/.npmrc; git init -q a/new; echo e > a/new/.git/hooks/post-checkout`,
    );
    expect(content).toMatch(/Read-only file system[\s\S]*could not (lock|write)|could not lock[\s\S]*Read-only/);
    expect(await readFile(join(folder, 'packages/moved/.vscode/tasks.json'), 'utf8')).toBe('kept');
    expect(await readFile(join(folder, 'packages/lib/.git/config'), 'utf8')).not.toContain('fsmonitor');
    expect(controlWrites?.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: 'a/b/.vscode/tasks.json', content: 'b\n' },
      { path: 'a/new/.git/hooks/post-checkout', content: 'e\n' },
      { path: 'packages/app/.envrc', content: 'c\n' },
    ]);
    expect(await readdir(join(folder, 'node_modules/x'))).toEqual(['.npmrc']);
  });

  held('include those that the user adds between two commands', async () => {
    await made('true');
    await mkdir(join(folder, 'later'));
    await writeFile(join(folder, 'later', '.envrc'), 'mine');
    const { content, controlWrites } = await made('echo theirs > later/.envrc');
    expect([content.includes('Read-only'), controlWrites]).toEqual([true, undefined]);
    expect(await readFile(join(folder, 'later', '.envrc'), 'utf8')).toBe('mine');
  });

  held('are not the working tree that a submodule names, unless it is outside the folder', async () => {
    const modules = ['../../../sub', '../../../../elsewhere', '/etc', '"/etc"'];
    const config = (worktree: string): string => `printf '[core]\\n\\tworktree = %s\\n' '${worktree}'`;
    const lines = modules.map(
      (worktree, at) => `mkdir -p .git/modules/m${at}; ${config(worktree)} > .git/modules/m${at}/config`,
    );
    const { controlWrites } = await made(`git init -q; ${lines.join('; ')}`);
    expect(controlWrites?.map(({ path }) => path).toSorted()).toEqual(
      [1, 2, 3].map((at) => `.git/modules/m${at}/config`),
    );
  });

  held('do not include files at the root that the user replaces meanwhile, except links', async () => {
    await writeFile(join(folder, '.envrc'), 'mine');
    await symlink('elsewhere', join(folder, '.npmrc'));
    const running = made('until [ -e done ]; do sleep 0.02; done; rm .npmrc; echo theirs > .npmrc');
    await writeFile(join(folder, 'new'), 'saved by an editor');
    await rename(join(folder, 'new'), join(folder, '.envrc'));
    await writeFile(join(folder, 'done'), '');
    expect((await running).controlWrites).toEqual([{ path: '.npmrc', content: 'theirs\n' }]);
    expect(await readFile(join(folder, '.envrc'), 'utf8')).toBe('saved by an editor');
  });

  held('of an unread background command are reported with the next command', async () => {
    const background = { asked: new AbortController().signal, letGo: () => undefined };
    const tool = workspaceTools.tools.find(({ name }) => name === 'shell');
    const start = contextOf(folder, { toolCallId: 'left', background });
    await tool?.run({ comando: `${untilGo}; echo a > .envrc`, sfondo: true }, start);
    await writeFile(join(folder, 'go'), '');
    let next: ToolResult;
    do next = await made('sleep 0.05');
    while (next.controlWrites === undefined);
    expect(next.controlWrites).toEqual([{ path: '.envrc', content: 'a\n' }]);
  });

  held('of a background command are removed while it runs, also an allowed one that it changes in place', async () => {
    const background = { asked: new AbortController().signal, letGo: () => undefined };
    const find = (name: string) => workspaceTools.tools.find((tool) => tool.name === name);
    const start = contextOf(folder, { toolCallId: 'live', background });
    const comando = `echo a > .envrc; ${untilGo}; echo theirs >> .npmrc; sleep 600`;
    await find('shell')?.run({ comando, sfondo: true }, start);
    const reported: unknown[] = [];
    const untilGone = async (name: string): Promise<void> => {
      while ((await readdir(folder)).includes(name)) reported.push(...((await made('sleep 0.05')).controlWrites ?? []));
    };
    await untilGone('.envrc');
    await find('scrivi')?.run({ percorso: '.npmrc', contenuto: 'allowed\n' }, contextOf(folder));
    await writeFile(join(folder, 'go'), '');
    await untilGone('.npmrc');
    reported.push(...((await made('true')).controlWrites ?? []));
    expect(reported).toEqual([
      { path: '.envrc', content: 'a\n' },
      { path: '.npmrc', content: 'allowed\ntheirs\n' },
    ]);
    await find('processi')?.run({ azione: 'ferma', id: 'live' }, start);
  });

  held('of a background command are reported when it is first read after its end', async () => {
    const background = { asked: new AbortController().signal, letGo: () => undefined };
    const context = contextOf(folder, { toolCallId: 'bg', background });
    const run = async (name: string, input: unknown): Promise<ToolResult> =>
      (await workspaceTools.tools.find((tool) => tool.name === name)?.run(input, context)) as ToolResult;
    await run('shell', { comando: `${untilGo}; echo a > .envrc`, sfondo: true });
    await writeFile(join(folder, 'go'), '');
    let end: ToolResult;
    do end = await run('processi', { azione: 'leggi', id: 'bg' });
    while (end.content.includes('still running'));
    expect(end.controlWrites).toEqual([{ path: '.envrc', content: 'a\n' }]);
    expect((await run('processi', { azione: 'leggi', id: 'bg' })).controlWrites).toBeUndefined();
  });
});
