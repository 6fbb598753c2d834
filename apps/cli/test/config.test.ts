import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createModelServer } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

type Scope = 'user' | 'project' | 'project-user';

async function settings(computer: TestComputer, scope: Scope, value: unknown): Promise<string> {
  const { files } = JSON.parse((await computer.run(['config', 'path', '--json'])).stdout);
  const { path } = files.find((file: { scope: Scope }) => file.scope === scope);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

interface Row {
  scope: string;
  value: unknown;
}

/** The settings from files, without defaults. */
async function shown(computer: TestComputer): Promise<Record<string, Row>> {
  const { settings: rows } = JSON.parse((await computer.run(['config', 'show', '--json'])).stdout);
  const said = Object.entries<Row>(rows).filter(([, { scope }]) => scope !== 'default');
  return Object.fromEntries(said.map(([key, { value, scope }]) => [key, { value, scope }]));
}

const ok = () => ({ text: 'ok' });

describe('precedence', () => {
  test('project-user overrides project, project overrides user, a flag overrides all', async () => {
    await using computer = await testComputer(ok);
    await settings(computer, 'user', { model: 'ollama:user', outputFormat: 'json' });
    expect((await computer.run(['-p', 'x'])).stdout).toContain('"outcome":"finished"');
    expect(computer.model.requests.at(-1)?.model).toBe('user');
    await settings(computer, 'project', { model: 'ollama:project' });
    await computer.run(['-p', 'x']);
    expect(computer.model.requests.at(-1)?.model).toBe('project');
    await settings(computer, 'project-user', { model: 'ollama:mine', outputFormat: 'text' });
    expect((await computer.run(['-p', 'x'])).stdout).toBe('ok\n');
    expect(computer.model.requests.at(-1)?.model).toBe('mine');
    await computer.run(['-p', 'x', '--model', 'ollama:flag']);
    expect(computer.model.requests.at(-1)?.model).toBe('flag');
    expect(await shown(computer)).toEqual({
      model: { value: 'ollama:mine', scope: 'project-user' },
      outputFormat: { value: 'text', scope: 'project-user' },
    });
  });

  test('rules are merged across scopes', async () => {
    await using computer = await testComputer(ok);
    await settings(computer, 'user', { permissions: { deny: ['shell(rm *)'] } });
    await settings(computer, 'project', { 'permissions.deny': ['shell(curl *)', 'shell(rm *)'] });
    expect((await shown(computer))['permissions.deny']?.value).toEqual(['shell(rm *)', 'shell(curl *)']);
  });
});

describe('project settings', () => {
  test('can tighten the permission mode but not loosen it', async () => {
    await using computer = await testComputer(ok);
    const path = await settings(computer, 'project', { permissionMode: 'bypassPermissions' });
    const loose = JSON.parse((await computer.go(['--json'])).stdout);
    expect(JSON.parse((await computer.run(['sessions', 'show', loose.sessionId, '--json'])).stdout).permissions).toBe(
      'Workspace write',
    );
    expect((await computer.go()).stderr).toContain(
      `${path}:1: an untrusted project cannot extend permissionMode; ignored`,
    );

    await settings(computer, 'project', { permissionMode: 'plan' });
    await settings(computer, 'user', { permissionMode: 'bypassPermissions' });
    const tight = JSON.parse((await computer.go(['--json'])).stdout);
    expect(JSON.parse((await computer.run(['sessions', 'show', tight.sessionId, '--json'])).stdout).mode).toBe('plan');
    expect((await computer.run(['config', 'show'])).stdout).toMatch(/^permissionMode +project +"plan"$/m);
  });

  test.each([
    ['reasoningEffort', 20],
    ['ui.keymap', 14],
    ['keyStore', 13],
  ])('cannot set %s', async (key, column) => {
    await using computer = await testComputer(ok);
    const value = { reasoningEffort: 'max', 'ui.keymap': { send: ['Enter'] }, keyStore: 'memory' }[key];
    await settings(computer, 'project', { [key]: value });
    expect(await shown(computer)).toEqual({});
    expect((await computer.run(['config', 'show'])).stderr).toContain(
      `:1:${column}: ${key} cannot be set here and is ignored; allowed in: user, project-user`,
    );
    await settings(computer, 'user', { [key]: value });
    expect((await shown(computer))[key]).toEqual({ value, scope: 'user' });
  });
});

describe('accepted settings', () => {
  test('every documented key is accepted', async () => {
    await using computer = await testComputer(ok);
    const all = {
      version: 2,
      model: 'ollama:tiny',
      reasoningEffort: 'xhigh',
      permissionMode: 'dontAsk',
      outputFormat: 'stream-json',
      updateChannel: 'preview',
      providerRuntime: { ollama: { endpoint: 'http://127.0.0.1:1' } },
      permissions: { allow: [], ask: [], deny: [] },
      ui: {
        theme: 'aurora',
        markdown: false,
        notifications: 'bell',
        maxProseWidth: null,
        exitOutput: 'resume',
        busyInput: 'steer',
        reasoning: 'visible',
        mouse: true,
        history: { persist: true },
        keymap: { submit: ['Enter'] },
      },
      extensions: { enabled: ['a'] },
      keyStore: 'system',
      models: { tiny: { contextWindow: 4_096, maxOutputTokens: 1_024, inputs: ['audio'] } },
      catalog: { modelsDev: false },
    };
    await settings(computer, 'user', all);
    const { exit, stderr } = await computer.run(['config', 'show']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(Object.keys(await shown(computer))).toHaveLength(24);
  });

  test('an unknown key gives a warning', async () => {
    await using computer = await testComputer(ok);
    const path = await settings(computer, 'user', { modle: 'x', ui: { colour: 1 } });
    const { exit, stderr } = await computer.go(['--quiet']);
    expect(exit).toBe(0);
    const [first, second] = stderr.split('\n');
    expect(first).toMatch(`fucina: ${path}:1:2: unknown key modle; known: version, model, `);
    expect(second).toMatch(`fucina: ${path}:1:20: unknown key ui.colour; known: ui.theme, ui.markdown, `);
  });

  test('an unknown action or key name gives a warning', async () => {
    await using computer = await testComputer(ok);
    const path = await settings(computer, 'user', { ui: { keymap: { sumbit: ['enter'], copy: ['hyper+c'] } } });
    const { exit, stderr } = await computer.go(['--quiet']);
    expect(exit).toBe(0);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `fucina: ${path}:1:18: ui.keymap: unknown action sumbit; default keys apply`,
      `fucina: ${path}:1:45: hyper+c is not a valid key for copy: write it like ctrl+shift+z, alt+/ or pageup`,
    ]);
  });

  test.each([
    ['broken JSON', '{"model":'],
    ['no object', '[]'],
    ['another format', { version: 3 }],
    ['a wrong word', { outputFormat: 'yaml' }],
    ['a wrong type', { ui: { markdown: 'yes' } }],
    ['a number too small', { ui: { maxProseWidth: 39 } }],
    ['a window too small', { models: { m: { contextWindow: 1_023 } } }],
    ['an unknown kind of input', { models: { m: { inputs: ['video'] } } }],
    ['more output than window', { models: { m: { contextWindow: 2_048, maxOutputTokens: 2_048 } } }],
    ['a key twice', '{"model": "a:b", "model": "a:c"}'],
    ['a key in two spellings', '{"ui": {"theme": "mono"}, "ui.theme": "atlas"}'],
    ['no end of nesting', '{"models":'.repeat(100_000)],
    ['an effort that is none', { reasoningEffort: 'minimal' }],
  ])('%s fails with the name of the file', async (_name, value) => {
    await using computer = await testComputer(ok);
    const path = await settings(computer, 'user', value);
    const { exit, stderr } = await computer.go();
    expect(exit).toBe(78);
    expect(stderr).toContain(path);
    expect(stderr).toContain('[CONFIG_INVALID]');
    expect(computer.model.requests).toHaveLength(0);
  });
});

