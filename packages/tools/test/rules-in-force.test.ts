import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { createSandboxRules, type SandboxRules } from '@fucina/sandbox';
import { systemAmbient, type ToolResult } from '@fucina/shared';
import { gitIn, OUTSIDE_TEMPORARY } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWorkspaceTools, type WorkspaceTools } from '../src/workspace-tools.ts';
import { contextOf } from './run-tool.ts';

const base = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-rules-')));
const [home, dataDir, folder] = [join(base, 'home'), join(base, 'data'), join(base, 'home/project')];
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

let rules: SandboxRules;
let workspaceTools: WorkspaceTools;
let socket: Server;
let calls = 0;
/** Paths that the user lets the session's commands read. */
let sessionReads: readonly string[] = [];

async function run(comando: string): Promise<ToolResult> {
  const tool = workspaceTools.tools.find(({ name }) => name === 'shell');
  return (await tool?.run({ comando }, contextOf(folder, { toolCallId: `r${++calls}` }))) as ToolResult;
}

async function withRule<Result>(text: string, act: () => Promise<Result>): Promise<Result> {
  const { id } = await rules.add(text, folder);
  try {
    return await act();
  } finally {
    await rules.remove(id);
  }
}

beforeAll(async () => {
  await mkdir(dataDir, { recursive: true });
  await chmod(base, 0o755);
  await write(join(home, 'shared/lib/notes.txt'), 'shared text');
  await write(join(home, '.config/gh/hosts.yml'), 'TOKEN');
  await write(join(home, '.config/tool/settings'), 'settings');
  await write(join(folder, '.github/workflows/ci.yml'), 'original\n');
  await write(join(folder, '.vscode/tasks.json'), 'original\n');
  await gitIn(folder)('init', '-q');
  await write(join(folder, '.git/hooks/pre-commit'), 'original\n');
  const environment = { ...process.env, HOME: home };
  const ambient = systemAmbient('silent');
  rules = createSandboxRules({ ambient, environment, dataDir });
  workspaceTools = createWorkspaceTools({
    ambient,
    environment,
    dataDir,
    rules: { ...rules, mode: () => 'listed' },
    sessionReads: () => sessionReads,
  });
  socket = createServer((connection) => connection.destroy());
  await new Promise<void>((resolve) => socket.listen(join(home, 'shared/agent.sock'), resolve));
});
afterAll(async () => {
  await workspaceTools.commands[Symbol.asyncDispose]();
  await rules[Symbol.asyncDispose]();
  socket.close();
  await rm(base, { recursive: true, force: true });
});

describe('a Read rule', () => {
  test('shows a folder of the home read-only, without its sockets', async () => {
    expect((await run(`cat ${home}/shared/lib/notes.txt`)).isError).toBe(true);
    await withRule('Read(~/shared)', async () => {
      const result = await run(
        `cat ${home}/shared/lib/notes.txt; echo x > ${home}/shared/new || echo held; [ -S ${home}/shared/agent.sock ] || echo no-socket`,
      );
      expect(result.command?.stdout).toBe('shared textheld\nno-socket\n');
    });
    expect((await run(`cat ${home}/shared/lib/notes.txt`)).isError).toBe(true);
  });

  test('does not show keys in the folder that it does not name', async () => {
    await withRule('Read(~/.config)', async () => {
      const { command } = await run(`cat ${home}/.config/tool/settings; cat ${home}/.config/gh/hosts.yml; echo end`);
      expect(command?.stdout).toBe('settingsend\n');
    });
  });

  test('opens nothing once its folder is replaced by a link', async () => {
    await write(join(home, 'moved/file'), 'moved');
    await withRule('Read(~/moved)', async () => {
      await rm(join(home, 'moved'), { recursive: true });
      await symlink(join(home, '.config'), join(home, 'moved'));
      expect((await run(`cat ${home}/moved/gh/hosts.yml`)).isError).toBe(true);
    });
  });
});

