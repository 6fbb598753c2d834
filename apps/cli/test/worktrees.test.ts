import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn, pullRequestRemote } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const computerThatWrites = (): Promise<TestComputer> =>
  testComputer(
    ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('write')
        ? {
            toolCalls: [
              { name: 'leggi', arguments: { percorso: 'a.txt' } },
              { name: 'scrivi', arguments: { percorso: 'a.txt', contenuto: `${lastText}\n` } },
            ],
          }
        : { text: 'Done.' },
    { 'a.txt': 'a\n' },
  );
const ask = (computer: TestComputer, ...args: string[]) =>
  computer.run([...args, '--model', 'ollama:tiny', '--permissions', 'Workspace write']);
const worktrees = async (computer: TestComputer): Promise<any[]> =>
  JSON.parse((await computer.run(['worktrees', '--json'])).stdout).worktrees;

test('fucina --worktree works in a worktree, named or after the task, and uses a named one again', async () => {
  await using computer = await computerThatWrites();
  const first = await ask(computer, '-p', 'write the first line', '--worktree');
  expect([first.exit, first.stdout]).toEqual([0, 'Done.\n']);
  expect(first.stderr).toContain('Worktree write-the-first-line, branch fucina/write-the-first-line: ');
  for (const text of ['write one', 'write two']) expect((await ask(computer, '-p', text, '-w', 'shared')).exit).toBe(0);
  const rows = await worktrees(computer);
  expect(rows.map(({ name, sessionIds }) => [name, sessionIds.length])).toEqual([
    ['write-the-first-line', 1],
    ['shared', 2],
  ]);
  expect(await readFile(join(rows[1].path, 'a.txt'), 'utf8')).toBe('write two\n');
  expect(await computer.project.git('status', '--porcelain')).toBe('');
  expect(plain((await computer.run(['worktrees'])).stdout)).toMatch(
    /^write-the-first-line +fucina\/write-the-first-line +1 uncommitted 1 sessions +\//,
  );
  const refused = await computer.run(['-p', 'x', '--continue', '--worktree']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--worktree starts a new session')]);
});

test('the branch of a worktree cannot control the terminal', async () => {
  await using computer = await computerThatWrites();
  await ask(computer, '-p', 'hello', '-w', 'shared');
  const [{ path }] = await worktrees(computer);
  await gitIn(path)('checkout', '-qb', 'a\u202eb\u009b2J');
  const again = await ask(computer, '-p', 'hello', '-w', 'shared');
  expect(again.stderr).toContain('Worktree shared, branch a<U+202E>b<U+009B>2J: ');
});

test('a worktree is removed again with its branch when its session does not start', async () => {
  await using computer = await computerThatWrites();
  const start = (name: string) => computer.run(['-p', 'write one', '-w', name, '--model', 'nobody:nothing']);
  const failed = await start('new');
  expect(failed.exit).not.toBe(0);
  expect(failed.stderr).not.toBe('');
  expect(await worktrees(computer)).toEqual([]);
  expect(await computer.project.git('worktree', 'list')).not.toContain('\n');
  expect(await computer.project.git('branch', '--list', 'fucina/*')).toBe('');
  expect((await ask(computer, '-p', 'hello', '-w', 'kept')).exit).toBe(0);
  expect((await start('kept')).exit).not.toBe(0);
  expect((await worktrees(computer)).map(({ name }) => name)).toEqual(['kept']);
});

test('fucina --worktree is refused outside a repository', async () => {
  await using computer = await computerThatWrites();
  const outside = await computer.run(['-p', 'x', '-w', '--model', 'ollama:tiny'], { cwd: computer.env.HOME as string });
  expect([outside.exit, outside.stderr]).toEqual([expect.any(Number), expect.stringContaining('GIT_NOT_A_REPOSITORY')]);
  expect(outside.exit).not.toBe(0);
});

test('sessions are compared and merged, and conflicts are listed', async () => {
  await using computer = await computerThatWrites();
  for (const name of ['one', 'two']) await ask(computer, '-p', `write ${name}`, '-w', name);
  const ids = (await worktrees(computer)).map(({ sessionIds }) => sessionIds[0]);
  const compared = plain((await computer.run(['sessions', 'compare', ...ids])).stdout);
  expect(compared).toMatch(/write one +one +ollama:tiny +1 files +\+1 -1/);
  expect(compared).toMatch(/a\.txt +\+1 -1 +\+1 -1/);
  const facts = JSON.parse((await computer.run(['sessions', 'compare', ...ids, '--json'])).stdout);
  expect(facts.sessions[0]).toMatchObject({ worktree: 'one', files: [{ path: 'a.txt', added: 1, removed: 1 }] });

  const without = await computer.run(['sessions', 'merge', ids[0]]);
  expect([without.exit, without.stderr]).toEqual([expect.any(Number), expect.stringContaining('GIT_WORKTREE_DIRTY')]);
  expect((await computer.run(['sessions', 'merge', ids[0], '--message', 'One'])).stdout).toBe(
    'Merged one into main.\n',
  );
  expect(await computer.project.git('log', '-1', '--format=%s')).toBe('One');
  const conflict = await computer.run(['worktrees', 'merge', 'two', '--message', 'Two']);
  expect([conflict.exit, conflict.stdout]).toEqual([1, 'a.txt\n']);
  expect(await computer.project.git('status', '--porcelain')).toBe('');
});

test('fucina worktrees merge --rebase makes no merge commit', async () => {
  await using computer = await computerThatWrites();
  await ask(computer, '-p', 'write one', '-w', 'one');
  await computer.project.write({ 'b.txt': 'b\n' });
  await computer.project.git('add', '-A');
  await computer.project.git('commit', '-qm', 'Ours');
  const merged = await computer.run(['worktrees', 'merge', 'one', '--message', 'One', '--rebase']);
  expect(merged.stdout).toBe('Merged one into main.\n');
  expect(await computer.project.git('log', '-2', '--format=%s')).toBe('One\nOurs');
});

test('fucina worktrees remove keeps changes unless forced', async () => {
  await using computer = await computerThatWrites();
  await ask(computer, '-p', 'hello', '-w', 'one');
  const [{ path }] = await worktrees(computer);
  await writeFile(join(path, 'new.txt'), 'new\n');
  const refused = await computer.run(['worktrees', 'remove', 'one']);
  expect([refused.exit, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('uncommitted changes')]);
  expect(await gitIn(path)('status', '--porcelain')).toBe('?? new.txt');
  const removed = await computer.run(['worktrees', 'remove', 'one', '--force', '--delete-branch']);
  expect(removed.stdout).toBe('Removed worktree one.\n');
  expect(await computer.project.git('branch', '--list', 'fucina/*')).toBe('');
  expect((await computer.run(['worktrees'])).stdout).toBe('No worktrees.\n');
  expect((await computer.run(['worktrees', 'remove', 'one'])).exit).not.toBe(0);
});

async function withScript(computer: TestComputer, script: string): Promise<void> {
  await computer.project.write({ '.svc/worktree': script, '.gitignore': '.env\n' });
  await chmod(join(computer.project.path, '.svc/worktree'), 0o755);
  await computer.project.git('add', '-A');
  await computer.project.git('commit', '-qm', 'Set-up');
}

test('fucina --worktree runs a trusted set-up script first, and shows its output on standard error', async () => {
  await using computer = await computerThatWrites();
  await withScript(computer, '#!/bin/sh\necho installing\ntouch ready\n');
  const untrusted = await ask(computer, '-p', 'hello', '-w', 'one');
  expect([untrusted.exit, untrusted.stdout]).toEqual([0, 'Done.\n']);
  expect(untrusted.stderr).toContain('you have not trusted this version');
  expect(untrusted.stderr).not.toContain('installing');
  const shown = await computer.run(['worktrees', 'setup', 'one']);
  expect([shown.exit, shown.stdout]).toEqual([1, '#!/bin/sh\necho installing\ntouch ready\n']);
  const trusted = await computer.run(['worktrees', 'setup', 'one', '--trust']);
  expect([trusted.exit, trusted.stdout]).toEqual([0, '.svc/worktree succeeded.\n']);
  const second = await ask(computer, '-p', 'hello', '-w', 'two');
  expect([second.exit, second.stdout]).toEqual([0, 'Done.\n']);
  expect(second.stderr).toContain('Running .svc/worktree…\ninstalling\n');
  const [, two] = await worktrees(computer);
  expect(await readFile(join(two.path, 'ready'), 'utf8')).toBe('');
});

test('a set-up script can hide nothing from the review, and its output cannot control the terminal', async () => {
  await using computer = await computerThatWrites();
  await withScript(computer, "#!/bin/sh\ntouch stolen # \x1b[2K\x1b[1A\nprintf '\\033]0;title\\007shown'\n");
  await ask(computer, '-p', 'hello', '-w', 'one');
  const shown = await computer.run(['worktrees', 'setup', 'one']);
  expect(shown.stdout).toContain('touch stolen # ␛[2K␛[1A');
  const trusted = await computer.run(['worktrees', 'setup', 'one', '--trust']);
  expect(trusted.stderr).toBe('Running .svc/worktree…\nshown');
});

test('a session starts in its worktree also when the set-up script fails', async () => {
  await using computer = await computerThatWrites();
  await withScript(computer, '#!/bin/sh\necho broken\nexit 3\n');
  await ask(computer, '-p', 'hello', '-w', 'one');
  const failed = await computer.run(['worktrees', 'setup', 'one', '--trust']);
  expect([failed.exit, failed.stdout]).toEqual([1, '']);
  const started = await ask(computer, '-p', 'hello', '-w', 'two', '-q');
  expect([started.exit, started.stdout]).toEqual([0, 'Done.\n']);
  expect(started.stderr).toContain('.svc/worktree failed with exit code 3.');
});

test('--copy-env copies ignored settings files to the new worktree only', async () => {
  await using computer = await computerThatWrites();
  await withScript(computer, '#!/bin/sh\n');
  await computer.project.write({ '.env': 'KEY=1\n' });
  await ask(computer, '-p', 'hello', '-w', 'plain');
  await ask(computer, '-p', 'hello', '-w', 'copied', '--copy-env');
  const [plainTree, copied] = await worktrees(computer);
  expect(await readFile(join(copied.path, '.env'), 'utf8')).toBe('KEY=1\n');
  await expect(readFile(join(plainTree.path, '.env'))).rejects.toThrow('ENOENT');
  const refused = await computer.run(['-p', 'x', '--copy-env']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('use it with --worktree')]);
});

