import type { ModelRequest, Tool, ToolSpec } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type TestSessions, type TestSessionsOptions, testSessions } from '../../test/harness.ts';
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

describe('the request of a model', () => {
  test('has everyday tools in full and names the rare ones in find_tools', async () => {
    await using setup = await testSessions([], options);
    const id = await started(setup);
    const [request] = setup.model.requests;
    expect(names(request)).toEqual(expect.arrayContaining(['leggi', 'scrivi', 'shell', 'ask_user', 'todo_write']));
    expect(names(request).at(-1)).toBe('find_tools');
    const finder = request?.tools.at(-1)?.description;
    for (const name of ['notes_create', 'notes_list', 'automation_create', 'artifact_create', 'cerca_conversazioni']) {
      expect(names(request)).not.toContain(name);
      expect(finder).toContain(name);
    }
    const { tools } = await setup.sessions.offered(id);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['notes_create', 'artifact_create', 'leggi']));
    expect(tools.map(({ name }) => name)).not.toContain('find_tools');
  });

  test('begins with the bytes of the request before it over ten turns, also where a tool is found in between', async () => {
    const quiet = Array.from({ length: 4 }, () => ({ events: say('yes') }));
    await using setup = await testSessions([...quiet, FIND, ...quiet, ...quiet], options);
    const id = await started(setup);
    for (let turn = 2; turn <= 10; turn += 1) await next(setup, id);
    const { requests } = setup.model;
    expect(requests).toHaveLength(11);
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1] ?? request;
      expect(JSON.stringify(request.system)).toBe(JSON.stringify(before.system));
      const tools = JSON.stringify(before.tools);
      if (index === 5) expect(JSON.stringify(request.tools).startsWith(tools.slice(0, -1))).toBe(true);
      else expect(JSON.stringify(request.tools)).toBe(tools);
      expect(JSON.stringify(request.messages).startsWith(JSON.stringify(before.messages).slice(0, -1))).toBe(true);
    }
    expect(names(requests.at(-1)).slice(names(requests[0]).length)).toEqual(['notes_create', 'notes_list']);
  });

  test('has found tools in the order of finding', async () => {
    await using setup = await testSessions(
      [
        { events: call('f1', 'find_tools', { query: 'run something on a schedule' }) },
        { events: call('f2', 'find_tools', { query: 'notes_list automation_create' }) },
        { events: call('f3', 'find_tools', { query: 'automation_create notes_create' }) },
      ],
      options,
    );
    const id = await started(setup);
    const found = names(setup.model.requests.at(-1));
    expect(found.slice(found.indexOf('find_tools') + 1)).toEqual(['automation_create', 'notes_list', 'notes_create']);
    expect(await resultOf(setup, id, 'f1')).toMatchObject({
      content: expect.stringContaining('"name":"automation_create"'),
    });
  });
});

describe('a tool that was found', () => {
  test('is offered after a restart', async () => {
    await using setup = await testSessions([FIND], options);
    const id = await started(setup);
    const last = setup.model.requests.at(-1)?.tools;
    await using again = await setup.reopen();
    await next(again, id);
    expect(JSON.stringify(again.model.requests[0]?.tools)).toBe(JSON.stringify(last));
  });

  test('is offered in a fork of the session and not in a new session', async () => {
    await using setup = await testSessions([FIND], options);
    const id = await started(setup);
    const last = setup.model.requests.at(-1)?.tools;
    const { sessionId } = await setup.sessions.branches.fork(id);
    await next(setup, sessionId);
    expect(JSON.stringify(setup.model.requests.at(-1)?.tools)).toBe(JSON.stringify(last));
    await started(setup);
    expect(names(setup.model.requests.at(-1))).not.toContain('notes_create');
  });
});

describe('a tool that was not found', () => {
  test('runs when it is called and counts as found', async () => {
    await using setup = await testSessions([{ events: call('c1', 'notes_create', { title: 'Herons' }) }], options);
    const id = await started(setup);
    expect(await resultOf(setup, id, 'c1')).toMatchObject({ content: 'notes_create ran with Herons' });
    expect(names(setup.model.requests[1])).toEqual([...names(setup.model.requests[0]), 'notes_create']);
  });

  test('is validated when it is called, and its schema is in the next request', async () => {
    await using setup = await testSessions([{ events: call('c1', 'notes_create', {}) }], options);
    const id = await started(setup);
    expect(await resultOf(setup, id, 'c1')).toMatchObject({ fallito: true, content: expect.stringContaining('title') });
    expect(names(setup.model.requests[1]).at(-1)).toBe('notes_create');
  });

  test('is refused where it does not exist, and nothing is added', async () => {
    await using setup = await testSessions([{ events: call('c1', 'notes_burn', {}) }], options);
    const id = await started(setup);
    expect(await resultOf(setup, id, 'c1')).toMatchObject({ fallito: true });
    expect(names(setup.model.requests[1])).toEqual(names(setup.model.requests[0]));
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
      expect(names(setup.model.requests[1])).toContain('notes_create');
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
    requestTools({ tools: [], specs }, { found: [], isStep: false }).specs.map(({ name }) => name);

  test('are offered in full while they are few', () => {
    const few = ['leggi', 'mcp__files__read', 'forge_count'].map((name) => spec(name));
    expect(requested(few)).toEqual(['leggi', 'mcp__files__read', 'forge_count']);
  });

  test('are found on demand beyond a number of tokens, except the list of skills', () => {
    const many = Array.from({ length: 60 }, (_, index) => spec(`mcp__files__tool_${index}`, 40));
    const all = [spec('leggi'), spec('skill_read', BROUGHT_TOKENS * 2), ...many, spec('mcp__web__open', 40)];
    const made = requestTools({ tools: [], specs: all }, { found: ['mcp__files__tool_50'], isStep: false });
    const offered = made.specs.map(({ name }) => name);
    expect(offered.slice(0, 3)).toEqual(['leggi', 'skill_read', 'mcp__files__tool_0']);
    expect(offered.slice(-2)).toEqual(['find_tools', 'mcp__files__tool_50']);
    expect(offered.length).toBeLessThan(20);
    const { description } = made.specs.at(-2) as ToolSpec;
    expect(description).toContain('mcp__files__tool_20');
    expect(description).toMatch(/and \d+ more\n- 1 of mcp__web$/);
  });

  test('do not stand in for find_tools', () => {
    const made = requestTools(
      { tools: [rare('find_tools', 'mine')], specs: [spec('find_tools'), spec('notes_list')] },
      { found: [], isStep: false },
    );
    expect(made.specs.map(({ name }) => name)).toEqual(['find_tools']);
    expect(made.tools.get('find_tools')?.description).not.toBe('mine');
    // As the conversation shows it (PARALLEL_TOOLS).
    expect(made.tools.get('find_tools')?.effect).toBe('read');
  });
});

test('a workflow step is offered the tool that reads cut outputs in full', () => {
  const specs = ['workflow_output', 'workflow_status'].map((name) => ({ name, description: '', inputSchema: {} }));
  const made = requestTools({ tools: [], specs }, { found: [], isStep: true });
  expect(made.specs.map(({ name }) => name)).toEqual(['workflow_output', 'find_tools']);
});
