import { systemAmbient, type Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { fixture, toolNamed } from '../../test/mcp-fixture.ts';

const MIB = 1024 * 1024;
type Place = Awaited<ReturnType<typeof fixture>>;
const reference = (place: Place) => ({ scope: 'file' as const, folder: place.folder, id: 'bad' });
const logOf = async (place: Place) =>
  (await place.mcp.servers.log(reference(place))).map(({ text }) => text).join('\n');
const pidOf = async (place: Place, tool: Tool | undefined) => (await place.call(tool, { pid: true })).content;

test('one odd tool takes no other one of its server away, and is named in the log', async () => {
  await using place = await fixture();
  const names = ['no-type', 'no-schema', 'text-input', '7', 'odd-extras', 'files.read', 'files_read', 'twice', 'good'];
  const long = ['one', 'two'].map((end) => `${'n'.repeat(70)}_${end}`);
  const tools = await place.hostile('odd-list', [...names, ...long]);
  const beginning = `mcp__bad__${'n'.repeat(45)}`;
  expect(tools.map(({ name }) => name)).toEqual([
    'mcp__bad__no-type',
    'mcp__bad__no-schema',
    'mcp__bad__odd-extras',
    expect.stringMatching(new RegExp(`^${beginning}_[0-9a-f]{8}$`)),
    expect.stringMatching(new RegExp(`^${beginning}_[0-9a-f]{8}$`)),
    expect.stringMatching(/^mcp__bad__files_read_[0-9a-f]{8}$/),
    'mcp__bad__files_read',
    'mcp__bad__twice',
    'mcp__bad__good',
  ]);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  expect(tools.find(({ name }) => name === 'mcp__bad__twice')?.description).toContain('first');
  for (const tool of tools) {
    expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({
      type: 'object',
      properties: expect.anything(),
    });
    expect(await place.call(tool)).toEqual({ content: 'fine' });
  }
  const log = await logOf(place);
  for (const said of [
    'text-input',
    'without a name',
    'odd-extras: its description',
    'odd-extras: its outputSchema',
    'twice',
  ])
    expect(log).toContain(said);
  expect(await place.mcp.servers.row(reference(place), place.folder)).toMatchObject({
    state: 'connected',
    failure: null,
  });
});

test('only a tool that is marked as reading in a closed world is harmless', async () => {
  await using place = await fixture();
  const names = ['closed', 'open', 'unsaid', 'writes', 'both', 'odd', 'unmarked'];
  const tools = await place.hostile('marked-list', names);
  expect(tools.map(({ name }) => name)).toEqual(names.map((name) => `mcp__bad__${name}`));
  expect(tools.filter(({ isHarmless }) => isHarmless).map(({ name }) => name)).toEqual(['mcp__bad__closed']);
  expect(tools.map(({ effect }) => effect)).toEqual(names.map(() => 'process'));
});

test('one odd part of a result takes no other part away', async () => {
  await using place = await fixture();
  const { content } = await place.call((await place.hostile('odd-block'))[0]);
  expect(content).toMatch(/^kept\n.*type weird.*\n.*type unknown/);
});

test.each(['id-first', 'id-last'])(
  'a message up to 32 MiB arrives, and a longer one fails its call alone, with %s',
  async (order) => {
    await using place = await fixture();
    const [good] = await place.hostile('sizes');
    const pid = await pidOf(place, good);
    expect(await place.call(good, { size: 2 * MIB, order })).toMatchObject({
      content: expect.stringMatching(/^y{20000}/),
    });
    expect(await place.call(good, { size: 32 * MIB, order })).toMatchObject({
      content: expect.stringMatching(/^y{20000}/),
    });
    expect(await place.call(good, { size: 32 * MIB + 1, order })).toMatchObject({
      isError: true,
      content: expect.stringContaining('longer than 32 MiB was skipped'),
    });
    expect(await place.call(good)).toEqual({ content: 'fine' });
    expect(await pidOf(place, good)).toBe(pid);
    expect(await logOf(place)).toContain('longer than 32 MiB was skipped');
  },
);

test('a server that does not answer holds no turn back, says that it starts, and is ended at once', async () => {
  await using place = await fixture(systemAmbient('silent'), { startWaitMs: 100 });
  const began = performance.now();
  expect(await place.hostile('mute')).toEqual([]);
  expect(await place.tools()).toEqual([]);
  expect(await place.mcp.servers.row(reference(place), place.folder)).toMatchObject({
    state: 'starting',
    failure: null,
  });
  await place.mcp.forget('s1');
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await place.mcp.servers.row(reference(place), place.folder)).toMatchObject({ state: 'idle', failure: null });
});

test('a server that is ready later joins then', async () => {
  await using place = await fixture(systemAmbient('silent'), { startWaitMs: 0 });
  expect(await place.hostile('late')).toEqual([]);
  const deadline = performance.now() + 30_000;
  let tools = await place.tools();
  while (tools.length === 0 && performance.now() < deadline) {
    await new Promise((done) => setTimeout(done, 20));
    tools = await place.tools();
  }
  expect(tools.map(({ name }) => name)).toEqual(['mcp__bad__good', 'mcp__bad__a_b_c']);
  expect(await place.call(toolNamed(tools, 'mcp__bad__good'))).toEqual({ content: 'fine' });
});

test('a list of tools that is not answered holds no turn back either', async () => {
  await using place = await fixture(systemAmbient('silent'), { startWaitMs: 100 });
  expect(await place.hostile('mute-list')).toEqual([]);
  expect(await place.mcp.servers.row(reference(place), place.folder)).toMatchObject({
    state: 'starting',
    failure: null,
  });
});

test('a list of tools that fails is a failure of its server, in a session and in the settings', async () => {
  await using place = await fixture();
  const failed = { state: 'failed', failure: { reason: 'protocol', detail: expect.stringContaining('no list today') } };
  const row = () => place.mcp.servers.row(reference(place), place.folder);
  expect(await place.hostile('bad-list')).toEqual([]);
  expect(await row()).toMatchObject(failed);
  expect(await place.tools()).toEqual([]);
  await place.mcp.servers.connect(reference(place), place.folder);
  expect(await row()).toMatchObject(failed);
  expect(await place.mcp.tools({ ...place.session, sessionId: 's2' })).toEqual([]);
});
