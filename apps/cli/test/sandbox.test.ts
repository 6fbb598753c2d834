import { describe, expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const json = async (computer: TestComputer, ...args: string[]): Promise<any> =>
  JSON.parse((await computer.run([...args, '--json'])).stdout);
const said = async (computer: TestComputer, ...args: string[]): Promise<string> =>
  plain((await computer.run(args)).stdout);

describe('fucina sandbox', () => {
  test('adds, lists and removes rules of this folder and of all projects', async () => {
    await using computer = await testComputer([]);
    expect(await said(computer, 'sandbox', 'rules')).toContain('No rules.');
    expect(await said(computer, 'sandbox', 'allow', 'Network(localhost:5432)')).toBe(
      `Network(localhost:5432) added for ${computer.project.path}.\n`,
    );
    const { id } = await json(computer, 'sandbox', 'allow', 'Network(example.org)', '--everywhere');
    const rulesOf = async () =>
      (await json(computer, 'sandbox', 'rules')).rules.map(({ rule }: { rule: string }) => rule);
    expect(await rulesOf()).toEqual(['Network(localhost:5432)', 'Network(example.org)']);
    const elsewhere = await computer.run(['sandbox', 'rules', '--json'], { cwd: computer.env.HOME ?? '/' });
    expect(JSON.parse(elsewhere.stdout).rules.map(({ rule }: { rule: string }) => rule)).toEqual([
      'Network(example.org)',
    ]);
    expect(await said(computer, 'sandbox', 'remove', id)).toBe('Deleted: Network(example.org)\n');
    expect(await rulesOf()).toEqual(['Network(localhost:5432)']);
  });

  test('refuses a rule that opens too much, and changes nothing', async () => {
    await using computer = await testComputer([]);
    const wide = await computer.run(['sandbox', 'allow', 'Read(/)']);
    expect(wide).toMatchObject({ exit: 1, stderr: expect.stringContaining('[PERMISSIONS_INVALID]') });
    expect(wide.stderr).toContain('This rule would show the whole home folder or the whole disk.');
    expect((await json(computer, 'sandbox', 'rules')).rules).toEqual([]);
  });

  test('sets the network of this folder and takes the setting back', async () => {
    await using computer = await testComputer([]);
    expect(await said(computer, 'sandbox', 'network', 'off')).toBe('Network: off\n');
    expect((await json(computer, 'sandbox')).network).toMatchObject({ project: 'off', effective: 'off' });
    expect(await said(computer, 'sandbox', 'network', 'inherit')).toBe('Network: listed hosts\n');
    expect((await computer.run(['sandbox', 'network', 'wide'])).exit).toBe(2);
  });

  test('denies a tool of the network in this folder, and allows it again', async () => {
    await using computer = await testComputer([]);
    expect(await said(computer, 'sandbox', 'deny-tool', 'naviga')).toMatch(/naviga +denied/);
    expect(await said(computer, 'sandbox', 'tools')).toMatch(/naviga +denied[^]*web_search +allowed/);
    expect((await json(computer, 'sandbox', 'tools', '--everywhere')).tools).toContainEqual({
      tool: 'naviga',
      isDenied: false,
      deniedBy: [],
    });
    expect(await said(computer, 'sandbox', 'allow-tool', 'naviga')).toMatch(/naviga +allowed/);
    const wrong = await computer.run(['sandbox', 'deny-tool', 'shell']);
    expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining('naviga, web_search, browser_open') });
  });

  test('runs the self-test and names each attempt', async () => {
    await using computer = await testComputer([]);
    const { isSandboxed } = await json(computer, 'sandbox', 'test');
    const { exit, stdout } = await computer.run(['sandbox', 'test']);
    expect(exit).toBe(isSandboxed ? 0 : 1);
    expect(plain(stdout)).toContain(isSandboxed ? 'Change a git hook' : 'No sandbox works here');
  });
});
