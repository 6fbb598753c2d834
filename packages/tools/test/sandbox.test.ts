import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemAmbient, type ToolResult, type WriteReach } from '@fucina/shared';
import { gitIn, OUTSIDE_TEMPORARY } from '@fucina/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorkspaceTools, type WorkspaceTools } from '../src/workspace-tools.ts';
import { contextOf } from './run-tool.ts';

const fixture = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-sandbox-')));
const [home, data] = [join(fixture, 'home'), join(fixture, 'data')];
const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
// Toolchains are searched only at intervals.
await write(join(home, '.ssh/id_ed25519'), 'PRIVATE');
await write(join(home, '.config/gh/hosts.yml'), 'PRIVATE');
await write(join(home, '.netrc'), 'PRIVATE');
const git = ['[user]', 'name = Somebody', 'email = a@b.example', '[core]', 'hooksPath = /x', '[http "https://h"]'];
await write(join(home, '.gitconfig'), [...git, 'extraHeader = PRIVATE', '[credential]', 'helper = store'].join('\n'));
await write(join(home, '.npmrc'), 'save-exact=true\n//r.example/:_authToken=PRIVATE\n');
await write(join(home, '.rustup/settings.toml'), 'toolchain');
await write(join(home, '.cache/kept'), 'cache');
await write(join(home, '.bashrc'), 'original');
await write(join(data, 'sessions.db'), 'PRIVATE');
const opened: WorkspaceTools[] = [];
const toolsWith = (environment: Record<string, string | undefined>, dataDir = data): WorkspaceTools => {
  const made = createWorkspaceTools({ ambient: systemAmbient('silent'), environment, dataDir });
  opened.push(made);
  return made;
};
const workspaceTools = toolsWith({ ...process.env, HOME: home });
const state = await workspaceTools.commands.sandboxState();

/** On a machine without a working sandbox the tests report that and end. */
const held = (title: string, act: () => Promise<void>): void =>
  test(title, async () => {
    if (state.isWorking) return act();
    process.stderr.write(`not held on this machine: ${state.detail}\n`);
  });

interface Ran {
  out: string;
  code: number | null | undefined;
  enforcement: string | undefined;
  /** For the model. */
  content: string;
}
interface Extra {
  writes?: WriteReach;
  sessionId?: string;
  workspaceTools?: WorkspaceTools;
}

let calls = 0;
async function sh(
  comando: string,
  folder: string,
  { workspaceTools: own = workspaceTools, ...extra }: Extra = {},
): Promise<Ran> {
  const context = contextOf(folder, { toolCallId: `c${++calls}`, ...extra });
  const tool = own.tools.find(({ name }) => name === 'shell');
  const result = await tool?.run({ comando: `{ ${comando}\n} 2>&1` }, context);
  const { stdout = '', exitCode, enforcement } = result?.command ?? {};
  return { out: stdout.trim(), code: exitCode, enforcement, content: result?.content ?? '' };
}

const refused = async (comando: string, folder: string): Promise<ToolResult> => {
  const tool = workspaceTools.tools.find(({ name }) => name === 'shell');
  const result = await tool?.run({ comando }, contextOf(folder, {}));
  expect([result?.isError, result?.command]).toEqual([true, undefined]);
  return result as ToolResult;
};

let folder: string;
let outside: string;
let count = 0;
beforeEach(async () => {
  const place = join(fixture, `place-${++count}`);
  [folder, outside] = [join(place, 'project'), join(place, 'outside.txt')];
  await mkdir(folder, { recursive: true });
  await writeFile(outside, 'original');
});
afterAll(async () => {
  // Sandboxes are still being prepared in the folders that are deleted.
  await Promise.all(opened.map(({ commands }) => commands[Symbol.asyncDispose]()));
  await rm(fixture, { recursive: true, force: true });
});
const untouched = async (): Promise<void> => expect(await readFile(outside, 'utf8')).toBe('original');

