import { type ModelRequest, systemAmbient, type Tool, type ToolSpec } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type TestSessions, type TestSessionsOptions, testSessions } from '../../test/harness.ts';
import { dialectOf } from '../dialects/dialect.ts';
import { call, say } from '../testing.ts';
import { BROUGHT_TOKENS, requestTools } from './on-demand-tools.ts';

const rare = (name: string, description: string): Tool<{ title: string }> => ({
  name,
  description,
  category: 'extended',
  effect: 'read',
  gate: null,
  input: z.strictObject({ title: z.string() }),
  action: () => ({ tipo: name }),
  run: async ({ title }) => ({ content: `${name} ran with ${title}` }),
});
const TOOLS = [
  rare('notes_create', 'Write a note.'),
  rare('notes_list', 'List the notes.'),
  rare('automation_create', 'Make an automation that runs on a schedule.'),
];
const usual = { isStep: false, dialect: dialectOf('test:model') };
const options = { tools: TOOLS } as TestSessionsOptions;

const names = (request: ModelRequest | undefined): string[] => request?.tools.map(({ name }) => name) ?? [];
const next = async (setup: TestSessions, id: string): Promise<void> => {
  await setup.sessions.turns.resume(id, { message: 'and now?' });
  await setup.sessions.turns.settled(id);
};
const started = async (setup: TestSessions): Promise<string> => {
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  return id;
};
const resultOf = async (setup: TestSessions, id: string, toolCallId: string) =>
  (await setup.events(id)).find((event) => event.type === 'ToolCallResult' && event.toolCallId === toolCallId);

const FIND = { events: call('f1', 'find_tools', { query: 'make a note' }) };
const use = (id: string, name: string, input: unknown) => ({
  events: call(id, 'use_tool', { name, arguments: input }),
});

describe('the request of a model', () => {
  test('has everyday tools in full and names the rare ones in find_tools', async () => {
    await using setup = await testSessions([], options);
    const id = await started(setup);
    const [request] = setup.model.requests;
    expect(names(request)).toEqual(expect.arrayContaining(['read', 'write', 'bash', 'ask_user', 'todo_write']));
    expect(names(request).slice(-2)).toEqual(['find_tools', 'use_tool']);
    const finder = request?.tools.at(-2)?.description;
    for (const name of ['notes_create', 'notes_list', 'automation_create', 'artifact_create', 'search_conversations']) {
      expect(names(request)).not.toContain(name);
      expect(finder).toContain(name);
    }
    const { tools } = await setup.sessions.offered(id);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['notes_create', 'artifact_create', 'leggi']));
    expect(tools.map(({ name }) => name)).not.toContain('find_tools');
  });

  test('begins with the bytes of the one before it over ten turns, whatever is found, used and changed', async () => {
    const quiet = Array.from({ length: 4 }, () => ({ events: say('yes') }));
    const work = [FIND, use('u1', 'notes_create', { title: 'Herons' }), { events: call('r', 'leggi', {}) }];
    await using setup = await testSessions([...quiet, ...work, ...quiet, ...quiet], options);
    const id = await started(setup);
    for (let turn = 2; turn <= 10; turn += 1) {
      if (turn === 3) await setup.sessions.changeSettings(id, { permissions: 'Read only' });
      if (turn === 7) await setup.sessions.changeSettings(id, { permissions: 'Workspace write', mode: 'plan' });
      await next(setup, id);
    }
    const { requests } = setup.model;
    expect(requests).toHaveLength(13);
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1] ?? request;
      expect(JSON.stringify(request.system)).toBe(JSON.stringify(before.system));
      expect(JSON.stringify(request.tools)).toBe(JSON.stringify(before.tools));
      expect(JSON.stringify(request.messages).startsWith(JSON.stringify(before.messages).slice(0, -1))).toBe(true);
    }
    expect(JSON.stringify(requests.at(-1)?.messages)).toMatch(
      /instead of what was said before.*Permissions: Read only.*use_tool.*Permissions: Workspace write.*Mode: plan\. Explore/,
    );
  });
});

test('the cache is asked to last for an hour once a session has paused for long', async () => {
  const real = systemAmbient('silent');
  let shift = 0;
  const ambient = { ...real, now: () => real.now() + shift };
  await using setup = await testSessions([], { ambient });
  const id = await started(setup);
  shift += 240_000;
  await next(setup, id);
  shift += 300_000;
  await next(setup, id);
  await next(setup, id);
  expect(setup.model.requests.map(({ isPausing = false }) => isPausing)).toEqual([false, false, true, true]);
});

