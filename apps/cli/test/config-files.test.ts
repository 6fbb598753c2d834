import { mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

type Scope = 'user' | 'project' | 'project-user';

const ok = () => ({ text: 'ok' });

async function pathOf(computer: TestComputer, scope: Scope): Promise<string> {
  const { files } = JSON.parse((await computer.run(['config', 'path', '--json', '--scope', scope])).stdout);
  return files[0].path;
}

async function put(computer: TestComputer, scope: Scope, text: string): Promise<string> {
  const path = await pathOf(computer, scope);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const list = async (computer: TestComputer) => JSON.parse((await computer.run(['config', 'list', '--json'])).stdout);

/** A value for every key, as it is typed. */
const EVERY: readonly (readonly [key: string, typed: string, value: unknown])[] = [
  ['model', 'ollama:tiny', 'ollama:tiny'],
  ['reasoningEffort', 'xhigh', 'xhigh'],
  ['permissionMode', 'plan', 'plan'],
  ['outputFormat', 'json', 'json'],
  ['updateChannel', 'preview', 'preview'],
  ['providerRuntime', '{"ollama":{"timeoutSeconds":5}}', { ollama: { timeoutSeconds: 5 } }],
  ['permissions.allow', '["shell(git status)"]', ['shell(git status)']],
  ['permissions.ask', '["shell(git push)"]', ['shell(git push)']],
  ['permissions.deny', '[]', []],
  ['ui.theme', 'aurora', 'aurora'],
  ['ui.markdown', 'false', false],
  ['ui.notifications', 'bell', 'bell'],
  ['ui.maxProseWidth', '40', 40],
  ['ui.exitOutput', 'resume', 'resume'],
  ['ui.busyInput', 'steer', 'steer'],
  ['ui.reasoning', 'visible', 'visible'],
  ['ui.mouse', 'true', true],
  ['ui.history.persist', 'true', true],
  ['ui.titles', 'false', false],
  ['ui.keymap', '{"submit":["Enter"]}', { submit: ['Enter'] }],
  ['extensions.enabled', '["a"]', ['a']],
  ['keyStore', 'memory', 'memory'],
  ['models', '{"tiny":{"contextWindow":4096}}', { tiny: { contextWindow: 4_096 } }],
  ['catalog.modelsDev', 'false', false],
];

const PERSONAL = ['reasoningEffort', 'ui.keymap', 'keyStore'];

describe('every setting', () => {
  test.each(['user', 'project', 'project-user'] as const)(
    'can be set, read and removed in the scope %s',
    async (scope) => {
      await using computer = await testComputer(ok);
      const { settings: defaults } = await list(computer);
      expect(Object.keys(defaults)).toEqual(['version', ...EVERY.map(([key]) => key)]);
      for (const [key, typed, value] of EVERY) {
        const isRefused = scope === 'project' && PERSONAL.includes(key);
        const { exit, stderr } = await computer.run(['config', 'set', key, typed, '--scope', scope]);
        expect({ key, exit }).toEqual({ key, exit: isRefused ? 2 : 0 });
        if (isRefused) expect(stderr).toContain('allowed in: user, project-user');
        else
          expect(
            JSON.parse((await computer.run(['config', 'get', key, '--scope', scope, '--json'])).stdout).value,
          ).toEqual(value);
      }
      expect((await computer.run(['config', 'validate', '--scope', scope])).exit).toBe(0);
      for (const [key] of EVERY) {
        const isRefused = scope === 'project' && PERSONAL.includes(key);
        expect((await computer.run(['config', 'unset', key, '--scope', scope])).exit).toBe(isRefused ? 1 : 0);
      }
      expect((await list(computer)).settings).toEqual({
        ...defaults,
        version: expect.objectContaining({ scope, value: 2 }),
      });
    },
  );

  test.each([
    ['reasoningEffort', 'minimal'],
    ['ui.maxProseWidth', '39'],
    ['ui.markdown', 'yes'],
    ['providerRuntime', '{"ollama":5}'],
    ['models', '{"m":{"contextWindow":1023}}'],
    ['keyStore', 'disk'],
    ['modle', 'x'],
    ['version', '2'],
  ])('%s rejects %s and names the accepted values', async (key, value) => {
    await using computer = await testComputer(ok);
    const { exit, stderr } = await computer.run(['config', 'set', key, value]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/allowed: |known: /);
    await expect(readFile(await pathOf(computer, 'user'))).rejects.toThrow('ENOENT');
  });
});

describe('editing a settings file', () => {
  test('keeps its comments, indentation, line endings and order', async () => {
    await using computer = await testComputer(ok);
    const before = [
      '// mine',
      '{',
      '\t"model": "a:b", // the good one',
      '\t/* looks */',
      '\t"ui": {',
      '\t\t"theme": "mono" // easy on the eyes',
      '\t},',
      '\t"outputFormat": "text" // for pipes',
      '}',
      '',
    ].join('\r\n');
    const path = await put(computer, 'user', before);
    await computer.run(['config', 'set', 'model', 'c:d']);
    await computer.run(['config', 'set', 'ui.mouse', 'true']);
    await computer.run(['config', 'set', 'permissions.deny', '["shell(rm *)"]']);
    const after = await readFile(path, 'utf8');
    expect(after.split('\r\n')).toEqual([
      '// mine',
      '{',
      '\t"model": "c:d", // the good one',
      '\t/* looks */',
      '\t"ui": {',
      '\t\t"theme": "mono", // easy on the eyes',
      '\t\t"mouse": true',
      '\t},',
      '\t"outputFormat": "text", // for pipes',
      '\t"permissions": {',
      '\t\t"deny": [',
      '\t\t\t"shell(rm *)"',
      '\t\t]',
      '\t}',
      '}',
      '',
    ]);
    expect((await computer.run(['config', 'validate'])).stdout).toBe('No problems found.\n');
  });

  test('changes a dotted key in place and accepts trailing commas', async () => {
    await using computer = await testComputer(ok);
    const path = await put(computer, 'user', '{\n  "ui.theme": "mono",\n}\n');
    await computer.run(['config', 'set', 'ui.theme', 'atlas']);
    expect(await readFile(path, 'utf8')).toBe('{\n  "ui.theme": "atlas",\n}\n');
  });

  test('replaces a wrong value and an unknown key, and leaves an unreadable file unchanged', async () => {
    await using computer = await testComputer(ok);
    const path = await put(computer, 'user', '{"outputFormat": "yaml", "modle": 1}');
    expect((await computer.run(['config', 'unset', 'modle'])).exit).toBe(0);
    expect((await computer.run(['config', 'set', 'outputFormat', 'json'])).exit).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ outputFormat: 'json' });
    await put(computer, 'user', '{"model":');
    const { exit, stderr } = await computer.run(['config', 'set', 'outputFormat', 'json']);
    expect(exit).toBe(78);
    expect(stderr).toContain(`${path}:1`);
    expect(await readFile(path, 'utf8')).toBe('{"model":');
  });

  test('keeps every one of many concurrent changes', async () => {
    await using computer = await testComputer(ok);
    const changes = EVERY.map(([key, typed]) => computer.run(['config', 'set', key, typed, '--scope', 'project-user']));
    expect((await Promise.all(changes)).map(({ exit }) => exit)).toEqual(EVERY.map(() => 0));
    const text = await readFile(await pathOf(computer, 'project-user'), 'utf8');
    for (const [key] of EVERY) expect(text).toContain(`"${key.split('.').at(-1)}"`);
  });

  test('keeps the user’s file private and its symlink intact', async () => {
    await using computer = await testComputer(ok);
    const path = await pathOf(computer, 'user');
    const real = join(computer.configDir, 'elsewhere.json');
    await mkdir(computer.configDir, { recursive: true });
    await writeFile(real, '{}', { mode: 0o644 });
    await symlink(real, path);
    await computer.run(['config', 'set', 'outputFormat', 'json']);
    expect((await stat(real)).mode & 0o777).toBe(0o600);
    expect(await readlink(path)).toBe(real);
  });

  test('never follows a link that leads out of the project', async () => {
    await using computer = await testComputer(ok);
    const path = await pathOf(computer, 'project');
    const outside = join(computer.configDir, 'outside');
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'settings.json'), '{"model": "a:b"}');
    await symlink(outside, dirname(path));
    expect((await computer.run(['config', 'set', 'model', 'c:d', '--scope', 'project'])).exit).toBe(78);
    expect((await computer.run(['config', 'validate'])).stdout).toBe(`${path}: points outside the project\n`);
    expect(await readFile(join(outside, 'settings.json'), 'utf8')).toBe('{"model": "a:b"}');
  });

  test('creates no file through a link that leads out of the project', async () => {
    await using computer = await testComputer(ok);
    const path = await pathOf(computer, 'project');
    const outside = join(computer.configDir, 'outside');
    await mkdir(outside, { recursive: true });
    await symlink(outside, dirname(path));
    expect((await computer.run(['config', 'set', 'model', 'c:d', '--scope', 'project'])).exit).toBe(78);
    await expect(stat(join(outside, 'settings.json'))).rejects.toThrow('ENOENT');
  });
});