describe('what a command may write', () => {
  held('is the session folder, and nothing outside it', async () => {
    const ran = await sh(`echo in > a.txt; mkdir -p b/c; echo out > ../outside.txt; echo x > ${home}/.bashrc`, folder);
    expect(ran.enforcement).toBe('bubblewrap');
    expect(ran.out.match(/Read-only file system/g)).toHaveLength(2);
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('in\n');
    expect(await readFile(join(home, '.bashrc'), 'utf8')).toBe('original');
    await untouched();
  });

  held('is nothing under Read only, temporary files apart', async () => {
    const { out } = await sh('echo in > a.txt; echo x > /tmp/x && cat /tmp/x; rm -rf ../outside.txt', folder, {
      writes: 'nothing',
    });
    expect(out).toMatch(/a\.txt: Read-only file system\nx/s);
    expect(await readdir(folder)).toEqual([]);
    await untouched();
  });

  held('is build caches of the project, which no other project and no program outside reads', async () => {
    const other = join(dirname(folder), 'other');
    await mkdir(other);
    expect((await sh(`echo new > ${home}/.cache/new; cat ${home}/.cache/kept`, folder)).out).toContain('No such file');
    expect((await sh(`cat ${home}/.cache/new`, folder)).out).toBe('new');
    expect((await sh(`cat ${home}/.cache/new`, other)).out).toContain('No such file');
    expect(await readdir(join(home, '.cache'))).toEqual(['kept']);
    const { out } = await sh(`cat ${home}/.cache/new; echo new > ${home}/.cache/newer`, folder, { writes: 'nothing' });
    expect(out).toMatch(/^new\n.*Read-only/s);
  });

  test('is everything at Full access, which says so', async () => {
    const ran = await sh('echo changed > ../outside.txt', folder, { writes: 'anything' });
    expect([ran.enforcement, await readFile(outside, 'utf8')]).toEqual(['none', 'changed\n']);
  });

  held('is not widened by a link, a hard link, a mount or a namespace of its own', async () => {
    await symlink('../outside.txt', join(folder, 'link'));
    await symlink('..', join(folder, 'up'));
    const attacks = [
      'echo x > link',
      'echo x > up/outside.txt',
      'ln ../outside.txt hard && echo x > hard',
      'mount -o remount,rw / && echo x > ../outside.txt',
      'mount --bind .. .. && mount -o remount,rw,bind .. && echo x > ../outside.txt',
      `umount ${home}/.ssh && cat ${home}/.ssh/id_ed25519`,
      "unshare -Urm sh -c 'mount -o remount,rw / ; mount -o remount,rw,bind / ; echo x > ../outside.txt'",
      `unshare -Urm sh -c 'umount ${home}/.ssh ; umount -l ${home}/.ssh; cat ${home}/.ssh/id_ed25519'`,
      'chroot /proc/1/root sh -c "echo x > $OLDPWD/../outside.txt"',
      'echo x > /proc/1/root$PWD/../outside.txt',
      'echo x > /proc/self/cwd/../outside.txt',
      'cd .. && mv project elsewhere; echo x > outside.txt',
    ];
    for (const attack of attacks) {
      const { out } = await sh(attack, folder);
      expect([attack, out.includes('PRIVATE')]).toEqual([attack, false]);
      await untouched();
    }
  });
});