test.each([
  [
    '{\n  "outputFormat": "yaml"\n}',
    ':2:19: invalid value for outputFormat; allowed: text | json | stream-json | github | gitlab | junit',
  ],
  ['{\n\n  "model": "a:b" "x"\n}', ':3:18: not valid JSON: check braces, commas and quotes here'],
  ['{\n "model": "a:b",\n "model": "a:c"\n}', ':3:2: duplicate key model'],
])('an unusable settings file is one sentence with its line and column: %j', async (text, sentence) => {
  await using computer = await testComputer(ok);
  const path = await settings(computer, 'user', text);
  const { stderr } = await computer.go();
  expect(stderr).toBe(`fucina: ${path}${sentence} [CONFIG_INVALID]\n`);
});

describe('providers and models', () => {
  test('an address in the settings overrides the saved one and is not saved', async () => {
    await using computer = await testComputer(ok);
    await using other = await createModelServer({ script: () => ({ text: 'from the other' }) });
    await settings(computer, 'user', { providerRuntime: { ollama: { endpoint: other.url, timeoutSeconds: 30 } } });
    expect((await computer.go()).stdout).toBe('from the other\n');
    await settings(computer, 'user', {});
    expect((await computer.go()).stdout).toBe('ok\n');
  });

  test.each([
    [{ nobody: { timeoutSeconds: 30 } }, 'PROVIDER_INVALID'],
    [{ ollama: { endpoint: 'ftp://x' } }, 'PROVIDER_RUNTIME_INVALID'],
    [{ esterno: { timeoutSeconds: 30 } }, 'PROVIDER_RUNTIME_INVALID'],
  ])('%j is reported before any request', async (providerRuntime, code) => {
    await using computer = await testComputer(ok);
    await settings(computer, 'user', { providerRuntime });
    const { exit, stderr } = await computer.run(['providers']);
    expect(exit).not.toBe(0);
    expect(stderr).toContain(`[${code}]`);
  });

  test('a model times out after the configured time, by full or short name', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    await settings(computer, 'user', {
      models: { tiny: { maxOutputTokens: 700 }, 'ollama:other': { maxOutputTokens: 80 } },
    });
    await computer.go();
    await computer.run(['-p', 'x', '--model', 'ollama:other']);
    expect(computer.model.requests.map(({ body }) => body.max_tokens).filter(Boolean)).toEqual([700, 80]);
  });
});