describe('a Write rule', () => {
  test('makes the control files of a folder writable, new ones too, and no others', async () => {
    const script =
      'echo changed > .github/workflows/ci.yml; echo new > .github/workflows/new.yml; echo changed > .vscode/tasks.json; echo changed > .git/hooks/pre-commit';
    await run(script);
    expect(await readFile(join(folder, '.github/workflows/ci.yml'), 'utf8')).toBe('original\n');
    await withRule('Write(.github/workflows/**)', async () => {
      const result = await run(script);
      expect(result.controlWrites ?? []).toEqual([]);
    });
    expect(await readFile(join(folder, '.github/workflows/ci.yml'), 'utf8')).toBe('changed\n');
    expect(await readFile(join(folder, '.github/workflows/new.yml'), 'utf8')).toBe('new\n');
    expect(await readFile(join(folder, '.vscode/tasks.json'), 'utf8')).toBe('original\n');
    expect(await readFile(join(folder, '.git/hooks/pre-commit'), 'utf8')).toBe('original\n');
  });

  test('opens one file in a read-only folder', async () => {
    await withRule('Write(.git/hooks/pre-commit)', async () => {
      await run('echo changed > .git/hooks/pre-commit; echo x > .git/hooks/post-commit');
    });
    expect(await readFile(join(folder, '.git/hooks/pre-commit'), 'utf8')).toBe('changed\n');
    await expect(readFile(join(folder, '.git/hooks/post-commit'), 'utf8')).rejects.toThrow();
  });

  test('lets a command make a control file that was not there', async () => {
    expect((await run('echo x > .envrc')).controlWrites).toHaveLength(1);
    await withRule('Write(.envrc)', () => run('echo x > .envrc'));
    expect(await readFile(join(folder, '.envrc'), 'utf8')).toBe('x\n');
    await rm(join(folder, '.envrc'));
  });
});

test('an opened control file that is renamed to another control file is asked for', async () => {
  await write(join(folder, '.npmrc'), 'save-exact=true\n');
  await withRule('Write(.npmrc)', async () => {
    const { controlWrites } = await run('echo x > .npmrc; mv .npmrc .envrc; cp -r .github/workflows .husky');
    expect(controlWrites?.map(({ path }) => path).sort()).toEqual(['.envrc', '.husky/ci.yml', '.husky/new.yml']);
  });
  await expect(readFile(join(folder, '.envrc'), 'utf8')).rejects.toThrow();
});

test('a Write rule with a bare name opens it in folders below too', async () => {
  await write(join(folder, 'packages/one/.npmrc'), 'original\n');
  await run('echo x > packages/one/.npmrc');
  expect(await readFile(join(folder, 'packages/one/.npmrc'), 'utf8')).toBe('original\n');
  await withRule('Write(.npmrc)', () => run('echo changed > packages/one/.npmrc'));
  expect(await readFile(join(folder, 'packages/one/.npmrc'), 'utf8')).toBe('changed\n');
});

describe('a command blocked from a file', () => {
  test('is answered with the rule that lets it read the folder', async () => {
    const { content } = await run(`cat ${home}/shared/lib/notes.txt`);
    expect(content).toContain(
      `[Fucina hides ${home}/shared/lib/notes.txt from commands. The user can allow it with the rule Read(${home}/shared/lib).]`,
    );
    const { content: byNode } = await run(`node -e "require('fs').readFileSync('${home}/shared/lib/notes.txt')"`);
    expect(byNode).toContain(`the rule Read(${home}/shared/lib)`);
    const [last] = workspaceTools.commands.sandboxRefusals();
    expect(last).toMatchObject({ kind: 'read', rule: `Read(${home}/shared/lib)`, folder, sessionId: 's' });
  });

  test('is answered with the rule that lets it write the control file', async () => {
    const { content } = await run('echo x > .vscode/tasks.json');
    expect(content).toContain('the rule Write(.vscode/tasks.json)');
    expect((await run('echo x > .git/hooks/pre-commit')).content).not.toContain('the rule');
  });

  test('gets no hint about keys or missing files', async () => {
    const { content } = await run(`cat ${home}/.config/gh/hosts.yml ${home}/absent`);
    expect(content).not.toContain('the rule');
  });
});

test('the self-test of the sandbox finds every attempt as expected', async () => {
  const { isSandboxed, results } = await workspaceTools.commands.testSandbox();
  expect(isSandboxed).toBe(true);
  expect(results.filter(({ expected, outcome }) => outcome !== expected && outcome !== 'skipped')).toEqual([]);
  const skipped = results.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id);
  expect(skipped).toEqual(['read-keys']); // this home has none
  expect(workspaceTools.commands.sandboxRefusals().filter(({ kind }) => kind === 'network')).toEqual([]);
});

test('a file that the sandbox hid from a command is reported with its place, which the session can then read without its keys', async () => {
  const failed = await run(`cat ${home}/.config/tool/settings`);
  if (failed.command?.enforcement !== 'bubblewrap') return;
  expect(failed.hiddenReads).toEqual([`${home}/.config/tool`]);
  expect((await run(`cat ${home}/.config/gh/hosts.yml`)).hiddenReads).toBeUndefined();
  expect((await run(`cat ${home}/nothing`)).hiddenReads).toBeUndefined();
  sessionReads = [`${home}/.config/tool`];
  try {
    expect((await run(`cat ${home}/.config/tool/settings`)).command?.stdout).toBe('settings');
    expect((await run(`cat ${home}/.config/gh/hosts.yml`)).isError).toBe(true);
  } finally {
    sessionReads = [];
  }
});