describe('what a command may read', () => {
  held('is the system, the toolchains of the home and the folder, and nothing else', async () => {
    const secrets = [
      `${home}/.ssh/id_ed25519`,
      `${home}/.config/gh/hosts.yml`,
      `${home}/.netrc`,
      `${data}/sessions.db`,
      outside,
    ];
    for (const secret of secrets) expect((await sh(`cat ${secret}`, folder)).out).toContain('No such file');
    expect((await sh(`ls -A ${data}`, folder)).out).toBe('');
    expect((await sh(`echo x > ${home}/.ssh/new`, folder)).out).toContain('No such file');
    await symlink(`${home}/.ssh`, join(folder, 'keys'));
    expect((await sh('ls -A keys/', folder)).out).toContain('No such file');
    expect((await sh(`cat ${home}/.rustup/settings.toml; ls /usr/bin/env`, folder)).out).toBe('toolchain/usr/bin/env');
  });

  held('is the settings of git and npm without their secrets', async () => {
    const { out } = await sh(`git config user.name; cat ${home}/.gitconfig ${home}/.npmrc`, folder);
    expect(out).toContain('Somebody');
    expect(out).toContain('save-exact=true');
    expect(out).not.toMatch(/PRIVATE|credential|hooksPath/);
  });

  held('is the repository around the folder, which it cannot change', async () => {
    const inner = join(folder, 'packages/app');
    await mkdir(inner, { recursive: true });
    await gitIn(folder)('init', '-q');
    await writeFile(join(folder, 'shared.txt'), 'shared');
    const { out } = await sh('cat ../../shared.txt; git rev-parse --show-toplevel; echo x > ../../shared.txt', inner);
    expect(out).toMatch(/^shared.*Read-only/s);
    expect(await readFile(join(folder, 'shared.txt'), 'utf8')).toBe('shared');
  });

  held('is a secret place itself where that is the session folder, and not its neighbours', async () => {
    await write(join(data, 'copies/one/file.txt'), 'mine\n');
    const { out } = await sh(`cat file.txt; echo new > file.txt; ls -A ..; ls -A ${data}`, join(data, 'copies/one'));
    expect(out).toBe('mine\none\ncopies');
    expect(await readFile(join(data, 'copies/one/file.txt'), 'utf8')).toBe('new\n');
  });

  held('is nothing secret below a folder that holds the home, where no command may write', async () => {
    const { out } = await sh('cat .ssh/id_ed25519 .netrc .npmrc; cat .bashrc', home, { writes: 'nothing' });
    expect(out).toContain('original');
    expect(out).not.toContain('PRIVATE');
    expect((await refused('true', home)).content).toContain('contains your home folder');
    expect((await refused('true', '/')).content).toContain('choose Full access');
  });

  held('leaves out the temporary files and processes of others', async () => {
    await using other = {
      path: await mkdtemp('/tmp/fucina-other-'),
      [Symbol.asyncDispose]: () => rm(other.path, { recursive: true }),
    };
    expect(
      (await sh(`ls -d ${other.path}; echo mine > /tmp/kept; ls /proc | grep -c '^[0-9]'`, folder, { sessionId: 'a' }))
        .out,
    ).toMatch(/No such file.*\n[3-9]$/s);
    expect((await sh('cat /tmp/kept; pwd', folder, { sessionId: 'a' })).out).toBe(`mine\n${folder}`);
    expect((await sh('ls -A /tmp', folder, { sessionId: 'b' })).out).toBe('');
    await workspaceTools.commands.forget('a');
    expect((await sh('ls -A /tmp', folder, { sessionId: 'a' })).out).toBe('');
  });
});