describe('validate', () => {
  test('reports every error with file, line, column and accepted values', async () => {
    await using computer = await testComputer(ok);
    const text = '{\n  "reasoningEffort": "max",\n  "ui": {\n    "colour\\u001b[2J": 1,\n    "theme": "pink"\n  }\n}\n';
    const path = await put(computer, 'project', text);
    const { exit, stdout } = await computer.run(['config', 'validate']);
    expect(exit).toBe(78);
    expect(stdout.split('\n')).toEqual([
      `${path}:2:22: reasoningEffort cannot be set here and is ignored; allowed in: user, project-user`,
      expect.stringContaining(`${path}:4:5: unknown key ui.colour␛[2J; known: ui.theme, ui.markdown`),
      expect.stringContaining(`${path}:5:14: invalid value for ui.theme; allowed: calm | forge`),
      '',
    ]);
    const { valid, problems } = JSON.parse((await computer.run(['config', 'validate', '--json'])).stdout);
    expect(valid).toBe(false);
    expect(problems[2]).toMatchObject({ kind: 'value', key: 'ui.theme', line: 5, scope: 'project', file: path });
    expect((await computer.run(['config', 'validate'], { env: { LANG: 'it_IT' } })).stdout).toContain(
      'chiave sconosciuta',
    );
  });
});

