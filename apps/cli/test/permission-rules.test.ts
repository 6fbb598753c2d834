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

  test('an invalid rule is an error at the start, which goes on', async () => {
    await using computer = await testComputer([{ text: 'ok' }]);
    rules(computer, { deny: ['Nope(x)', '(x)', 'Bash(rm *'], ask: ['task_create(x)'], allow: ['Read(x'] });
    const { exit, stderr } = await computer.go();
    expect(exit).toBe(0);
    const file = join(computer.configDir, 'settings.json');
    expect(stderr).toContain(`${file}:1:38: error: unknown tool in rule Nope(x)`);
    expect(stderr).toContain('invalid rule (x): write Tool');
    expect(stderr).toMatch(/invalid rule Bash\(rm \*: .* Until it is fixed, every use of Bash is denied\./);
    expect(stderr).toMatch(
      /the rule task_create\(x\) has a pattern.* Until it is fixed, every use of task_create asks\./,
    );
    expect(stderr).toMatch(/invalid rule Read\(x: .* Until it is fixed, it has no effect\./);
  });

  test('a deny rule that cannot be read denies its whole tool, and no other', async () => {
    await using computer = await testComputer([shell('echo x'), write('a.txt'), { text: 'ok' }]);
    rules(computer, { deny: ['Bash(rm *'], allow: ['Bash(echo *)'] });
    const { stdout } = await computer.go(['--json']);
    expect(JSON.stringify(computer.model.requests[1]?.body)).toContain('A permission rule of the user forbids this');
    expect(resultOf(stdout).changes).toEqual(['a.txt']);
  });

  test.each(['cat .e*', 'cat "$(ls -a | grep env)"', 'source $X'])(
    'asks before %s next to a deny rule',
    async (line) => {
      await using computer = await testComputer([shell(line), { text: 'ok' }]);
      rules(computer, { deny: ['Read(.env)'] });
      expect((await computer.go()).exit).toBe(3);
    },
  );
});

describe('a malformed rule', () => {
  test('is refused by config set, which keeps the file as it is', async () => {
    await using computer = await testComputer([]);
    rules(computer, { deny: ['Bash(rm *)'] });
    const set = (key: string, ...list: string[]) =>
      computer.run(['config', 'set', `permissions.${key}`, JSON.stringify(list)]);
    for (const key of ['deny', 'ask', 'allow']) {
      const { exit, stderr } = await set(key, 'Bash(ls *)', 'Bash(rm *');
      expect(exit).toBe(2);
      expect(stderr).toContain('fucina: invalid rule Bash(rm *:');
    }
    expect((await computer.run(['config', 'get', 'permissions.deny'])).stdout).toBe('["Bash(rm *)"]\n');
    expect((await set('deny', 'Bash(rm *)', 'Read(.env)')).exit).toBe(0);
  });

  test('is an error of config validate, with file, line and column', async () => {
    await using computer = await testComputer([]);
    mkdirSync(computer.configDir, { recursive: true });
    const file = join(computer.configDir, 'settings.json');
    writeFileSync(file, '{\n  "version": 2,\n  "permissions": {\n    "deny": ["Bash(rm *", "Read(.env)"]\n  }\n}\n');
    const { exit, stdout } = await computer.run(['config', 'validate']);
    expect(exit).toBe(78);
    expect(stdout).toContain(`${file}:4:19: error: invalid rule Bash(rm *:`);
    expect(JSON.parse((await computer.run(['config', 'validate', '--json'])).stdout)).toMatchObject({
      valid: false,
      problems: [
        { kind: 'rule', key: 'permissions.deny', line: 4, column: 19, rule: 'Bash(rm *', scope: 'user', file },
      ],
    });
    const italian = await computer.run(['config', 'validate'], { env: { LANG: 'it_IT' } });
    expect(italian.stdout).toContain('ogni uso di Bash è negato');
    expect((await computer.run(['permissions'])).stderr).toContain('every use of Bash is denied');
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