test('fucina --pr works in a new worktree with the commits of a pull request', async () => {
  await using computer = await computerThatWrites();
  await using remote = await pullRequestRemote(computer.project);
  const commit = await remote.propose('Proposed');
  const started = await ask(computer, '-p', 'write one', '--pr', '7');
  expect([started.exit, started.stdout]).toEqual([0, 'Done.\n']);
  expect(started.stderr).toContain('Worktree pr-7, branch fucina/pr-7: ');
  const [one] = await worktrees(computer);
  expect(await gitIn(one.path)('rev-parse', 'HEAD')).toBe(commit);
  const absent = await ask(computer, '-p', 'write one', '--pr', '8', '--worktree');
  expect([absent.exit, absent.stdout]).toEqual([expect.any(Number), '']);
  expect(absent.exit).not.toBe(0);
  expect(absent.stderr).toContain('no pull request with this number');
  for (const wrong of [
    ['--pr', '7', '-w', 'named'],
    ['--pr', '7', '--continue'],
    ['--pr', 'x'],
  ])
    expect((await computer.run(['-p', 'x', ...wrong])).exit).toBe(2);
  expect(await worktrees(computer)).toHaveLength(1);
});

test('fucina formatters lists what is installed, and turns one on for the project', async () => {
  await using computer = await computerThatWrites();
  const bin = join(computer.project.path, 'node_modules/.bin/prettier');
  await computer.project.write({ 'node_modules/.bin/prettier': '#!/bin/sh\ntr a-z A-Z\n' });
  await chmod(bin, 0o755);
  expect(plain((await computer.run(['formatters'])).stdout)).toMatch(/prettier +off +\.ts /);
  expect((await computer.run(['formatters', 'enable', 'prettier'])).stdout).toContain('prettier formats the files');
  expect(plain((await computer.run(['formatters'])).stdout)).toMatch(/prettier +on +\.ts /);
  expect((await computer.run(['formatters', 'disable', 'prettier'])).stdout).toBe('prettier is off.\n');
  expect((await computer.run(['formatters', 'enable', 'absent'])).exit).not.toBe(0);
});

test('the board lists recent sessions with their last line, changed lines and cost', async () => {
  await using computer = await computerThatWrites();
  expect((await computer.run(['sessions', 'board'])).stdout).toBe('No sessions in the last hours.\n');
  await ask(computer, '-p', 'write one');
  expect(plain((await computer.run(['sessions', 'board'])).stdout)).toMatch(
    /done +write one +\S+ +\+1 -1 +\S+ +Done\.\n$/,
  );
  const [row] = JSON.parse((await computer.run(['sessions', 'board', '--json'])).stdout).sessions;
  expect(row).toMatchObject({ name: 'write one', state: 'ended', changed: { files: 1, added: 1, removed: 1 } });
});

test('the board with --watch prints until it is interrupted', async () => {
  await using computer = await computerThatWrites();
  await ask(computer, '-p', 'write one');
  const watched = await computer.run(['sessions', 'board', '--watch', '--json'], {
    watch: ({ stdout }, interrupt) => void (stdout.endsWith('}\n') && interrupt()),
  });
  expect(watched.exit).toBe(0);
  expect(JSON.parse(watched.stdout).sessions).toHaveLength(1);
});