describe('migrate', () => {
  test('upgrades version 1 files and files without a version, and keeps a copy of each', async () => {
    await using computer = await testComputer(ok);
    const old = '{\n  // old\n  "version": 1,\n  "{base_url}": "memory"\n}\n';
    const path = await put(computer, 'user', old);
    const project = await put(computer, 'project', '{"model": "a:b"}\n');
    expect((await computer.run(['config', 'list'])).stderr).toContain(`${path}: format 1; to update it`);
    const { migrated } = JSON.parse((await computer.run(['config', 'migrate', '--json'])).stdout);
    expect(migrated).toEqual([
      { scope: 'user', file: path, copy: `${path}.v1.bak` },
      { scope: 'project', file: project, copy: `${project}.v1.bak` },
    ]);
    expect(await readFile(path, 'utf8')).toBe('{\n  // old\n  "version": 2,\n  "keyStore": "memory"\n}\n');
    expect(JSON.parse(await readFile(project, 'utf8'))).toEqual({ model: 'a:b', version: 2 });
    expect(await readFile(`${path}.v1.bak`, 'utf8')).toBe(old);
    expect((await stat(`${path}.v1.bak`)).mode & 0o777).toBe(0o600);
    expect((await computer.run(['config', 'migrate'])).stdout).toBe('All files are up to date.\n');
    await put(computer, 'user', old);
    expect((await computer.run(['config', 'migrate'])).stdout).toContain(`${path}.v1-2.bak`);
  });

  test('leaves a file of a newer format unchanged', async () => {
    await using computer = await testComputer(ok);
    const path = await put(computer, 'user', '{"version": 3}');
    expect((await computer.run(['config', 'migrate'])).exit).toBe(78);
    expect(await readFile(path, 'utf8')).toBe('{"version": 3}');
  });
});