describe('operations that the sandbox does not affect', () => {
  held('exit codes, signals, arguments and the folder', async () => {
    expect((await sh('exit 7', folder)).code).toBe(7);
    expect((await sh('kill -9 $$', folder)).code).toBe(137);
    expect((await sh('pwd; echo "$TMPDIR"; whoami', folder)).out).toMatch(`${folder}\n/tmp\n`);
    const odd = join(folder, 'a "b"\nc');
    await mkdir(odd);
    expect((await sh('pwd', odd)).out).toBe(odd);
  });

  held('git, in a repository, a new one and a linked worktree', async () => {
    const git = 'git init -q . && echo a > a && git add a && git commit -qm one && git log --oneline';
    expect((await sh(git, folder)).out).toMatch(/^[0-9a-f]{7} one$/);
    const linked = join(dirname(folder), 'linked');
    await gitIn(folder)('worktree', 'add', '-q', linked);
    expect((await sh('echo b > b && git add b && git commit -qm two && git log --oneline', linked)).out).toMatch(
      /two\n.*one/,
    );
    // What a command wrote into the `.git` file has no effect.
    const liar = join(dirname(folder), 'liar');
    await mkdir(liar);
    await writeFile(join(liar, '.git'), `gitdir: ${folder}/.git/worktrees/linked\n`);
    expect((await sh(`echo x > ${folder}/.git/evil`, liar)).out).toContain('No such file');
  });

  held('limits a linked worktree to its own files, branch and part of the repository', async () => {
    const repository = join(folder, 'repo');
    const [mine, other] = [join(dirname(folder), 'mine'), join(dirname(folder), 'other')];
    await mkdir(repository);
    const run = gitIn(repository);
    for (const args of [
      ['init', '-q', '--initial-branch=main'],
      ['commit', '-q', '--allow-empty', '-m', 'one'],
    ])
      await run('-c', 'user.name=x', '-c', 'user.email=x@x.invalid', ...args);
    for (const [path, branch] of [
      [mine, 'fucina/mine'],
      [other, 'fucina/other'],
    ] as const)
      await run('worktree', 'add', '-q', '-b', branch, path);
    await run('branch', 'idle');
    const refs = (): Promise<string> => run('for-each-ref', '--format=%(refname) %(objectname)');
    const before = (await refs()).split('\n').filter((row) => !row.includes('fucina/mine'));

    expect((await sh('echo b > b && git add b && git commit -qm two && git log -1 --format=%s', mine)).out).toBe('two');
    const common = join(repository, '.git');
    const targets = [
      join(repository, 'evil'),
      join(other, 'evil'),
      ...[
        'config',
        'HEAD',
        'index',
        'hooks/post-commit',
        'info/attributes',
        'packed-refs',
        'objects/info/alternates',
      ].map((name) => join(common, name)),
      ...['refs/heads/main', 'refs/heads/fucina/other', 'logs/refs/heads/main', 'worktrees/other/HEAD'].map((name) =>
        join(common, name),
      ),
      join(common, 'worktrees/mine/commondir'),
      join(common, 'worktrees/mine/gitdir'),
    ];
    for (const path of targets)
      expect([path, (await sh(`echo evil >> '${path}'`, mine)).code === 0]).toEqual([path, false]);
    for (const command of [
      'git branch -f main HEAD',
      'git branch -D idle',
      'git config user.name evil',
      'git tag evil',
    ])
      expect([command, (await sh(command, mine)).code === 0]).toEqual([command, false]);
    const said = async (command: string) => (await sh(command, mine)).content;
    for (const command of ['git branch -D idle', 'git pack-refs --all', 'git gc'])
      expect(await said(command)).toContain('In a linked worktree, commands cannot delete or pack branches');
    expect(await said('git config user.name evil')).not.toContain('In a linked worktree');
    // git packs branches, and removes the folders of their files.
    await run('pack-refs', '--all');
    expect((await sh('git commit -q --allow-empty -m three && git log -1 --format=%s', mine)).out).toBe('three');
    // A branch of another worktree does not become its own by pointing HEAD at it.
    await sh('git symbolic-ref HEAD refs/heads/main; git commit -q --allow-empty -m evil', mine);
    await sh('git commit -q --allow-empty -m evil', mine);
    expect((await refs()).split('\n').filter((row) => !row.includes('fucina/mine'))).toEqual(before);
    expect(await readdir(other)).toEqual(['.git']);
    for (const name of ['config', 'HEAD', 'packed-refs'])
      expect(await readFile(join(common, name), 'utf8')).not.toContain('evil');
  });

  held(
    'names what a linked worktree shares when git may not write it, also objects that cannot be packed',
    async () => {
      const repository = join(folder, 'repo');
      const mine = join(dirname(folder), 'mine');
      await mkdir(repository);
      const run = gitIn(repository);
      await run('init', '-q', '--initial-branch=main');
      await write(join(repository, 'a'), 'a');
      await run('add', '-A');
      await run('-c', 'user.name=x', '-c', 'user.email=x@x.invalid', 'commit', '-qm', 'one');
      await run('branch', 'idle');
      await run('update-ref', 'refs/remotes/origin/main', 'HEAD');
      await run('worktree', 'add', '-q', '-b', 'mine', mine);
      const said = async (command: string) => (await sh(command, mine)).content;
      const stash = 'echo b > a; git stash';
      for (const command of [
        'git tag evil',
        stash,
        'git commit -q --allow-empty -m two; git branch -f idle HEAD',
        'git update-ref -d refs/remotes/origin/main',
      ])
        expect([command, await said(command)]).toEqual([command, expect.stringContaining('belong to all worktrees')]);
      expect(await run('for-each-ref', '--format=%(refname)')).toBe(
        'refs/heads/idle\nrefs/heads/main\nrefs/heads/mine\nrefs/remotes/origin/main',
      );
      // An object that git cannot read.
      await write(join(repository, '.git/objects/aa', 'b'.repeat(38)), 'broken');
      expect(await said('echo c > c; git add c')).toContain('Here they are not, so all are read-only');
      await rm(join(repository, '.git/objects/aa'), { recursive: true });
      expect((await sh('git add c && git commit -qm two && git log -1 --format=%s', mine)).out).toBe('two');
      // A format of git that the installed one does not know: it refuses, and nothing is packed or changed.
      await run('config', 'core.repositoryformatversion', '1');
      await run('config', 'extensions.refStorage', 'unknown');
      expect(await said('git commit -q --allow-empty -m four')).toContain('unknown repository extension');
    },
  );

  held('stops with TERM first and ends every process, including a grandchild in its own session', async () => {
    const mark = `sandbox-${Date.now()}`;
    const controller = new AbortController();
    const comando = `trap 'echo bye > said; exit' TERM; setsid setsid bash -c 'exec -a ${mark} sleep 987' & echo ready; while :; do sleep 0.05; done`;
    const context = contextOf(folder, { signal: controller.signal, progress: () => controller.abort() });
    const result = await workspaceTools.tools.find(({ name }) => name === 'shell')?.run({ comando }, context);
    expect([result?.content, result?.command?.enforcement]).toEqual([
      expect.stringContaining('Stopped after'),
      'bubblewrap',
    ]);
    expect(await readFile(join(folder, 'said'), 'utf8')).toBe('bye\n');
    expect((await sh(`pgrep -f '^${mark}'`, folder, { writes: 'anything' })).code).toBe(1);
  });

  held('what it left in the background when it ended by itself', async () => {
    const mark = `left-${Date.now()}`;
    await sh(`setsid bash -c 'exec -a ${mark} sleep 987' >/dev/null 2>&1 & echo done`, folder);
    expect((await sh(`pgrep -f '^${mark}'`, folder, { writes: 'anything' })).code).toBe(1);
  });
});

