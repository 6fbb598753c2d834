import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const MESSAGE = 'Say hello\n\nThe reader was not greeted.';
const MODEL = ['--model', 'ollama:tiny'];

async function changed(message = MESSAGE): Promise<TestComputer> {
  const computer = await testComputer(() => ({ text: message }));
  await computer.project.write({ 'README.md': '# Sample\n\nHello.\n', 'other.txt': 'not staged\n' });
  await computer.project.git('add', 'README.md');
  return computer;
}

const lastMessage = async (computer: TestComputer): Promise<string> =>
  (await computer.project.git('log', '-1', '--format=%B')).trim();
const staged = async (computer: TestComputer): Promise<string> =>
  (await computer.project.git('diff', '--cached', '--name-only')).trim();

describe('fucina git message', () => {
  test('prints a message for the staged changes and nothing else on standard output', async () => {
    await using computer = await changed();
    const { exit, stdout, stderr } = await computer.run(['git', 'message', 'greet them', ...MODEL]);
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: `${MESSAGE}\n`, stderr: '' });
    const asked = JSON.stringify(computer.model.requests[0]?.body);
    expect(asked).toContain('+Hello.');
    expect(asked).toContain('greet them');
    expect(asked).not.toContain('not staged');
    expect(await staged(computer)).toBe('README.md');
  });

  test('describes all changes when nothing is staged, and says so', async () => {
    await using computer = await changed();
    await computer.project.git('reset');
    const { exit, stdout, stderr } = await computer.run(['git', 'message', '--json', ...MODEL]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ message: MESSAGE, area: 'work', isCut: false, model: 'ollama:tiny' });
    expect(stderr).toContain('Nothing is staged');
  });

  test('escapes control characters', async () => {
    await using computer = await changed('Say \x1b[2Jhello');
    expect((await computer.run(['git', 'message', ...MODEL])).stdout).toBe('Say ␛[2Jhello\n');
  });

  test('requires a model, a repository and a change', async () => {
    await using computer = await changed();
    expect((await computer.run(['git', 'message'])).exit).toBe(78);
    expect((await computer.run(['git', 'message', ...MODEL], { cwd: String(computer.env.HOME) })).stderr).toContain(
      'GIT_NOT_A_REPOSITORY',
    );
    await computer.project.git('reset', '--hard');
    await computer.project.git('clean', '-fd');
    const { exit, stderr } = await computer.run(['git', 'message', ...MODEL]);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('GIT_NOTHING_TO_COMMIT')]);
  });
});

describe('fucina git commit', () => {
  test('shows the message and the files and commits after confirmation', async () => {
    await using computer = await changed();
    const { exit, stdout, stderr } = await computer.run(['git', 'commit', ...MODEL], { answers: ['y'] });
    expect(exit).toBe(0);
    expect(plain(stderr)).toContain('    README.md\n');
    expect(plain(stderr)).toContain('    Say hello\n    \n    The reader was not greeted.\n');
    expect(plain(stderr)).toContain('y commit · e edit · n cancel ›');
    expect(stdout).toMatch(/^[0-9a-f]{7} Say hello\n$/);
    expect(await lastMessage(computer)).toBe(MESSAGE);
    expect((await computer.project.git('status', '--porcelain')).trim()).toBe('?? other.txt');
  });

  test('aborts or edits the message when the user asks', async () => {
    await using computer = await changed();
    const before = await lastMessage(computer);
    const left = await computer.run(['git', 'commit', ...MODEL], { answers: ['what', 'n'] });
    expect([left.exit, plain(left.stderr)]).toEqual([3, expect.stringContaining('Nothing was changed.')]);
    expect(await lastMessage(computer)).toBe(before);
    const env = { EDITOR: `sh -c 'echo "In my words" > "$0"'` };
    const edited = await computer.run(['git', 'commit', ...MODEL], { answers: ['e', 'y'], env });
    expect(edited.exit).toBe(0);
    expect(await lastMessage(computer)).toBe('In my words');
  });

  test('needs --yes without a terminal', async () => {
    await using computer = await changed();
    const refused = await computer.run(['git', 'commit', ...MODEL, '--json']);
    expect(refused.exit).toBe(3);
    expect(JSON.parse(refused.stdout)).toEqual({ commit: null, message: MESSAGE });
    expect(refused.stderr).toContain('--yes');
    const { exit, stdout } = await computer.run(['git', 'commit', ...MODEL, '--yes', '--json']);
    expect(exit).toBe(0);
    const commit = (await computer.project.git('rev-parse', 'HEAD')).trim();
    expect(JSON.parse(stdout)).toEqual({
      commit,
      message: MESSAGE,
      hooksNotRun: [],
      hooksFailed: [],
      model: 'ollama:tiny',
    });
  });

  test('asks for each file that is staged with conflict markers', async () => {
    await using computer = await changed();
    const { project } = computer;
    await project.git('commit', '-qm', 'mine');
    await project.git('switch', '-qc', 'other', 'HEAD~1');
    await project.write({ 'README.md': '# Sample\n\nGoodbye.\n' });
    await project.git('commit', '-qam', 'other');
    await project.git('merge', 'main').catch(() => undefined);
    await project.git('add', 'README.md');
    const before = await project.git('rev-parse', 'HEAD');
    const refused = await computer.run(['git', 'commit', ...MODEL, '--yes']);
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('conflict markers')]);
    const left = await computer.run(['git', 'commit', ...MODEL], { answers: ['y', 'n'] });
    expect([left.exit, plain(left.stderr)]).toEqual([1, expect.stringContaining('y commit anyway · n cancel ›')]);
    expect(await project.git('rev-parse', 'HEAD')).toBe(before);
    const { exit } = await computer.run(['git', 'commit', ...MODEL], { answers: ['y', 'y'] });
    expect([exit, await lastMessage(computer)]).toEqual([0, MESSAGE]);
  });

  test('is refused when the staged changes differ from those shown', async () => {
    await using computer = await changed();
    let isDone = false;
    const { exit, stderr } = await computer.run(['git', 'commit', ...MODEL], {
      answers: ['what', 'y'],
      watch() {
        if (isDone) return;
        isDone = true;
        writeFileSync(join(computer.project.path, 'README.md'), 'else\n');
        execFileSync('git', ['add', 'README.md'], { cwd: computer.project.path });
      },
    });
    expect([exit, stderr]).toEqual([1, expect.stringContaining('GIT_STAGED_CHANGED')]);
  });

  test('Ctrl+C cancels it with exit code 130', async () => {
    await using computer = await changed();
    const before = await lastMessage(computer);
    const { exit } = await computer.run(['git', 'commit', ...MODEL], {
      answers: ['what'],
      watch: ({ stderr }, interrupt) => void (stderr.includes('›') && interrupt()),
    });
    expect(exit).toBe(130);
    expect(await lastMessage(computer)).toBe(before);
  });

  test('calls no model when nothing is staged', async () => {
    await using computer = await changed();
    await computer.project.git('reset');
    expect((await computer.run(['git', 'commit', ...MODEL, '--yes'])).stderr).toContain('GIT_NOTHING_STAGED');
    expect(computer.model.requests).toEqual([]);
  });
});

