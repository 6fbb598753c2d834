import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient, type Tool, type ToolContext } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as z from 'zod';
import { capabilitiesOf, flow, riskOf } from './flow.ts';
import { createForge } from './forge.ts';
import { type Capabilities, runFlow } from './run-flow.ts';

const ambient = systemAmbient('silent');
const never = new AbortController().signal;
const context = { signal: never } as ToolContext;

function recording(): { capabilities: Capabilities; calls: [string, unknown][] } {
  const calls: [string, unknown][] = [];
  const make = (name: string) => async (args: unknown) => {
    calls.push([name, args]);
    return name.endsWith('.list') ? [{ id: 't1', title: 'Fix', n: 3 }] : { id: 'new' };
  };
  const names = [
    'tasks.list',
    'tasks.create',
    'tasks.setStatus',
    'notes.list',
    'notes.create',
    'notes.update',
    'memory.search',
    'memory.create',
  ];
  return {
    capabilities: Object.fromEntries(names.map((name) => [name, make(name)])) as unknown as Capabilities,
    calls,
  };
}

const FLOW = {
  entry: 'look',
  maxTransitions: 10,
  nodes: [
    {
      id: 'look',
      type: 'capability',
      capability: 'tasks.list',
      args: { text: { $ref: '$.input.text' } },
      saveAs: 'tasks',
      next: 'any',
    },
    {
      id: 'any',
      type: 'if',
      condition: { op: 'exists', left: { $ref: '$.state.tasks.0.title' } },
      whenTrue: 'note',
      whenFalse: 'none',
    },
    {
      id: 'note',
      type: 'capability',
      capability: 'notes.create',
      args: { title: { $ref: '$.state.tasks.0.title' }, content: 'found' },
      next: 'end',
    },
    {
      id: 'end',
      type: 'return',
      value: { title: { $ref: '$.state.tasks.0.title' }, list: [{ $ref: '$.input.text' }] },
    },
    { id: 'none', type: 'fail', message: 'nothing found' },
  ],
};
const DRAFT = {
  id: 'first-task',
  title: 'First task',
  description: 'Notes the first task.',
  input_schema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
  flow: FLOW,
};

