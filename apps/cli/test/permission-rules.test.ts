import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const write = (percorso: string): Reply => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto: 'x' } }],
});

function rules(computer: TestComputer, permissions: object): void {
  mkdirSync(computer.configDir, { recursive: true });
  writeFileSync(join(computer.configDir, 'settings.json'), JSON.stringify({ version: 2, permissions }));
}

const resultOf = (stdout: string) => JSON.parse(stdout) as { outcome: string; denials: number; changes: string[] };

describe('rules of the settings file', () => {
  test('does not run a denied command and reports the denial to the model', async () => {
    await using computer = await testComputer([shell('echo x && rm README.md'), { text: 'ok' }]);
    rules(computer, { deny: ['Bash(rm *)'] });
    const { exit } = await computer.go();
    expect(exit).toBe(0);
    expect(JSON.stringify(computer.model.requests[1]?.body)).toContain('A permission rule of the user forbids this');
  });

  test('denies a path to every tool that writes', async () => {
    await using computer = await testComputer([write('secret/a.txt'), write('open/a.txt'), { text: 'ok' }]);
    rules(computer, { deny: ['Edit(secret/**)'] });
    expect(resultOf((await computer.go(['--json'])).stdout).changes).toEqual(['open/a.txt']);
  });

  test('an ask rule denies without a terminal', async () => {
    await using computer = await testComputer([shell('true'), { text: 'ok' }]);
    rules(computer, { ask: ['Bash'] });
    expect((await computer.go()).exit).toBe(3);
  });

  test('an allow rule runs without asking, even at level On request', async () => {
    await using computer = await testComputer([shell('echo one'), shell('echo two; true'), { text: 'ok' }]);
    rules(computer, { allow: ['Bash(echo *)'] });
    const { exit, stdout } = await computer.go(['--permissions', 'On request', '--json']);
    expect([exit, resultOf(stdout).denials]).toEqual([3, 1]);
  });

  test('an allow rule does not override plan mode or a read-only session', async () => {
    await using computer = await testComputer(({ lastRole }) =>
      lastRole === 'tool' ? { text: 'ok' } : write('a.txt'),
    );
    rules(computer, { allow: ['Edit', 'Bash'] });
    for (const args of [
      ['--permissions', 'Read only'],
      ['--permission-mode', 'plan'],
    ]) {
      expect(resultOf((await computer.go([...args, '--json'])).stdout).changes).toEqual([]);
    }
  });

  test('an untrusted project cannot allow but can deny', async () => {
    await using computer = await testComputer([shell('echo x'), shell('date'), { text: 'ok' }]);
    await computer.project.write({
      '.svc/settings.json': '{"version":2,"permissions":{"allow":["Bash(echo *)"],"deny":["Bash(date *)"]}}',
    });
    const { exit, stderr } = await computer.go(['--permissions', 'On request']);
    expect(exit).toBe(3);
    expect(stderr).toContain('an untrusted project cannot extend permissions.allow');
    expect(JSON.stringify(computer.model.requests[2]?.body)).toContain('A permission rule of the user forbids this');
  });

  test('an invalid rule is reported', async () => {
    await using computer = await testComputer([{ text: 'ok' }]);
    rules(computer, { deny: ['Nope(x)', '(x)'], ask: ['task_create(x)'] });
    const { stderr } = await computer.go();
    expect(stderr).toContain('unknown tool in rule Nope(x)');
    expect(stderr).toContain('invalid rule (x)');
    expect(stderr).toContain('the rule task_create(x) has a pattern');
  });
});

describe('fucina permissions', () => {
  test('lists the rules by priority', async () => {
    await using computer = await testComputer([]);
    expect((await computer.run(['permissions'])).stdout).toContain('No rules.');
    rules(computer, { allow: ['Bash(ls *)'], deny: ['Bash(rm *)'] });
    expect(plain((await computer.run(['permissions'])).stdout)).toBe('deny     Bash(rm *)\nallow    Bash(ls *)\n');
    expect(JSON.parse((await computer.run(['permissions', 'list', '--json'])).stdout)).toEqual({
      allow: ['Bash(ls *)'],
      ask: [],
      deny: ['Bash(rm *)'],
      problems: [],
    });
  });

  test.each([
    ['ls -l', 0, 'Allowed without asking.  Bash(ls *)'],
    ['ls && rm x', 3, 'Denied.  Bash(rm *)'],
    ['git push', 3, 'Asks every time.  Bash(git push *)'],
    ['date', 0, 'No rule matches'],
    ['$X', 3, 'is not known until it runs'],
  ])('dry-run prints the decision for %s', async (line, exit, sentence) => {
    await using computer = await testComputer([]);
    rules(computer, { allow: ['Bash(ls *)'], ask: ['Bash(git push *)'], deny: ['Bash(rm *)'] });
    const ended = await computer.run(['permissions', 'dry-run', line]);
    expect(ended.exit).toBe(exit);
    expect(ended.stdout).toContain(sentence);
  });
});