describe('hooks in the terminal', () => {
  const TRUST = ['git', 'trust', 'pre-commit'];
  async function withHook(body: string) {
    const computer = await changed();
    const path = join(computer.project.path, '.git/hooks/pre-commit');
    writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    return computer;
  }

  test('are shown before they are trusted, and not without a yes', async () => {
    await using computer = await withHook('echo checking; exit 1');
    const before = await lastMessage(computer);
    const untrusted = await computer.run(['git', 'programs']);
    expect(plain(untrusted.stdout)).toMatch(/pre-commit +not trusted +\.git\/hooks\/pre-commit/);
    expect((await computer.run(TRUST)).exit).toBe(3);
    const { exit, stderr } = await computer.run(TRUST, { answers: ['y'] });
    expect([exit, plain(stderr)]).toEqual([0, expect.stringContaining('    echo checking; exit 1\n')]);
    const refused = await computer.run(['git', 'commit', ...MODEL, '--yes']);
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toContain('checking\n');
    expect(refused.stderr).toContain('The hook “pre-commit” of this repository failed');
    expect(await lastMessage(computer)).toBe(before);
    const skipped = await computer.run(['git', 'commit', ...MODEL, '--yes', '--skip-hooks']);
    expect([skipped.exit, skipped.stderr]).toEqual([0, expect.stringContaining('Hooks not run: pre-commit.')]);
  });

  test('run outside the sandbox once, always or no more', async () => {
    await using elsewhere = await tempDir();
    await using computer = await withHook(`echo x > ${elsewhere.path}/outside`);
    const commit = (...more: string[]) => computer.run(['git', 'commit', ...MODEL, '--yes', ...more]);
    await computer.run([...TRUST, '--yes']);
    expect((await commit()).stderr).toContain('GIT_COMMAND_FAILED');
    const once = await commit('--hooks-outside');
    expect([once.exit, once.stderr]).toEqual([0, expect.stringContaining('outside the sandbox this time')]);
    await computer.run([...TRUST, '--yes', '--outside', '--without-limit', '--json']);
    const { stdout } = await computer.run(['git', 'programs', '--json']);
    expect(JSON.parse(stdout).hooks).toMatchObject([{ name: 'pre-commit', runs: 'outside', hasTimeLimit: false }]);
    await computer.run([...TRUST, '--never']);
    expect(JSON.parse((await computer.run(['git', 'programs', '--json'])).stdout).hooks).toMatchObject([
      { runs: null },
    ]);
  });
});

test('fucina git undo removes the last commit and keeps its changes staged', async () => {
  await using computer = await changed();
  const before = (await computer.project.git('rev-parse', 'HEAD')).trim();
  await computer.run(['git', 'commit', ...MODEL, '--yes']);
  expect((await computer.run(['git', 'undo'])).exit).toBe(3);
  expect((await computer.run(['git', 'undo'], { answers: ['n'] })).exit).toBe(3);
  expect(await lastMessage(computer)).toBe(MESSAGE);
  const { exit, stdout, stderr } = await computer.run(['git', 'undo'], { answers: ['y'] });
  expect(exit).toBe(0);
  expect(plain(stderr)).toMatch(/The last commit is [0-9a-f]{7} Say hello\./);
  expect(stdout).toMatch(/^Undone: [0-9a-f]{7} Say hello\. Its changes are staged\.\n$/);
  expect((await computer.project.git('rev-parse', 'HEAD')).trim()).toBe(before);
  expect(await staged(computer)).toBe('README.md');
});

test('fucina git prints Italian', async () => {
  await using computer = await changed();
  const { stderr } = await computer.run(['git', 'commit', ...MODEL], { answers: ['s'], env: { LANG: 'it_IT.UTF-8' } });
  expect(plain(stderr)).toContain('s commit');
  expect(await lastMessage(computer)).toBe(MESSAGE);
});