describe('trust', () => {
  const WIDE = JSON.stringify({
    permissionMode: 'bypassPermissions',
    providerRuntime: { ollama: { endpoint: 'http://127.0.0.1:1' } },
    permissions: { allow: ['shell(*)'], deny: ['shell(rm *)'] },
    extensions: { enabled: ['a'] },
    'catalog.modelsDev': true,
    keyStore: 'memory',
  });

  test('lets a project loosen restrictions until its file changes', async () => {
    await using computer = await testComputer(ok);
    const file = await put(computer, 'project', WIDE);
    await computer.run(['config', 'set', 'catalog.modelsDev', 'false']);
    const before = await list(computer);
    expect(before.projectTrusted).toBe(false);
    expect(before.leftOut.map(({ key, because }: { key: string; because: string }) => [key, because])).toEqual([
      ['permissionMode', 'untrusted'],
      ['providerRuntime', 'untrusted'],
      ['permissions.allow', 'untrusted'],
      ['extensions.enabled', 'untrusted'],
      ['catalog.modelsDev', 'untrusted'],
      ['keyStore', 'scope'],
    ]);
    expect(before.settings['permissions.deny']).toMatchObject({ value: ['shell(rm *)'], scope: 'project', file });
    const levelOf = async (): Promise<string> => {
      const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);
      return JSON.parse((await computer.run(['sessions', 'show', sessionId, '--json'])).stdout).permissions;
    };
    expect(await levelOf()).toBe('Workspace write');

    const given = await computer.run(['config', 'trust']);
    expect(given.stdout).toContain(`Trusted in its current version: ${file}`);
    expect(given.stdout).toContain('permissionMode  "bypassPermissions"');
    const after = await list(computer);
    expect(after.projectTrusted).toBe(true);
    expect(after.leftOut.map(({ key }: { key: string }) => key)).toEqual(['keyStore']);
    expect(await levelOf()).toBe('Full access');
    expect((await stat(join(computer.configDir, 'trusted-folders.json'))).mode & 0o777).toBe(0o600);

    await writeFile(file, `${WIDE} `);
    expect(await levelOf()).toBe('Workspace write');
    await writeFile(file, WIDE);
    expect((await computer.run(['config', 'untrust'])).stdout).toContain('No longer trusted');
    expect(await levelOf()).toBe('Workspace write');
  });

  test('can be granted from any folder and fails where there is no settings file', async () => {
    await using computer = await testComputer(ok);
    expect((await computer.run(['config', 'trust'])).exit).toBe(1);
    await put(computer, 'project', WIDE);
    expect((await computer.run(['config', 'trust', computer.project.path], { cwd: '/' })).exit).toBe(0);
    expect((await list(computer)).projectTrusted).toBe(true);
  });

  test('a damaged list of trusted folders trusts nothing', async () => {
    await using computer = await testComputer(ok);
    await put(computer, 'project', WIDE);
    await computer.run(['config', 'trust']);
    await writeFile(join(computer.configDir, 'trusted-folders.json'), '{"folders":');
    expect((await list(computer)).projectTrusted).toBe(false);
  });
});

test('keyStore in the settings applies when no flag or variable sets it', async () => {
  await using computer = await testComputer(ok);
  await computer.run(['config', 'set', 'keyStore', 'memory']);
  const run = (env: Record<string, string>) => computer.run(['provider', 'set-key', 'anthropic'], { input: 'k', env });
  const { stderr } = await run({ FUCINA_KEY_STORE: '' });
  expect(stderr).toContain('The key store is in memory only');
});
