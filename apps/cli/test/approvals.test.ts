import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { plain, testComputer } from './harness.ts';

const write = (percorso: string, contenuto = 'new\n'): Reply => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto } }],
});
const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const onRequest = ['--permissions', 'On request'];
const questions = (stderr: string): number => plain(stderr).split(/^\? .*\?$/m).length - 1;

describe('without a terminal', () => {
  test('denies what needs approval, reports it, and exits with 3', async () => {
    await using computer = await testComputer([write('a.txt'), { text: 'I could not.' }]);
    const { exit, stdout, stderr } = await computer.go(onRequest);
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: 'I could not.\n' });
    expect(stderr).toContain(
      'Denied, because there is no terminal to ask on: Writing a.txt. To allow it, pass --permissions "Workspace write"',
    );
    expect(stderr).toMatch(/✗ Writing {2}a\.txt {2}denied/);
    expect(existsSync(join(computer.project.path, 'a.txt'))).toBe(false);
  });

  test('json counts denied requests', async () => {
    await using computer = await testComputer([shell('true'), { text: 'no' }]);
    const { exit, stdout, stderr } = await computer.go([...onRequest, '--json']);
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'finished', denials: 1, changes: [] });
    expect(stderr).toContain('Denied');
  });

  test('no flag approves a change to a file that runs code later', async () => {
    await using computer = await testComputer([write('.npmrc'), { text: 'no' }]);
    const { exit, stderr } = await computer.go(['--permission-mode', 'bypassPermissions']);
    expect(exit).toBe(3);
    expect(stderr).toContain('Changes to files like this always need approval');
  });

  test('dontAsk never asks, even on a terminal', async () => {
    await using computer = await testComputer([write('.npmrc'), { text: 'no' }]);
    const { exit, stderr } = await computer.go(['--permission-mode', 'dontAsk'], { answers: ['y'] });
    expect(exit).toBe(3);
    expect(questions(stderr)).toBe(0);
  });
});

describe('on a terminal', () => {
  test('shows the whole command and its folder, and y runs it once', async () => {
    await using computer = await testComputer([
      shell('echo one > a.txt\necho two'),
      shell('echo three > b.txt'),
      { text: 'ok' },
    ]);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['y', 'n'] });
    const shown = plain(stderr);
    expect(shown).toContain(`    echo one > a.txt\n    echo two\n    in ${computer.project.path}\n`);
    expect(questions(stderr)).toBe(2);
    expect([
      existsSync(join(computer.project.path, 'a.txt')),
      existsSync(join(computer.project.path, 'b.txt')),
    ]).toEqual([true, false]);
    expect(exit).toBe(3);
  });

  test('a approves later calls of a tool that writes, in the session', async () => {
    await using computer = await testComputer([write('b.txt'), write('c.txt'), shell('true'), { text: 'ok' }]);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['a', 'y'] });
    expect(exit).toBe(0);
    expect(questions(stderr)).toBe(2);
    expect(existsSync(join(computer.project.path, 'c.txt'))).toBe(true);
  });

  test('a approves the prefix of a command in the session, and asks for its neighbor', async () => {
    const lines = ['git status', 'git status --short', 'git stash list', 'git status && git stash list'];
    await using computer = await testComputer([...lines.map(shell), { text: 'ok' }]);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['a', 'y', 'y'] });
    expect(exit).toBe(0);
    expect(plain(stderr)).toContain('a for this session (git status …)');
    expect(plain(stderr)).toContain('a for this session (this exact command)');
    expect(questions(stderr)).toBe(3);
  });

  test('a approves a command without a prefix as it is', async () => {
    const lines = ['echo > b.txt', 'echo > b.txt', 'echo > c.txt'];
    await using computer = await testComputer([...lines.map(shell), { text: 'ok' }]);
    const { stderr } = await computer.go(onRequest, { answers: ['a', 'n'] });
    expect(questions(stderr)).toBe(2);
    const made = ['b.txt', 'c.txt'].map((name) => existsSync(join(computer.project.path, name)));
    expect(made).toEqual([true, false]);
  });

  test('shows removed and added lines of a change', async () => {
    const edit = { percorso: 'README.md', vecchio: '# Sample', nuovo: '# Example' };
    await using computer = await testComputer([
      { toolCalls: [{ name: 'file_edit', arguments: edit }] },
      write('README.md', '# Example\nmore\n'),
      write('new.txt', 'first\n'),
      { text: 'ok' },
    ]);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['y', 'y', 'y'] });
    const shown = plain(stderr);
    expect(exit).toBe(0);
    expect(shown).toContain('    README.md\n    - # Sample\n    + # Example\n');
    expect(shown).toContain('    README.md\n      # Example\n    + more\n');
    expect(shown).toContain('    new.txt  (new file)\n    + first\n');
  });

  test('v shows a long change in full, and any other key asks again', async () => {
    const lines = Array.from({ length: 100 }, (_item, index) => `line ${index}`).join('\n');
    await using computer = await testComputer([write('long.txt', lines), { text: 'ok' }]);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['v', '', 'what', 'y'] });
    expect(exit).toBe(0);
    expect(plain(stderr)).toContain('… 61 more lines (v shows them all)');
    expect(plain(stderr).match(/\+ line 99\n/g)).toHaveLength(1);
  });

  test.each([
    ['long', Array.from({ length: 100 }, (_item, index) => `echo ${index}`).join('\n')],
    ['blank-lined', `echo safe${'\n'.repeat(100)}`],
  ])('shows the end of a %s command before the question', async (_what, start) => {
    const comando = `${start}\nrm -rf ./x`;
    const descrizione = 'Lists files.\n'.repeat(15);
    await using computer = await testComputer([
      { toolCalls: [{ name: 'shell', arguments: { comando, descrizione } }] },
      { text: 'ok' },
    ]);
    const { stderr } = await computer.go(onRequest, { answers: ['n'] });
    const [before = ''] = plain(stderr).split('y once');
    expect(before).toContain('    rm -rf ./x\n');
    expect(before).toMatch(/… \d+ more lines \(v shows them all\)/);
    expect(before).not.toContain('    Lists files.\n');
  });

  test('control characters in a command cannot redraw the question', async () => {
    await using computer = await testComputer([shell('echo safe\x1b[1A\x1b[2K\u202e rm -rf x'), { text: 'ok' }]);
    const { stderr } = await computer.go(onRequest, { answers: ['n'] });
    expect(plain(stderr)).toContain('    echo safe␛[1A␛[2K<U+202E> rm -rf x\n');
  });

  test('offers no session approval for a file that runs code later', async () => {
    await using computer = await testComputer([write('.npmrc'), write('.npmrc', 'again\n'), { text: 'ok' }]);
    const { exit, stderr } = await computer.go([], { answers: ['a', 'y', 'y'] });
    expect(exit).toBe(0);
    expect(plain(stderr)).not.toContain('for this session');
    expect(plain(stderr)).toContain('This file can run code or grant more permissions later.');
  });

  test('Ctrl+C during a question denies it and stops', async () => {
    await using computer = await testComputer([shell('touch a.txt'), { text: 'ok' }]);
    let isDone = false;
    const { exit } = await computer.go(onRequest, {
      answers: ['what'],
      watch({ stderr }, interrupt) {
        if (!stderr.includes('›') || isDone) return;
        isDone = true;
        interrupt();
      },
    });
    expect(exit).toBe(130);
    expect(existsSync(join(computer.project.path, 'a.txt'))).toBe(false);
  });
});
