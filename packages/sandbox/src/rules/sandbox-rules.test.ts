import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { OUTSIDE_TEMPORARY, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createSandboxRules, type SandboxRules } from './sandbox-rules.ts';

const ambient = systemAmbient('silent');

async function place() {
  const dir = await tempDir('.fucina-rules-', OUTSIDE_TEMPORARY);
  const root = await realpath(dir.path);
  const [home, dataDir] = [join(root, 'home'), join(root, 'data')];
  await mkdir(join(home, 'shared', 'lib'), { recursive: true });
  await mkdir(dataDir);
  const environment = { HOME: home };
  const open = (): SandboxRules => createSandboxRules({ ambient, environment, dataDir });
  return { root, home, dataDir, open, rules: open(), [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const problemOf = (rules: SandboxRules, text: string): Promise<string | undefined> =>
  rules.add(text, null).then(
    () => undefined,
    (error: { code: string; reason: string }) => `${error.code} ${error.reason}`,
  );

describe('denied tools of the network', () => {
  const deniedAt = (rules: SandboxRules, folder: string | undefined, ...lineage: string[]) =>
    ['naviga', 'web_search', 'browser_open'].filter((tool) => rules.isToolDenied(tool, { folder, lineage }));

  test('are those of the project, the session and its ancestors, and everywhere, after a restart too', async () => {
    await using at = await place();
    await at.rules.setDeniedTool({ scope: 'project', name: '/work/a', tool: 'naviga' }, true);
    await at.rules.setDeniedTool({ scope: 'session', name: 'one', tool: 'web_search' }, true);
    await at.rules[Symbol.asyncDispose]();
    const again = at.open();
    expect(deniedAt(again, '/work/a', 'two')).toEqual(['naviga']);
    expect(deniedAt(again, '/work/a/below', 'child', 'one')).toEqual(['naviga', 'web_search']);
    expect([deniedAt(again, '/work/ab', 'on'), deniedAt(again, '/work'), deniedAt(again, undefined)]).toEqual([
      [],
      [],
      [],
    ]);
    await again.setDeniedTool({ scope: 'everywhere', name: '', tool: 'browser_open' }, true);
    expect(deniedAt(again, '/work/ab')).toEqual(['browser_open']);
    await again.setDeniedTool({ scope: 'project', name: '/work/a', tool: 'naviga' }, false);
    expect(deniedAt(again, '/work/a', 'one')).toEqual(['web_search', 'browser_open']);
    expect(again.isToolDenied('shell', { folder: '/work/a', lineage: ['one'] })).toBe(false);
    await again[Symbol.asyncDispose]();
  });

  test('of a deleted session are forgotten, and those of others are not', async () => {
    await using at = await place();
    for (const name of ['one', 'other']) await at.rules.setDeniedTool({ scope: 'session', name, tool: 'naviga' }, true);
    await at.rules.forget('one');
    expect([deniedAt(at.rules, undefined, 'one'), deniedAt(at.rules, undefined, 'other')]).toEqual([[], ['naviga']]);
    await at.rules[Symbol.asyncDispose]();
  });

  test('are all of them while the setting cannot be read', async () => {
    await using at = await place();
    await writeFile(join(at.dataDir, 'sandbox.db'), 'no database, and long enough to be taken for one. '.repeat(100));
    expect(deniedAt(at.rules, '/work/a')).toEqual(['naviga', 'web_search', 'browser_open']);
    expect(at.rules.isToolDenied('shell', { folder: '/work/a' })).toBe(false);
  });
});

describe('rules of the sandbox', () => {
  test('apply to their project or to every project, after a restart too', async () => {
    await using at = await place();
    await at.rules.add('Network(example.org)', null);
    await at.rules.add('network(LOCALHOST:5432)', '/work/a');
    const read = await at.rules.add('Read(~/shared)', '/work/a');
    await at.rules.add('Write(.github/workflows/**)', '/work/b');
    expect(read.rule).toBe(`Read(${at.home}/shared)`);
    await at.rules[Symbol.asyncDispose]();
    const again = at.open();
    expect(again.inForce('/work/a')).toEqual({
      network: ['Network(example.org)', 'Network(localhost:5432)'],
      reads: [join(at.home, 'shared')],
      writes: [],
    });
    expect(again.inForce('/work/b').writes).toEqual(['.github/workflows']);
    expect(again.inForce('/work/c').network).toEqual(['Network(example.org)']);
    await again[Symbol.asyncDispose]();
  });

  test('are stored once, and a removed one opens nothing', async () => {
    await using at = await place();
    const first = await at.rules.add('Network(example.org)', '/work/a');
    expect((await at.rules.add(' Network( example.org ) ', '/work/a')).id).toBe(first.id);
    expect(at.rules.list()).toHaveLength(1);
    await at.rules.remove(first.id);
    expect(at.rules.inForce('/work/a').network).toEqual([]);
    await expect(at.rules.remove(first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await at.rules[Symbol.asyncDispose]();
  });

  test('are visible immediately to another process with the same data folder', async () => {
    await using at = await place();
    const other = at.open();
    expect(other.inForce('/work/a').network).toEqual([]);
    await at.rules.add('Network(example.org)', '/work/a');
    expect(other.inForce('/work/a').network).toEqual(['Network(example.org)']);
    await at.rules[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  test('are refused with a reason where they open nothing or too much, and change nothing', async () => {
    await using at = await place();
    await symlink(at.home, join(at.root, 'link-to-home'));
    const reasons: Record<string, string> = {
      '': 'rule-malformed',
      'Network(': 'rule-malformed',
      'Network(http://example.org)': 'rule-malformed',
      'Bash(npm test)': 'rule-other-tool',
      '*': 'rule-other-tool',
      Read: 'rule-path-too-wide',
      'Read(/)': 'rule-path-too-wide',
      'Read(~)': 'rule-path-too-wide',
      'Read(~/)': 'rule-path-too-wide',
      [`Read(${at.root}/link-to-home)`]: 'rule-path-too-wide',
      'Read(src)': 'rule-path-relative',
      'Read(~/missing)': 'rule-path-missing',
      'Read(~/*/lib)': 'rule-wildcard',
      'Read(/proc/self)': 'rule-path-system',
      'Read(/tmp)': 'rule-path-system',
      [`Read(${at.dataDir})`]: 'rule-path-data',
      Write: 'rule-wildcard',
      'Write(**)': 'rule-wildcard',
      'Write(.github/*.yml)': 'rule-wildcard',
      'Write(src/main.ts)': 'rule-not-control-file',
      'Write(../other/.envrc)': 'rule-outside-project',
      'Write(.github/../../other/.envrc)': 'rule-outside-project',
      'Write(/etc/.npmrc)': 'rule-outside-project',
      'Write(~/.bashrc)': 'rule-outside-project',
    };
    const found = await Promise.all(
      Object.keys(reasons).map(async (text) => [text, await problemOf(at.rules, text)] as const),
    );
    const expected = Object.entries(reasons).map(([text, reason]) => [text, `PERMISSIONS_INVALID ${reason}`]);
    expect(found).toEqual(expected);
    expect(at.rules.list()).toEqual([]);
  });

  test('open control files by path, folder or bare name, and nothing beside them', async () => {
    await using at = await place();
    await at.rules.add('Write(.github/workflows/**)', '/work/a');
    await at.rules.add('Write(.npmrc)', '/work/a');
    const opens = (path: string): boolean => at.rules.opens('/work/a', path);
    expect(opens('.github/workflows/ci.yml')).toBe(true);
    expect(opens('/work/a/.github/workflows/ci.yml')).toBe(true);
    expect(opens('packages/one/.npmrc')).toBe(true);
    for (const path of ['.github/actions/x', '.github/workflows-2/x', '.github/workflows/../../.envrc', '.envrc']) {
      expect([path, opens(path)]).toEqual([path, false]);
    }
    expect(at.rules.opens('/work/b', '.npmrc')).toBe(false);
    expect(opens('/work/other/.npmrc')).toBe(false);
    await at.rules[Symbol.asyncDispose]();
  });
});

test('applies the rules and the network setting of a project in its subfolders', async () => {
  await using at = await place();
  await at.rules.add('Network(example.org)', '/work/a');
  await at.rules.add('Write(packages/one/.npmrc)', '/work/a');
  await at.rules.add('Write(.github/workflows/**)', '/work/a');
  await at.rules.setMode('project', '/work/a', 'off');
  const inside = '/work/a/packages/one';
  expect(at.rules.inForce(inside)).toMatchObject({ network: ['Network(example.org)'], writes: ['./.npmrc'] });
  expect(at.rules.opens(inside, '.npmrc')).toBe(true);
  expect(at.rules.opens(inside, 'deeper/.npmrc')).toBe(false);
  expect(at.rules.mode({ folder: inside })).toBe('off');
  await at.rules.setMode('project', inside, 'listed');
  expect(at.rules.mode({ folder: `${inside}/src` })).toBe('listed');
  expect(at.rules.inForce('/work/ab').network).toEqual([]);
  expect(at.rules.mode({ folder: '/work/ab' })).toBe('listed');
  await at.rules[Symbol.asyncDispose]();
});

describe('the network setting', () => {
  test('of a session wins over that of its project, which wins over that for everywhere', async () => {
    await using at = await place();
    const place1 = { folder: '/work/a', lineage: ['one'] };
    expect(at.rules.mode(place1)).toBe('listed');
    await at.rules.setMode('everywhere', '', 'open');
    expect(at.rules.mode(place1)).toBe('open');
    await at.rules.setMode('project', '/work/a', 'off');
    expect(at.rules.mode(place1)).toBe('off');
    await at.rules.setMode('session', 'one', 'listed');
    expect(at.rules.modes(place1)).toEqual({
      everywhere: 'open',
      project: 'off',
      session: 'listed',
      effective: 'listed',
    });
    await at.rules.forget('one');
    expect(at.rules.mode(place1)).toBe('off');
    await at.rules.setMode('project', '/work/a', null);
    await at.rules.setMode('session', 'one', 'off');
    expect(at.rules.mode({ folder: '/work/a', lineage: ['agent', 'one'] })).toBe('off');
    await at.rules[Symbol.asyncDispose]();
  });

  test('is off, and no rule opens anything, where the store is damaged', async () => {
    await using at = await place();
    await writeFile(join(at.dataDir, 'sandbox.db'), 'not a database, but long enough to be read as one'.repeat(40));
    expect(at.rules.mode({ folder: '/work/a' })).toBe('off');
    expect(at.rules.inForce('/work/a')).toEqual({ network: [], reads: [], writes: [] });
    expect(() => at.rules.list()).toThrow();
    await at.rules.forget('one');
  });
});