test('reports a missing sandbox and runs commands without one', async () => {
  const bare = toolsWith({ ...process.env, HOME: home, PATH: '/nowhere' });
  // Testable only if bwrap is in none of the usual places.
  const { isWorking, kind, detail } = await bare.commands.sandboxState();
  expect([kind, detail.length > 0]).toEqual([isWorking ? state.kind : 'none', true]);
  if (!state.isWorking) expect((await sh('true', folder)).enforcement).toBe('none');
  expect(await stat(join(data, 'tmp')).then((stats) => stats.mode & 0o777)).toBe(0o700);
});

held('leaves nothing behind when it is closed during the test', async () => {
  const dataDir = join(fixture, 'closed');
  const brief = toolsWith({ ...process.env, HOME: home }, dataDir);
  const tries = (): Promise<string[]> => readdir(join(dataDir, 'tmp')).catch(() => []);
  void brief.commands.sandboxState();
  while ((await tries()).length === 0) await new Promise(setImmediate);
  await brief.commands[Symbol.asyncDispose]();
  expect(await tries()).toEqual([]);
});

held('retries a test folder that could not be created and drops the output of the test', async () => {
  const dataDir = join(fixture, 'blocked');
  await write(join(dataDir, 'tmp'), 'a file where the folder should be');
  const blocked = toolsWith({ ...process.env, HOME: home }, dataDir);
  await expect(sh('echo out', folder, { workspaceTools: blocked })).rejects.toMatchObject({ code: 'EEXIST' });
  const open = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  expect(open.filter((path) => path.startsWith(dataDir))).toEqual([]);
  await rm(join(dataDir, 'tmp'));
  expect(await sh('echo out', folder, { workspaceTools: blocked })).toMatchObject({
    out: 'out',
    enforcement: state.kind,
  });
});