describe('a rare tool', () => {
  test('is found with its schema and called by name; the journal has its own call', async () => {
    await using setup = await testSessions([FIND, use('u1', 'notes_create', { title: 'Herons' })], options);
    const id = await started(setup);
    expect(await resultOf(setup, id, 'f1')).toMatchObject({
      content: expect.stringContaining('"name":"notes_create"'),
    });
    expect(await resultOf(setup, id, 'u1')).toMatchObject({ content: 'notes_create ran with Herons' });
    const events = await setup.events(id);
    expect(events.find((event) => event.type === 'ToolCallStart' && event.toolCallId === 'u1')).toMatchObject({
      toolCallName: 'notes_create',
    });
    expect(events.find((event) => event.type === 'ToolCallArgs' && event.toolCallId === 'u1')).toMatchObject({
      delta: '{"title":"Herons"}',
    });
  });

  test('is sent back as the model called it, also after a restart and in a fork', async () => {
    await using setup = await testSessions([FIND, use('u1', 'notes_create', { title: 'Herons' })], options);
    const id = await started(setup);
    const sent = (one: TestSessions) => JSON.stringify(one.model.requests.at(-1)?.messages);
    const back =
      '"name":"use_tool","arguments":"{\\"name\\":\\"notes_create\\",\\"arguments\\":{\\"title\\":\\"Herons\\"}}"';
    expect(sent(setup)).toContain(back);
    expect(sent(setup)).toContain('"toolName":"use_tool"');
    const { sessionId } = await setup.sessions.branches.fork(id);
    await next(setup, sessionId);
    expect(sent(setup)).toContain(back);
    await using again = await setup.reopen();
    await next(again, id);
    expect(sent(again)).toContain(back);
  });

  test('runs also where it is called as if it were offered, and is validated', async () => {
    await using setup = await testSessions(
      [{ events: call('c1', 'notes_create', { title: 'Herons' }) }, use('c2', 'notes_create', {})],
      options,
    );
    const id = await started(setup);
    expect(await resultOf(setup, id, 'c1')).toMatchObject({ content: 'notes_create ran with Herons' });
    expect(await resultOf(setup, id, 'c2')).toMatchObject({ fallito: true, content: expect.stringContaining('title') });
    expect(names(setup.model.requests[1])).toEqual(names(setup.model.requests[0]));
  });

  test('takes its arguments also as a text; an everyday tool may be called so too', async () => {
    await using setup = await testSessions(
      [use('c1', 'notes_create', '{"title":"Herons"}'), use('c2', 'leggi', { percorso: 'a.ts' })],
      options,
    );
    const id = await started(setup);
    expect(await resultOf(setup, id, 'c1')).toMatchObject({ content: 'notes_create ran with Herons' });
    expect(await resultOf(setup, id, 'c2')).not.toHaveProperty('fallito', true);
  });

  test.each([
    ['no such tool', { name: 'notes_burn', arguments: {} }, 'There is no tool named notes_burn'],
    ['no name', { arguments: {} }, 'use_tool takes'],
    ['itself', { name: 'use_tool', arguments: {} }, 'use_tool takes'],
  ])('is refused for %s', async (_what, input, reason) => {
    await using setup = await testSessions([{ events: call('c1', 'use_tool', input) }], options);
    const id = await started(setup);
    expect(await resultOf(setup, id, 'c1')).toMatchObject({
      fallito: true,
      content: expect.stringContaining(reason),
    });
  });
});

describe('find_tools', () => {
  test('answers that nothing matches when no word of the query is known', async () => {
    await using setup = await testSessions([{ events: call('f1', 'find_tools', { query: 'zzz' }) }], options);
    const id = await started(setup);
    expect(await resultOf(setup, id, 'f1')).toMatchObject({ content: 'No tool matches these words.' });
    expect((await setup.events(id)).some((event) => event.type === 'CUSTOM' && event.name.includes('strumenti'))).toBe(
      false,
    );
  });

  test('may be called in plan mode and under Read only', async () => {
    for (const settings of [{ mode: 'plan' }, { permissions: 'Read only' }] as const) {
      await using setup = await testSessions([FIND], options);
      const id = await setup.start(settings);
      await setup.sessions.turns.settled(id);
      expect((await resultOf(setup, id, 'f1')) as object).not.toHaveProperty('fallito', true);
      expect(await resultOf(setup, id, 'f1')).toMatchObject({ content: expect.stringContaining('notes_create') });
    }
  });
});

describe('tools of a project', () => {
  const spec = (name: string, length = 0): ToolSpec => ({
    name,
    description: 'word '.repeat(length),
    inputSchema: { type: 'object' },
  });
  const requested = (specs: readonly ToolSpec[]) =>
    requestTools({ tools: [], specs }, usual).specs.map(({ name }) => name);

  test('are offered in full while they are few', () => {
    const few = ['leggi', 'mcp__files__read', 'forge_count'].map((name) => spec(name));
    expect(requested(few)).toEqual(['read', 'mcp__files__read', 'forge_count']);
  });

  test('are found on demand beyond a number of tokens, except the list of skills', () => {
    const many = Array.from({ length: 60 }, (_, index) => spec(`mcp__files__tool_${index}`, 40));
    const all = [spec('leggi'), spec('skill_read', BROUGHT_TOKENS * 2), ...many, spec('mcp__web__open', 40)];
    const made = requestTools({ tools: [], specs: all }, usual);
    const offered = made.specs.map(({ name }) => name);
    expect(offered.slice(0, 3)).toEqual(['read', 'skill_read', 'mcp__files__tool_0']);
    expect(offered.slice(-2)).toEqual(['find_tools', 'use_tool']);
    expect(offered.length).toBeLessThan(20);
    const { description } = made.specs.at(-2) as ToolSpec;
    expect(description).toContain('mcp__files__tool_20');
    expect(description).toMatch(/and \d+ more\n- 1 of mcp__web$/);
  });

  test('do not stand in for find_tools', () => {
    const made = requestTools(
      { tools: [rare('find_tools', 'mine')], specs: [spec('find_tools'), spec('notes_list')] },
      usual,
    );
    expect(made.specs.map(({ name }) => name)).toEqual(['find_tools', 'use_tool']);
    expect(made.tools.get('find_tools')?.description).not.toBe('mine');
    // As the conversation shows it (PARALLEL_TOOLS).
    expect(made.tools.get('find_tools')?.effect).toBe('read');
  });
});

test('a workflow step is offered the tool that reads cut outputs in full', () => {
  const specs = ['workflow_output', 'workflow_status'].map((name) => ({ name, description: '', inputSchema: {} }));
  const made = requestTools({ tools: [], specs }, { ...usual, isStep: true });
  expect(made.specs.map(({ name }) => name)).toEqual(['workflow_output', 'find_tools', 'use_tool']);
});