async function fixture() {
  const dir = await tempDir();
  const { capabilities, calls } = recording();
  const forge = createForge({ ambient, dataDir: dir.path, capabilities, isEnabled: () => true });
  const call = async (tool: Tool, input: unknown) => tool.run(tool.input.parse(input), context);
  return {
    forge,
    calls,
    call,
    dataDir: dir.path,
    create: (changes: object = {}) => call(forge.createTool, { ...DRAFT, ...changes }),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

describe('forged tools', () => {
  test('are disabled by default, listed with their permissions, and offered when enabled', async () => {
    await using place = await fixture();
    expect(await place.create()).toMatchObject({ content: expect.stringContaining('forge_first-task') });
    const listed = await place.forge.list();
    expect(listed).toEqual({
      rows: [
        {
          id: 'first-task',
          title: 'First task',
          description: 'Notes the first task.',
          capabilities: ['tasks.list', 'notes.create'],
          risk: 'R2',
          isEnabled: false,
          installedAt: expect.stringMatching(/^20/),
        },
      ],
    });
    expect(await place.forge.tools()).toEqual([]);
    await place.forge.enable('first-task', true);
    const [tool] = await place.forge.tools();
    if (!tool) throw new Error('not offered');
    expect([tool.name, tool.effect]).toEqual(['forge_first-task', 'record']);
    expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject(DRAFT.input_schema);
    expect(await place.call(tool, { text: 'x' })).toEqual({ content: '{"title":"Fix","list":["x"]}' });
    expect(place.calls).toEqual([
      ['tasks.list', { text: 'x' }],
      ['notes.create', { title: 'Fix', content: 'found' }],
    ]);
    expect(await place.call(tool, { other: 1 })).toMatchObject({
      isError: true,
      content: expect.stringContaining('fit'),
    });
    await place.forge.enable('first-task', false);
    expect(await place.forge.tools()).toEqual([]);
  });

  test('refuses a duplicate id and answers NOT_FOUND for an unknown one', async () => {
    await using place = await fixture();
    await place.create();
    expect(await place.create()).toMatchObject({ isError: true });
    for (const id of ['none', '../x', '']) {
      await expect(place.forge.enable(id, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('rejects an invalid schema and external references', async () => {
    await using place = await fixture();
    const schemas = [
      { type: 'string' },
      { type: 'object', properties: { a: { $ref: 'http://127.0.0.1/x' } } },
      { type: 'object', properties: { a: { type: 'nothing' } } },
      { type: 'object', description: 'x'.repeat(20_000) },
    ];
    for (const input_schema of schemas) expect(await place.create({ input_schema })).toMatchObject({ isError: true });
    expect(await place.forge.list()).toEqual({ rows: [] });
  });

  test('rejects a program without an end with a message for the model', async () => {
    await using place = await fixture();
    const answer = await place.create({ flow: { ...FLOW, entry: 'absent' } });
    expect(answer).toMatchObject({ isError: true, content: expect.stringContaining('there is no node absent') });
  });

  test('reports a damaged tool', async () => {
    await using place = await fixture();
    await mkdir(join(place.dataDir, 'forge'));
    await writeFile(join(place.dataDir, 'forge', 'bad.json'), '{"id":');
    expect(await place.forge.list()).toHaveProperty('problem', expect.stringContaining('bad.json'));
    expect(await place.forge.tools()).toEqual([]);
  });
});

describe('flows', () => {
  const run = (program: unknown, input: Record<string, unknown> = {}) =>
    runFlow(flow.parse(program), { input, capabilities: recording().capabilities, signal: never });
  const deciding = (condition: object) => ({
    entry: 'a',
    maxTransitions: 4,
    nodes: [
      { id: 'a', type: 'if', condition, whenTrue: 'yes', whenFalse: 'no' },
      { id: 'yes', type: 'return', value: true },
      { id: 'no', type: 'return', value: false },
    ],
  });

  test.each([
    [{ op: 'eq', left: { a: [1] }, right: { a: [1] } }, true],
    [{ op: 'neq', left: 1, right: 2 }, true],
    [{ op: 'truthy', left: '' }, false],
    [{ op: 'exists', left: { $ref: '$.input.none' } }, false],
    [{ op: 'contains', left: 'forge', right: 'org' }, true],
    [{ op: 'contains', left: ['a', 'b'], right: 'b' }, true],
    [{ op: 'gt', left: 3, right: 2 }, true],
    [{ op: 'gte', left: 'b', right: 'b' }, true],
    [{ op: 'lt', left: 3, right: '4' }, false],
    [{ op: 'lte', left: null, right: 1 }, false],
  ])('%j is %s', async (condition, wanted) => {
    expect(await run(deciding(condition))).toEqual({ value: wanted });
  });

  test('an endless flow is stopped after its transition limit', async () => {
    const endless = {
      entry: 'a',
      maxTransitions: 256,
      nodes: [
        { id: 'a', type: 'capability', capability: 'tasks.list', next: 'a' },
        { id: 'end', type: 'return' },
      ],
    };
    expect(await run(endless)).toEqual({ failure: 'more than 256 steps' });
  });

  test('a failed capability fails the flow', async () => {
    const { capabilities } = recording();
    const failing = { ...capabilities, 'tasks.list': () => Promise.reject(new Error('no store')) };
    const outcome = await runFlow(flow.parse(FLOW), { input: {}, capabilities: failing, signal: never });
    expect(outcome).toEqual({ failure: 'tasks.list: no store' });
    expect(await runFlow(flow.parse(FLOW), { input: {}, capabilities, signal: AbortSignal.abort() })).toEqual({
      failure: 'stopped',
    });
  });

  test('a reference reads own properties only', async () => {
    const looking = (path: string) => ({
      entry: 'a',
      maxTransitions: 1,
      nodes: [{ id: 'a', type: 'return', value: { $ref: path } }],
    });
    for (const path of ['$.input.constructor', '$.input.__proto__', '$.state.toString', '$.input.a.length']) {
      expect(await run(looking(path), { a: 'text' })).toEqual({ value: null });
    }
  });

  test('rejects programs without an end', () => {
    const bad = [
      { ...FLOW, entry: 'absent' },
      { ...FLOW, maxTransitions: 257 },
      { ...FLOW, maxTransitions: 0 },
      { ...FLOW, nodes: [...FLOW.nodes, FLOW.nodes[0]] },
      { ...FLOW, nodes: FLOW.nodes.filter(({ type }) => type !== 'return') },
      { ...FLOW, nodes: [{ id: 'look', type: 'shell', command: 'x' }] },
      { ...FLOW, nodes: [{ ...FLOW.nodes[0], capability: 'files.delete' }] },
      { ...FLOW, more: 1 },
    ];
    for (const program of bad) expect(flow.safeParse(program).success).toBe(false);
    fc.assert(fc.property(fc.jsonValue(), (program) => flow.safeParse(program).success === false));
  });

  test('the risk is the highest of the capabilities', () => {
    expect(riskOf(capabilitiesOf(flow.parse(FLOW)))).toBe('R2');
    expect([riskOf([]), riskOf(['notes.list']), riskOf(['notes.list', 'memory.create'])]).toEqual(['R1', 'R1', 'R3']);
  });
});
