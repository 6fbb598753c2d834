import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../src/config/config.ts';
import { CONFIG_KEYS } from '../src/config/keys.ts';
import type { Io } from '../src/io.ts';
import { withHost } from '../src/open-host.ts';
import { type UiSettings, uiSettings } from '../src/screen/app/ui-settings.ts';
import { createKeymap } from '../src/screen/input/keymap.ts';
import { type TestComputer, testComputer } from './harness.ts';

/** A key with a value, and how its effect is visible: without it and with it. */
interface Acting {
  value: unknown;
  shows(computer: TestComputer): Promise<unknown>;
  without: unknown;
  within: unknown;
}

const ambient: Io['ambient'] = async (level) => systemAmbient(level);
const ioOf = (computer: TestComputer) =>
  ({ ambient, env: computer.env, cwd: computer.project.path, home: computer.env.HOME }) as unknown as Io;
const configOf = (computer: TestComputer) => readConfig(ioOf(computer), computer.project.path);

const ui = (name: keyof UiSettings, value: unknown, [without, within]: readonly [unknown, unknown]): Acting => ({
  value,
  shows: async (computer) => uiSettings(configOf(computer), {})[name],
  without,
  within,
});

const verdictOf = async (computer: TestComputer): Promise<unknown> =>
  JSON.parse((await computer.run(['permissions', 'dry-run', 'ls -l', '--json'])).stdout).verdict;
const rule = (verdict: string): Acting => ({ value: ['Bash(ls *)'], shows: verdictOf, without: null, within: verdict });

const body = async (computer: TestComputer, name: string): Promise<unknown> => {
  await computer.go();
  return computer.model.requests.at(-1)?.body[name];
};

const SKILL = '---\nname: Heron\ndescription: Knows herons.\n---\n';

const ACTING: Readonly<Record<string, Acting>> = {
  version: {
    value: 2,
    shows: async (computer) => configOf(computer).values.get('version')?.value,
    without: undefined,
    within: 2,
  },
  model: {
    value: 'ollama:second',
    async shows(computer) {
      await computer.run(['-p', 'go']);
      return computer.model.requests.at(-1)?.model;
    },
    without: 'scripted-1',
    within: 'second',
  },
  reasoningEffort: {
    value: 'high',
    async shows(computer) {
      await computer.go();
      return withHost(
        ioOf(computer),
        {},
        async ({ services }) => (await services.sessions.list())[0]?.settings.reasoning,
      );
    },
    without: null,
    within: { effort: 'high' },
  },
  permissionMode: {
    value: 'plan',
    async shows(computer) {
      await computer.go();
      return JSON.parse((await computer.run(['sessions', 'list', '--json'])).stdout).sessions[0].mode;
    },
    without: 'normal',
    within: 'plan',
  },
  outputFormat: {
    value: 'json',
    shows: async (computer) => (await computer.go()).stdout.slice(0, 1),
    without: 'o',
    within: '{',
  },
  updateChannel: {
    value: 'preview',
    shows: async (computer) => JSON.parse((await computer.run(['update', '--from', '.', '--json'])).stdout).channel,
    without: 'stable',
    within: 'preview',
  },
  providerRuntime: {
    value: { ollama: { endpoint: 'http://127.0.0.1:1' } },
    shows: async (computer) => (await computer.go()).exit,
    without: 0,
    within: 1,
  },
  'permissions.allow': rule('allow'),
  'permissions.ask': rule('ask'),
  'permissions.deny': rule('deny'),
  'ui.theme': {
    value: 'noir',
    shows: async (computer) => configOf(computer).theme,
    without: undefined,
    within: 'noir',
  },
  'ui.markdown': ui('isMarkdown', false, [true, false]),
  'ui.notifications': ui('notifications', 'bell', ['auto', 'bell']),
  'ui.maxProseWidth': ui('maxProseWidth', 60, [undefined, 60]),
  'ui.exitOutput': ui('exitOutput', 'resume', ['transcript', 'resume']),
  'ui.busyInput': ui('busyInput', 'steer', ['queue', 'steer']),
  'ui.reasoning': ui('showsReasoning', 'visible', [false, true]),
  'ui.mouse': ui('hasMouse', false, [true, false]),
  'ui.history.persist': ui('keepsHistory', false, [true, false]),
  'ui.titles': ui('suggestsTitles', false, [true, false]),
  'ui.keymap': {
    value: { 'transcript-search': ['ctrl+x'] },
    shows: async (computer) => createKeymap(configOf(computer).keymap).keysOf('transcript-search'),
    without: ['alt+t'],
    within: ['ctrl+x'],
  },
  'extensions.enabled': {
    value: ['another'],
    async shows(computer) {
      await computer.project.write({ '.svc/skills/heron/SKILL.md': SKILL });
      await computer.go();
      const tools = computer.model.requests.at(-1)?.body['tools'] as { function: { name: string } }[];
      return tools.some((tool) => tool.function.name === 'skill_read');
    },
    without: true,
    within: false,
  },
  keyStore: {
    value: 'memory',
    async shows(computer) {
      const env = { FUCINA_KEY_STORE: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
      const { stderr } = await computer.run(['provider', 'set-key', 'anthropic'], { input: 'k', env });
      return stderr.includes('key store is in memory');
    },
    without: false,
    within: true,
  },
  models: {
    value: { 'ollama:tiny': { maxOutputTokens: 700 } },
    shows: (computer) => body(computer, 'max_tokens'),
    without: undefined,
    within: 700,
  },
  'catalog.modelsDev': {
    value: false,
    async shows(computer) {
      const io = ioOf(computer);
      const env = { ...io.env, FUCINA_PUBLIC_CATALOG: '' };
      const list = await withHost({ ...io, env }, {}, ({ services }) => services.providers.catalog.listAll());
      return list.publicCatalog.isOn;
    },
    without: true,
    within: false,
  },
};

async function put(computer: TestComputer, scope: string, key: string, value: unknown): Promise<void> {
  const { files } = JSON.parse((await computer.run(['config', 'path', '--json', '--scope', scope])).stdout);
  await mkdir(dirname(files[0].path), { recursive: true });
  await writeFile(files[0].path, JSON.stringify({ version: 2, [key]: value }));
  if (scope === 'project') await computer.run(['config', 'trust']);
}

test('every setting of the format has a test here', () => {
  expect(Object.keys(ACTING)).toEqual([...CONFIG_KEYS.keys()]);
});

describe.each(['user', 'project', 'project-user'] as const)('in the scope %s', (scope) => {
  test.each([...CONFIG_KEYS].filter(([, { scopes }]) => scopes.includes(scope)).map(([key]) => key))(
    '%s takes effect',
    async (key) => {
      const { value, shows, without, within } = ACTING[key] as Acting;
      await using before = await testComputer(() => ({ text: 'ok' }));
      expect(await shows(before)).toEqual(without);
      await using computer = await testComputer(() => ({ text: 'ok' }));
      await put(computer, scope, key, value);
      expect(await shows(computer)).toEqual(within);
    },
  );
});
