import { type ModelRequest, readDialectChoice, type SessionEvent, type ToolSpec } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { requestTools } from '../calls/on-demand-tools.ts';
import { broken, call, say } from '../testing.ts';
import { dialect, dialectOf } from './dialect.ts';

const names = (request: ModelRequest | undefined): string[] => request?.tools.map(({ name }) => name) ?? [];
const sent = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);

describe('the dialect of a model', () => {
  test.each([
    ['anthropic:claude-opus-4-5', 'claude'],
    ['anthropic/claude-sonnet-4.5', 'claude'],
    ['openrouter:anthropic/claude-sonnet-4.5', 'claude'],
    ['openai:gpt-5.1-codex', 'gpt'],
    ['openai:o4-mini', 'gpt'],
    ['openai/gpt-oss-120b:free', 'gpt'],
    ['local:gpt-oss:20b', 'gpt'],
    ['google:gemini-3-pro', 'default'],
    ['qwen/qwen3-coder', 'default'],
    ['test:model', 'default'],
    ['', 'default'],
  ])('%s speaks %s', (model, name) => {
    expect(dialectOf(model).name).toBe(name);
  });

  test('is the one that the user chose for it, else for all', () => {
    const choice = readDialectChoice(' gpt , anthropic:claude-opus-4-5=default, qwen/qwen3:free=claude');
    expect(dialectOf('anthropic:claude-opus-4-5', choice).name).toBe('default');
    expect(dialectOf('anthropic:claude-opus-4-50', choice).name).toBe('gpt');
    expect(dialectOf('qwen/qwen3:free', choice).name).toBe('claude');
    expect(dialectOf('openai:gpt-5', readDialectChoice('')).name).toBe('gpt');
  });

  test.each(['codex', 'openai:gpt-5=codex', 'openai:gpt-5=', 'claude,nope', 'toString'])(
    'is refused with the names that exist where %j is chosen',
    (text) => {
      expect(() => readDialectChoice(text)).toThrow(
        expect.objectContaining({
          code: 'CONFIG_INVALID',
          params: { setting: expect.stringContaining('one of claude, gpt, default') },
        }),
      );
    },
  );
});

describe('the tools that a model sees', () => {
  const spec: ToolSpec = {
    name: 'cerca',
    description: 'testo, nome',
    inputSchema: {
      type: 'object',
      properties: { testo: { type: 'string' }, nome: { type: 'string' }, percorso: {}, regex: { type: 'boolean' } },
      additionalProperties: false,
    },
  };

  test('have a name for each use, with the parameters of that use, required ones first', () => {
    const [grep, glob, ...more] = dialect('claude').specsOf(spec);
    expect(more).toEqual([]);
    expect([grep?.name, Object.keys(grep?.inputSchema.properties as object), grep?.inputSchema.required]).toEqual([
      'Grep',
      ['pattern', 'path', 'glob'],
      ['pattern'],
    ]);
    expect([glob?.name, Object.keys(glob?.inputSchema.properties as object), glob?.inputSchema.required]).toEqual([
      'Glob',
      ['pattern', 'path'],
      ['pattern'],
    ]);
  });

  test.each([
    ['gpt', ['scrivi', 'file_edit', 'apply_patch'], ['write_file', 'apply_patch']],
    ['gpt', ['scrivi', 'file_edit'], ['write_file', 'edit_file']],
    ['claude', ['scrivi', 'file_edit', 'apply_patch'], ['Write', 'Edit']],
    ['default', ['apply_patch'], ['apply_patch']],
  ] as const)('have one way to edit: %s of %j', (name, tools, shown) => {
    const specs = tools.map((one) => ({ name: one, description: '', inputSchema: {} }));
    const made = requestTools({ tools: [], specs }, { isStep: false, dialect: dialect(name) });
    expect(made.specs.map((one) => one.name)).toEqual(shown);
  });

  test('are the same objects in each request', () => {
    expect(dialect('gpt').specsOf(spec)).toBe(dialect('gpt').specsOf(spec));
    expect(dialect('gpt').specsOf(spec)).not.toBe(dialect('default').specsOf(spec));
  });

  test('without a row keep their name and schema', () => {
    const other = { name: 'mcp__files__read', description: 'x', inputSchema: { type: 'object' } };
    expect(dialect('claude').specsOf(other)[0]).toBe(other);
  });
});

