import { describe, expect, test } from '@jest/globals';
import { type Bench, bench, plain } from './harness.ts';

const json = async (b: Bench, ...args: string[]): Promise<any> => JSON.parse((await b.run([...args, '--json'])).stdout);
const said = async (b: Bench, ...args: string[]): Promise<string> => plain((await b.run(args)).stdout);

describe('fucina sandbox', () => {
  test('adds, lists and removes rules of this folder and of all projects', async () => {
    await using b = await bench([]);
    expect(await said(b, 'sandbox', 'rules')).toContain('No rules.');
    expect(await said(b, 'sandbox', 'allow', 'Network(localhost:5432)')).toBe(
      `Network(localhost:5432) added for ${b.project.path}.\n`,
    );
    const { id } = await json(b, 'sandbox', 'allow', 'Network(example.org)', '--everywhere');
    const rulesOf = async () => (await json(b, 'sandbox', 'rules')).rules.map(({ rule }: { rule: string }) => rule);
    expect(await rulesOf()).toEqual(['Network(localhost:5432)', 'Network(example.org)']);
    const elsewhere = await b.run(['sandbox', 'rules', '--json'], { cwd: b.env.HOME ?? '/' });
    expect(JSON.parse(elsewhere.stdout).rules.map(({ rule }: { rule: string }) => rule)).toEqual([
      'Network(example.org)',
    ]);
    expect(await said(b, 'sandbox', 'remove', id)).toBe('Deleted: Network(example.org)\n');
    expect(await rulesOf()).toEqual(['Network(localhost:5432)']);
  });

  test('refuses a rule that opens too much, and changes nothing', async () => {
    await using b = await bench([]);
    const wide = await b.run(['sandbox', 'allow', 'Read(/)']);
    expect(wide).toMatchObject({ exit: 1, stderr: expect.stringContaining('[PERMISSIONS_INVALID]') });
    expect(wide.stderr).toContain('This rule would show the whole home folder or the whole disk.');
    expect((await json(b, 'sandbox', 'rules')).rules).toEqual([]);
  });

  test('sets the network of this folder and takes the setting back', async () => {
    await using b = await bench([]);
    expect(await said(b, 'sandbox', 'network', 'off')).toBe('Network of commands: off\n');
    expect((await json(b, 'sandbox')).network).toMatchObject({ project: 'off', effective: 'off' });
    expect(await said(b, 'sandbox', 'network', 'inherit')).toBe('Network of commands: listed hosts\n');
    expect((await b.run(['sandbox', 'network', 'wide'])).exit).toBe(2);
  });

  test('runs the self-test and names each attempt', async () => {
    await using b = await bench([]);
    const { isSandboxed } = await json(b, 'sandbox', 'test');
    const { exit, stdout } = await b.run(['sandbox', 'test']);
    expect(exit).toBe(isSandboxed ? 0 : 1);
    expect(plain(stdout)).toContain(isSandboxed ? 'Change a git hook' : 'No sandbox works here');
  });
});
