import { expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

const REVIEW = `Two problems.
::error::not a command of ours
readme.md:3: error: the name, is "wrong" & 100%
readme.md:9: too long`;

async function reviewed(format: string, text = REVIEW): Promise<{ exit: number; stdout: string; stderr: string }> {
  await using computer: TestComputer = await testComputer(() => ({ text }));
  await computer.project.write({ 'readme.md': 'x' });
  return await computer.go(['--output-format', format]);
}

test('github: annotates findings, and keeps the runner from reading the answer as commands', async () => {
  const { exit, stdout, stderr } = await reviewed('github');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('continue with') });
  const lines = stdout.trimEnd().split('\n');
  const [, token] = /^::stop-commands::(\S{20,})$/.exec(lines[0] ?? '') ?? [];
  expect(token).toBeDefined();
  const end = lines.indexOf(`::${token}::`);
  expect(lines.indexOf('::error::not a command of ours')).toBeLessThan(end);
  expect(lines.slice(end + 1)).toEqual([
    '::error file=readme.md,line=3::the name, is "wrong" & 100%25',
    '::warning file=readme.md,line=9::too long',
  ]);
});

test('gitlab: prints a Code Quality report', async () => {
  const { exit, stdout } = await reviewed('gitlab');
  expect(exit).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toEqual([
    {
      description: 'the name, is "wrong" & 100%',
      check_name: 'fucina',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'readme.md', lines: { begin: 3 } },
    },
    expect.objectContaining({ severity: 'minor', location: { path: 'readme.md', lines: { begin: 9 } } }),
  ]);
  expect(JSON.parse((await reviewed('gitlab', 'Nothing to report.')).stdout)).toEqual([]);
});

test('junit: reports the turn, approvals and findings as test cases', async () => {
  const { exit, stdout } = await reviewed('junit');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="fucina" tests="4" failures="1"/);
  expect(stdout).toContain(
    'name="readme.md:3" file="readme.md" line="3"><failure message="the name, is &quot;wrong&quot; &amp; 100%"/>',
  );
  expect(stdout).toContain('name="readme.md:9" file="readme.md" line="9"><system-out>warning: too long</system-out>');
  expect(stdout).toContain('<testcase classname="fucina" name="approvals"></testcase>');
});

test('each format reports a turn that could not start', async () => {
  await using computer = await testComputer([]);
  const failed = (format: string) => computer.run(['-p', 'go', '--model', 'nobody:x', '--output-format', format]);
  const github = await failed('github');
  expect(github.exit).not.toBe(0);
  expect(github.stdout).toMatch(/^::error title=Fucina%3A [A-Z_]+::\S/m);
  const junit = await failed('junit');
  expect(junit.exit).toBe(github.exit);
  expect(junit.stdout).toMatch(/name="turn"><failure message="[A-Z_]+: /);
  expect(junit.stderr).toContain('fucina: ');
});
