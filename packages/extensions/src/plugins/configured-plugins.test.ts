import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realFolder, systemAmbient, type ToolContext } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { placeName } from '../own/reference.ts';
import { createSwitches } from '../own/switches.ts';
import { createTrustStore } from '../trust/trust-store.ts';
import { createConfiguredPlugins } from './configured-plugins.ts';
import { createOwnPackages } from './own-packages.ts';
import { createPlugins } from './plugins.ts';

const ambient = systemAmbient('silent');
const manifest = { name: 'Helper', tools: [{ name: 'greet', command: 'node greet.cjs' }] };

async function fixture() {
  const dir = await tempDir();
  const put = async (path: string, content: string) => {
    await mkdir(dirname(join(dir.path, path)), { recursive: true });
    await writeFile(join(dir.path, path), content);
  };
  await put('project/.svc/plugins/.keep', '');
  await put('helper/plugin.json', JSON.stringify(manifest));
  await put('helper/greet.cjs', 'console.log("hello from " + require("node:path").basename(process.cwd()))');
  const folder = await realFolder(join(dir.path, 'project'));
  const dataDir = join(dir.path, 'data');
  const needs = {
    ambient,
    environment: process.env,
    isEnabled: () => true,
    trust: createTrustStore({ ambient, dataDir }),
    own: createOwnPackages(dataDir),
    switches: createSwitches(dataDir, 'plugins'),
  };
  const plugins = createPlugins(needs);
  const configured = createConfiguredPlugins(needs);
  const source = join(await realFolder(dir.path), 'helper');
  return {
    configured,
    folder,
    dataDir,
    source,
    put,
    async add(scope: 'everywhere' | 'project' = 'project') {
      const { hash } = await configured.preview(source);
      return configured.add({ scope, folder: scope === 'project' ? folder : null }, { path: source, hash });
    },
    async greet() {
      const tool = (await plugins.tools(folder)).find(({ name }) => name === 'plugin_helper_greet');
      const context = { signal: new AbortController().signal } as ToolContext;
      return tool && (await tool.run({}, context)).content;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test('a plugin of a folder is shown, copied and trusted as it was shown', async () => {
  await using place = await fixture();
  const shown = await place.configured.preview(place.source);
  expect(shown).toMatchObject({
    id: 'helper',
    name: 'Helper',
    commands: [{ origin: 'tool:greet', command: 'node greet.cjs' }],
  });
  expect(await place.add()).toMatchObject({ scope: 'project', isTrusted: true, isOn: true, isReplaced: false });
  expect(await place.greet()).toBe('hello from helper\n');
  // The folder that it came from no longer counts.
  await place.put('helper/greet.cjs', 'console.log("other")');
  expect(await place.greet()).toBe('hello from helper\n');
});

test('a plugin that changed after it was shown is not added', async () => {
  await using place = await fixture();
  const { hash } = await place.configured.preview(place.source);
  await place.put('helper/more.cjs', '');
  const adding = place.configured.add({ scope: 'everywhere', folder: null }, { path: place.source, hash });
  await expect(adding).rejects.toMatchObject({ code: 'PLUGIN_INVALID', reason: 'changed' });
  expect(await place.configured.list(place.folder)).toEqual({ rows: [], broken: [], problem: null });
});

test('a plugin is not added twice, and not from a folder that is none', async () => {
  await using place = await fixture();
  await place.add();
  await expect(place.add()).rejects.toMatchObject({ code: 'PLUGIN_INVALID', reason: 'exists' });
  expect(await readdir(join(place.dataDir, 'extensions/plugins', placeName(place.folder)))).toEqual(['helper']);
  for (const [path, reason] of [
    [join(place.folder, 'absent'), 'folder'],
    [place.folder, 'manifest'],
    ['relative', 'folder'],
  ] as const) {
    await expect(place.configured.preview(path)).rejects.toMatchObject({ code: 'PLUGIN_INVALID', reason });
  }
});

test('the user’s plugin is used, not the project’s with its id, and each can be turned off', async () => {
  await using place = await fixture();
  await place.put('project/.svc/plugins/helper/plugin.json', JSON.stringify(manifest));
  await place.put('project/.svc/plugins/helper/greet.cjs', 'console.log("of the project")');
  const ofProject = { scope: 'file' as const, folder: place.folder, id: 'helper' };
  await place.configured.trust(ofProject);
  expect(await place.greet()).toBe('of the project\n');
  const mine = await place.add('everywhere');
  expect(await place.greet()).toBe('hello from helper\n');
  expect((await place.configured.list(place.folder)).rows).toMatchObject([
    { scope: 'everywhere', isReplaced: false },
    { scope: 'file', isReplaced: true, isTrusted: true },
  ]);
  await place.configured.turn(mine, false);
  expect(await place.greet()).toBe('of the project\n');
  await place.configured.turn(ofProject, false);
  expect(await place.greet()).toBeUndefined();
});

test('a copy that was changed does not run until it is trusted again', async () => {
  await using place = await fixture();
  const mine = await place.add();
  await writeFile(
    join(place.dataDir, 'extensions/plugins', placeName(place.folder), 'helper/greet.cjs'),
    'console.log("changed")',
  );
  expect(await place.greet()).toBeUndefined();
  expect((await place.configured.list(place.folder)).rows).toMatchObject([{ isTrusted: false, because: 'changed' }]);
  await place.configured.trust(mine);
  expect(await place.greet()).toBe('changed\n');
});

test('a plugin of the user is removed; one of the project is not', async () => {
  await using place = await fixture();
  const mine = await place.add();
  await place.configured.remove(mine);
  await expect(place.configured.remove(mine)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await place.greet()).toBeUndefined();
  await place.put('project/.svc/plugins/helper/plugin.json', JSON.stringify(manifest));
  const ofProject = { scope: 'file' as const, folder: place.folder, id: 'helper' };
  await expect(place.configured.remove(ofProject)).rejects.toMatchObject({ reason: 'declared-by-project' });
});
