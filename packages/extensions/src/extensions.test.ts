import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOutboundHttp, realFolder, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { program } from '../test/mcp-fixture.ts';
import { createExtensions } from './extensions.ts';

const ambient = systemAmbient('silent');
const REFUSES = `node -e "console.log(JSON.stringify({consentito: false, motivo: 'no'}))"`;

/** A project with one extension of each kind, all trusted, of which only some are allowed. */
async function fixture(enabled?: readonly string[]) {
  const dir = await tempDir();
  const files = {
    '.svc/hooks.json': { hooks: [{ id: 'guard', eventi: ['pre_tool_call'], comando: REFUSES }] },
    '.svc/plugins/helper/plugin.json': {
      name: 'Helper',
      hooks: [{ id: 'second', eventi: ['pre_tool_call'], comando: REFUSES }],
      tools: [{ nome: 'count', descrizione: 'Counts.', comando: 'true' }],
    },
    '.svc/mcp.json': {
      server: [{ id: 'disk', comando: 'node', argomenti: [program('server-everything')], allowlist: ['echo'] }],
    },
    '.svc/skills/heron/SKILL.md': '---\nname: Heron\ndescription: Knows herons.\n---\n',
  };
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir.path, 'project', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const folder = await realFolder(join(dir.path, 'project'));
  const made = createExtensions({
    ambient,
    dataDir: join(dir.path, 'data'),
    homeDir: join(dir.path, 'home'),
    secrets: { read: async () => undefined, write: async () => undefined, remove: async () => undefined },
    environment: process.env,
    http: createOutboundHttp({ ambient }),
    capabilities: {} as never,
    ...(enabled && { isEnabled: (id) => enabled.includes(id) }),
  });
  await made.hooks.trust(folder, 'guard');
  await made.plugins.trust(folder, 'helper');
  await made.mcp.trust(folder, 'disk');
  const forged = {
    id: 'first-task',
    title: 'First',
    description: 'First.',
    flow: { entry: 'end', maxTransitions: 1, nodes: [{ id: 'end', type: 'return', value: 1 }] },
  };
  await made.forge.createTool.run(made.forge.createTool.input.parse(forged), {} as never);
  await made.forge.enable('first-task', true);
  return {
    made,
    folder,
    names: async () => (await made.tools({ sessionId: 's1', folder })).map(({ name }) => name).sort(),
    objector: async () =>
      (
        await made.hooks.tell({
          evento: 'pre_tool_call',
          sessionId: 's1',
          cartella: folder,
          strumento: 'shell',
        } as never)
      )?.hookId,
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test('every trusted extension is active unless only some are enabled', async () => {
  await using place = await fixture();
  const kinds = ['forge_first-task', 'mcp__disk__echo', 'plugin_helper_count', 'skill_read'];
  expect(await place.names()).toEqual(expect.arrayContaining(kinds));
  expect(await place.objector()).toBe('guard');
});

test('a project offers what it declares as soon as its folder is there', async () => {
  await using place = await fixture();
  const { folder } = place;
  const [declared, away] = [join(folder, '.svc'), join(folder, 'away')];
  await rename(declared, away);
  expect(await place.names()).toEqual(['forge_first-task']);
  expect(await place.objector()).toBeUndefined();
  await rename(away, declared);
  expect(await place.names()).toEqual(expect.arrayContaining(['plugin_helper_count', 'skill_read']));
  expect(await place.objector()).toBe('guard');
});

test.each([
  ['guard', 'guard', []],
  ['helper', 'helper/second', [/count/]],
  ['disk', undefined, [/^mcp__disk__/, /^mcp__disk__/]],
  ['heron', undefined, [/skill/]],
  ['first-task', undefined, [/^forge_first-task$/]],
])('only %s is active when it alone is enabled, and the others stay listed', async (id, objector, tools) => {
  await using place = await fixture([id]);
  const names = await place.names();
  expect(names).toHaveLength(tools.length);
  for (const [at, name] of names.entries()) expect(name).toMatch(tools[at] ?? /^$/);
  expect(await place.objector()).toBe(objector);
  expect(await place.made.hooks.list(place.folder)).toMatchObject({ rows: [{ id: 'guard', isTrusted: true }] });
  expect(await place.made.plugins.list(place.folder)).toMatchObject({ rows: [{ id: 'helper', isTrusted: true }] });
});
