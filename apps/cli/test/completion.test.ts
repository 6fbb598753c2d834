import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testComputer } from './harness.ts';

let folder: TempDir;
beforeAll(async () => {
  folder = await tempDir();
});
afterAll(async () => folder[Symbol.asyncDispose]());

const LINES: [string, string[], string[]][] = [
  ['the first word', ['no'], ['notes']],
  ['a command of a group', ['config', 'se'], ['set']],
  ['a command behind an option and its value', ['--model', 'notes', 'config', 'un'], ['unset', 'untrust']],
  ['the values of an option', ['--permission-mode', 'acc'], ['acceptEdits']],
  ['the options of a command', ['tasks', 'add', '--prio'], ['--priority']],
];

async function script(shell: string): Promise<string> {
  await using computer = await testComputer([]);
  const { exit, stdout } = await computer.run(['completion', shell]);
  expect(exit).toBe(0);
  const path = join(folder.path, `completion.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

const run = (program: string, args: readonly string[]): string[] =>
  execFileSync(program, args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder.path } })
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter(Boolean);

const shells = Object.fromEntries(['bash', 'zsh', 'fish'].map((shell) => [shell, isInstalled(shell)]));

describe('bash', () => {
  (shells.bash ? test : test.skip).each(LINES)('completes %s', async (_what, typed, expected) => {
    const path = await script('bash');
    const words = ['fucina', ...typed].map((word) => `'${word}'`).join(' ');
    const code = `source ${path}; COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _fucina; printf '%s\n' "\${COMPREPLY[@]}"`;
    expect(run('bash', ['-c', code])).toEqual(expected);
  });
});

describe('zsh', () => {
  (shells.zsh ? test : test.skip).each(LINES)('completes %s', async (_what, typed, expected) => {
    const path = await script('zsh');
    const words = ['fucina', ...typed].map((word) => `'${word}'`).join(' ');
    // Stubs for the functions that only the line editor provides.
    const editor = `compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- "$@"; }`;
    const code = `${editor}; source ${path}; words=(${words}); CURRENT=${typed.length + 1}; _fucina`;
    const offered = run('zsh', ['-f', '-c', code]);
    expect(offered.filter((word) => word.startsWith(typed.at(-1) ?? ''))).toEqual(expected);
  });
});

describe('fish', () => {
  (shells.fish ? test : test.skip).each(LINES)('completes %s', async (_what, typed, expected) => {
    const path = await script('fish');
    const found = run('fish', ['--no-config', '-c', `source ${path}; complete -C 'fucina ${typed.join(' ')}'`]);
    expect(found).toEqual(expect.arrayContaining(expected));
  });
});

test('an unknown shell is a usage error', async () => {
  await using computer = await testComputer([]);
  expect(await computer.run(['completion', 'cmd'])).toMatchObject({ exit: 2, stdout: '' });
});

/** .ci/run installs them; elsewhere a missing one is reported. */
function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (process.env.FUCINA_TEST_REQUIRE === '1') throw error;
    process.stderr.write(`not tried: ${shell} is not installed\n`);
    return false;
  }
}