const resume = async (setup: TestSessions, id: string): Promise<void> => {
  await setup.sessions.turns.resume(id, { message: 'and now?' });
  await setup.sessions.turns.settled(id);
};
const started = async (setup: TestSessions, model: string): Promise<string> => {
  const id = await setup.start({ model });
  await setup.sessions.turns.settled(id);
  return id;
};
const callsOf = (events: readonly SessionEvent[]): unknown[] =>
  events.flatMap((event) => {
    if (event.type === 'ToolCallStart') return [event.toolCallName];
    return event.type === 'ToolCallArgs' ? [event.delta] : [];
  });

describe('a turn', () => {
  test.each([
    ['anthropic:claude-opus-4-5', 'Read', { file_path: 'a.ts' }, ['Bash', 'Edit']],
    ['openai:gpt-5', 'read_file', { path: 'a.ts' }, ['shell', 'apply_patch']],
    ['test:model', 'read', { path: 'a.ts' }, ['bash', 'edit']],
  ])(
    'of %s has its names in the request, in history and prompt, and those of the wire in the journal',
    async (model, name, input, [shell, editor]) => {
      await using setup = await testSessions([{ events: call('c1', name, input) }]);
      const id = await started(setup, model);
      const [first, second] = setup.model.requests;
      expect(names(first)).toEqual(expect.arrayContaining([name, shell]));
      expect(names(first)).not.toContain('leggi');
      expect(first?.system.join('\n')).toContain(editor);
      expect(JSON.stringify(first?.system)).not.toMatch(/\b(scrivi|leggi|elenca|delega_sottotask|prova)\b|\{\w+\}/);
      expect(sent(second)).toContain(`"name":"${name}","arguments":${JSON.stringify(JSON.stringify(input))}`);
      expect(sent(second)).toContain(`"toolName":"${name}"`);
      expect(callsOf(await setup.events(id))).toEqual(['leggi', '{"percorso":"a.ts"}']);
      const result = (await setup.events(id)).find(({ type }) => type === 'ToolCallResult');
      expect(result).toMatchObject({ content: 'content of a.ts' });
    },
  );

  test('says in the result what was understood, and sends the call back as it should have been', async () => {
    await using setup = await testSessions([
      {
        events: [
          { type: 'tool-start', id: 'c1', name: 'functions.Read' },
          { type: 'tool-arguments', id: 'c1', delta: "{'file_path': 'a.ts'," },
          { type: 'tool-arguments', id: 'c1', delta: '}' },
          { type: 'tool-end', id: 'c1' },
        ],
      },
    ]);
    const id = await started(setup, 'test:model');
    const events = await setup.events(id);
    const result = events.find(({ type }) => type === 'ToolCallResult');
    expect(result).toMatchObject({
      content: expect.stringMatching(/^content of a\.ts\n\[Repaired in this call: [^\n]+\.\]$/),
    });
    const { content } = result as { content: string };
    for (const said of ['"functions.Read" was read as read', 'file_path was read as path']) {
      expect(content).toContain(said);
    }
    expect(callsOf(events).join('')).toBe('leggi{"percorso": "a.ts"}');
    expect(sent(setup.model.requests[1])).toContain('"name":"read","arguments":"{\\"path\\": \\"a.ts\\"');
  });

  test('of a stored conversation with the names of the wire has no remark', async () => {
    await using setup = await testSessions([{ events: call('c1', 'leggi', { percorso: 'a.ts' }) }]);
    const id = await started(setup, 'anthropic:claude-opus-4-5');
    const result = (await setup.events(id)).find(({ type }) => type === 'ToolCallResult');
    expect(result).toMatchObject({ content: 'content of a.ts' });
    expect(sent(setup.model.requests[1])).toContain('"name":"Read","arguments":"{\\"file_path\\":\\"a.ts\\"}"');
  });

  test('after a switch of the model has the whole history in the words of the new one, and back again', async () => {
    await using setup = await testSessions([
      { events: call('c1', 'Read', { file_path: 'a.ts' }) },
      { events: say('read') },
      { events: call('c2', 'read_file', { path: 'b.ts' }) },
      { events: say('read too') },
    ]);
    const id = await started(setup, 'anthropic:claude-opus-4-5');
    await setup.sessions.changeSettings(id, { model: 'openai:gpt-5' });
    await resume(setup, id);
    const switched = setup.model.requests[2];
    expect(names(switched)).toContain('read_file');
    expect(sent(switched)).toContain('"name":"read_file","arguments":"{\\"path\\":\\"a.ts\\"}"');
    expect(sent(switched)).not.toMatch(/"Read"|file_path/);
    await setup.sessions.changeSettings(id, { model: 'anthropic:claude-opus-4-5' });
    await resume(setup, id);
    const back = sent(setup.model.requests[4]);
    expect(back.startsWith(sent(setup.model.requests[1]).slice(0, -1))).toBe(true);
    expect(back).toContain('"name":"Read","arguments":"{\\"file_path\\":\\"b.ts\\"}"');
    expect(callsOf(await setup.events(id))).toEqual(['leggi', '{"percorso":"a.ts"}', 'leggi', '{"percorso":"b.ts"}']);
  });

  test('keeps the bytes of its requests in each dialect, also for a model process that starts anew', async () => {
    for (const model of ['anthropic:claude-opus-4-5', 'openai:gpt-5', 'test:model']) {
      const reads = ['Read', 'leggi', 'functions.read'].map((name, at) => ({
        events: [...say('next'), ...call(`c${at}`, name, { file_path: `${at}.ts`, offset: '1' })],
      }));
      await using setup = await testSessions(reads);
      const id = await started(setup, model);
      const { requests } = setup.model;
      for (const [at, request] of requests.entries()) {
        expect(sent(request).startsWith(sent(requests[at - 1] ?? request).slice(0, -1))).toBe(true);
      }
      await using again = await setup.reopen();
      await resume(again, id);
      expect(sent(again.model.requests[0]).startsWith(sent(requests.at(-1)).slice(0, -1))).toBe(true);
    }
  });

  test('uses the dialect that the user chose', async () => {
    await using setup = await testSessions([], { dialects: readDialectChoice('test:model=claude') });
    await started(setup, 'test:model');
    expect(names(setup.model.requests[0])).toContain('Read');
  });

  test('whose answer breaks off keeps what came of its call, and does not run it', async () => {
    await using setup = await testSessions([
      {
        events: [
          { type: 'tool-start', id: 'c1', name: 'write' },
          { type: 'tool-arguments', id: 'c1', delta: '{"path":"a.ts","content":"ha' },
          broken(),
        ],
      },
    ]);
    const id = await started(setup, 'test:model');
    expect(setup.written).toEqual([]);
    expect(callsOf(await setup.events(id))).toEqual(['scrivi', '{"percorso":"a.ts","contenuto":"ha']);
  });

  test('cut at the output limit does not run a call that lacks its last bracket', async () => {
    await using setup = await testSessions([
      {
        events: [
          { type: 'tool-start', id: 'c1', name: 'write' },
          { type: 'tool-arguments', id: 'c1', delta: '{"path":"a.ts","content":"half"' },
          { type: 'tool-end', id: 'c1' },
          { type: 'finish', reason: 'length' },
        ],
      },
    ]);
    await started(setup, 'test:model');
    expect(setup.written).toEqual([]);
  });
});
