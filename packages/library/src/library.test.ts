import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Ambient, type AppError, openDatabase, systemAmbient, type Tool, type ToolContext } from '@fucina/shared';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { needsWithoutResearch } from '../test/needs-without-research.ts';
import { createLibrary, type Library } from './library.ts';

let dir: TempDir;
let ambient: FakeAmbient;
let library: Library;
const openLibrary = (own: Ambient, isInitialised = false): Library =>
  createLibrary({
    ...needsWithoutResearch,
    ambient: own,
    dataDir: dir.path,
    isInitialised,
    readText: async () => undefined,
  });
beforeEach(async () => {
  dir = await tempDir();
  ambient = fakeAmbient();
  library = openLibrary(ambient);
});
afterEach(async () => {
  await library[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

const later = (): Promise<void> => ambient.advance(1_000);
const titles = (records: readonly { title: string }[]): string[] => records.map(({ title }) => title);
async function refusal(act: () => unknown): Promise<Pick<AppError, 'code' | 'reason' | 'params'>> {
  try {
    await act();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it was taken');
}

describe('a note', () => {
  test('is trimmed, records author and times, and reads back unchanged', async () => {
    const note = await library.notes.create({ title: '  Forge ', content: ' Iron \n' }, 'person');
    expect(note).toEqual({
      id: note.id,
      title: 'Forge',
      content: 'Iron',
      format: 'text',
      origin: 'person',
      createdAt: ambient.now(),
      updatedAt: ambient.now(),
    });
    expect(library.notes.read(note.id)).toEqual(note);
  });

  test('changes only the given fields and moves to the top of the list', async () => {
    const first = await library.notes.create({ title: 'One', content: 'a' }, 'person');
    await later();
    await library.notes.create({ title: 'Two', content: 'b' }, 'model');
    await later();
    const changed = await library.notes.change(first.id, { content: 'c' });
    expect(changed).toEqual({ ...first, content: 'c', updatedAt: ambient.now() });
    expect(titles(library.notes.list())).toEqual(['One', 'Two']);
  });

  test('is Markdown if it looks like it, unless a format is set', async () => {
    const { id, format } = await library.notes.create({ title: 'T', content: '# Head\n\ntext' }, 'person');
    expect(format).toBe('markdown');
    expect((await library.notes.change(id, { content: 'only words' })).format).toBe('text');
    expect((await library.notes.change(id, { format: 'markdown' })).format).toBe('markdown');
    expect((await library.notes.change(id, { content: 'other words' })).format).toBe('markdown');
    expect((await library.notes.change(id, { format: null })).format).toBe('text');
  });

  test.each([
    ['an empty title', { title: '  ', content: 'a' }, 'title'],
    ['a title over 120', { title: 'x'.repeat(121), content: 'a' }, 'title'],
    ['no content', { title: 'a', content: '' }, 'content'],
    ['content over 8,000', { title: 'a', content: 'x'.repeat(8_001) }, 'content'],
    ['an unknown format', { title: 'a', content: 'b', format: 'html' }, 'format'],
  ])('with %s is refused and not stored', async (_name, note, field) => {
    expect(await refusal(() => library.notes.create(note as never, 'person'))).toMatchObject({
      code: 'NOTE_INVALID',
      params: { field },
    });
    expect(library.notes.list()).toEqual([]);
  });

  test('is not changed by an invalid or empty patch', async () => {
    const note = await library.notes.create({ title: 'One', content: 'a' }, 'person');
    expect((await refusal(() => library.notes.change(note.id, {}))).code).toBe('NOTE_INVALID');
    expect((await refusal(() => library.notes.change(note.id, { title: undefined }))).code).toBe('NOTE_INVALID');
    expect((await refusal(() => library.notes.change(note.id, { title: 'ok', content: ' ' }))).code).toBe(
      'NOTE_INVALID',
    );
    expect(library.notes.read(note.id)).toEqual(note);
  });

  test('has its own error code when it is missing', async () => {
    const { id } = await library.notes.create({ title: 'One', content: 'a' }, 'person');
    await library.notes.remove(id);
    for (const act of [
      () => library.notes.read(id),
      () => library.notes.change(id, { title: 'x' }),
      () => library.notes.remove(id),
    ])
      expect((await refusal(act)).code).toBe('NOTE_NOT_FOUND');
  });

  test('written in the same millisecond is ordered by id', async () => {
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c']) ids.push((await library.notes.create({ title, content: 'x' }, 'person')).id);
    expect(library.notes.list().map(({ id }) => id)).toEqual(ids.sort());
  });
});

describe('note search', () => {
  test.each([
    ['part of a word', 'urnac'],
    ['another case', 'FURNACE'],
    ['without the accents', 'perche'],
    ['with other accents', 'pérchë'],
    ['two letters', 'rn'],
    ['one accented letter', 'É'],
    ['signs of a query language', '"AND" (*'],
    ['a composed letter written in two', 'perche\u0301'],
  ])('matches by %s in title and content', async (_name, text) => {
    await library.notes.create({ title: 'Furnace', content: 'Perché brucia "AND" (*' }, 'person');
    await library.notes.create({ title: 'Zzz', content: 'zzz' }, 'person');
    expect(titles(library.notes.list({ text }))).toEqual(['Furnace']);
  });

  test('reflects changes and deletions, newest first', async () => {
    const { id } = await library.notes.create({ title: 'Anvil one', content: 'x' }, 'person');
    const two = await library.notes.create({ title: 'Anvil two', content: 'x' }, 'person');
    await library.notes.change(id, { content: 'hammer' });
    expect(titles(library.notes.list({ text: 'anvil' }))).toEqual(['Anvil one', 'Anvil two']);
    expect(titles(library.notes.list({ text: 'anvil', limit: 1 }))).toEqual(['Anvil one']);
    expect(titles(library.notes.list({ text: 'hammer' }))).toEqual(['Anvil one']);
    await library.notes.remove(two.id);
    expect(titles(library.notes.list({ text: 'anvil' }))).toEqual(['Anvil one']);
  });

  test('rejects a blank query, and finds nothing for unknown words', async () => {
    await library.notes.create({ title: 'One', content: 'x' }, 'person');
    expect(library.notes.list({ text: ' \0 ' })).toHaveLength(1);
    expect(library.notes.list({ text: 'absent' })).toEqual([]);
    expect(library.notes.list({ text: '%' })).toEqual([]);
  });
});

describe('a task', () => {
  test('starts as to-do with normal priority and no description', async () => {
    const task = await library.tasks.create({ title: 'Oil', description: '  ' }, 'person');
    expect(task).toMatchObject({ status: 'todo', priority: 'normal', description: null });
  });

  test('keeps its state when edited and its fields when the state is set', async () => {
    const task = await library.tasks.create({ title: 'Oil', description: 'the hinge', priority: 'high' }, 'person');
    const doing = await library.tasks.setStatus(task.id, 'doing');
    expect(doing).toEqual({ ...task, status: 'doing' });
    expect(await library.tasks.change(task.id, { priority: 'low', description: null })).toEqual({
      ...doing,
      priority: 'low',
      description: null,
    });
  });

  test('is listed by state, and open means not done', async () => {
    for (const title of ['a', 'b', 'c']) await library.tasks.create({ title }, 'person');
    const [first, second] = library.tasks.list();
    await library.tasks.setStatus(first?.id ?? '', 'done');
    await library.tasks.setStatus(second?.id ?? '', 'doing');
    expect(library.tasks.list({ status: 'open' })).toHaveLength(2);
    expect(library.tasks.list({ status: 'done' })).toHaveLength(1);
    expect(library.tasks.list({ status: 'todo' })).toHaveLength(1);
  });

  test.each([
    ['no title', { title: '' }],
    ['a title over 200', { title: 'x'.repeat(201) }],
    ['a description over 2,000', { title: 'a', description: 'x'.repeat(2_001) }],
    ['an unknown priority', { title: 'a', priority: 'urgent' }],
    ['a state of its own', { title: 'a', status: 'done' }],
  ])('with %s is refused', async (_name, task) => {
    expect((await refusal(() => library.tasks.create(task as never, 'person'))).code).toBe('TASK_INVALID');
    expect(library.tasks.list()).toEqual([]);
  });

  test('rejects an unknown state, an empty patch and an unknown id', async () => {
    const { id } = await library.tasks.create({ title: 'a' }, 'person');
    expect((await refusal(() => library.tasks.setStatus(id, 'gone' as never))).code).toBe('TASK_INVALID');
    expect((await refusal(() => library.tasks.change(id, {}))).code).toBe('TASK_INVALID');
    for (const act of [
      () => library.tasks.read('x'),
      () => library.tasks.setStatus('x', 'done'),
      () => library.tasks.change('x', { title: 'y' }),
      () => library.tasks.remove('x'),
    ])
      expect((await refusal(act)).code).toBe('TASK_NOT_FOUND');
  });
});

describe('a memory', () => {
  test('with an existing title in any case returns the existing one', async () => {
    const { memory } = await library.memories.create({ title: 'Tabs or Spaces', content: 'spaces' }, 'person');
    await later();
    const again = await library.memories.create({ title: ' tabs or SPACES ', content: 'tabs' }, 'model');
    expect(again).toEqual({ memory, isDuplicate: true });
    expect(library.memories.list()).toEqual([memory]);
    await library.memories.change(memory.id, { title: 'Indentation' });
    expect((await library.memories.create({ title: 'tabs or spaces', content: 'x' }, 'person')).isDuplicate).toBe(
      false,
    );
  });

  test('created twice at once by two processes is stored once', async () => {
    await using other = openLibrary(systemAmbient('silent'));
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? library : other).memories.create({ title: 'Same', content: `${index}` }, 'model'),
      ),
    );
    expect(made.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
    expect(other.memories.list()).toHaveLength(1);
  });

  test.each([
    ['a title over 80', { title: 'x'.repeat(81), content: 'a' }],
    ['content over 600', { title: 'a', content: 'x'.repeat(601) }],
    ['an unknown kind', { title: 'a', content: 'b', kind: 'secret' }],
  ])('with %s is refused', async (_name, memory) => {
    expect((await refusal(() => library.memories.create(memory as never, 'person'))).code).toBe('MEMORY_INVALID');
  });

  test('is a preference by default and changes only the given fields', async () => {
    const { memory } = await library.memories.create({ title: 'a', content: 'b' }, 'person');
    expect(memory.kind).toBe('preference');
    expect(await library.memories.change(memory.id, { kind: 'procedure' })).toEqual({ ...memory, kind: 'procedure' });
    expect((await refusal(() => library.memories.change(memory.id, {}))).code).toBe('MEMORY_INVALID');
    expect((await refusal(() => library.memories.remove('x'))).code).toBe('MEMORY_NOT_FOUND');
  });
});

describe('the library store', () => {
  test('is created at its first use and kept after closing', async () => {
    expect(existsSync(join(dir.path, 'library.db'))).toBe(false);
    const note = await library.notes.create({ title: 'One', content: 'a' }, 'person');
    await library[Symbol.asyncDispose]();
    library = openLibrary(ambient, true);
    expect(library.notes.list()).toEqual([note]);
  });

  test('waits for another writing process', async () => {
    await library.notes.create({ title: 'One', content: 'a' }, 'person');
    await using patient = openLibrary(systemAmbient('silent'));
    const other = openDatabase(join(dir.path, 'library.db'), { migrations: ['', '', ''] });
    other.exec('BEGIN IMMEDIATE');
    const writing = patient.notes.create({ title: 'Two', content: 'b' }, 'person');
    setImmediate(() => other.exec('ROLLBACK'));
    expect((await writing).title).toBe('Two');
    other.close();
  });
});

describe('agent tools', () => {
  const call = async (name: string, input: unknown) => {
    const tool = library.tools.find((one) => one.name === name) as Tool;
    return tool.run(tool.input.parse(input), {} as ToolContext);
  };

  test('write into the user’s store as the agent and add a receipt', async () => {
    const { content } = await call('notes_create', { title: 'Found', content: 'a leak' });
    const [note] = library.notes.list();
    expect(note).toMatchObject({ title: 'Found', origin: 'model' });
    expect(content).toBe(`Note created: "Found" (id ${note?.id})`);
    expect((await call('notes_list', {})).content).toContain('Found');
    expect((await call('notes_update', { id: note?.id, title: 'Lost' })).content).toContain('Note changed: "Lost"');
    expect((await call('notes_delete', { id: note?.id })).content).toContain('Note deleted: "Lost"');
  });

  test('return errors as text', async () => {
    expect(await call('notes_delete', { id: 'x' })).toMatchObject({
      isError: true,
      content: expect.stringContaining('NOTE_NOT_FOUND'),
    });
    const { id } = await library.notes.create({ title: 'a', content: 'b' }, 'person');
    expect(await call('notes_update', { id })).toMatchObject({
      isError: true,
      content: expect.stringContaining('at least one field'),
    });
  });

  test('list open and done tasks separately and complete one', async () => {
    await call('tasks_create', { title: 'Oil', priority: 'high' });
    const [task] = library.tasks.list();
    expect((await call('tasks_list', { status: 'done' })).content).toBe('There are no such tasks.');
    await call('tasks_update', { id: task?.id, description: 'the hinge' });
    expect((await call('tasks_complete', { id: task?.id })).content).toContain('Task now done');
    expect((await call('tasks_list', { status: 'done' })).content).toContain('Oil [done, high]');
    await call('tasks_update', { id: task?.id, description: '' });
    expect(library.tasks.list()[0]?.description).toBeNull();
    expect((await call('tasks_delete', { id: task?.id })).isError).toBeUndefined();
  });

  test('search memories, return five by default and report when there are more', async () => {
    for (let count = 0; count < 7; count += 1) await call('memory_write', { title: `Rule ${count}`, content: 'lint' });
    const found = (await call('memory_search', { query: 'LINT' })).content;
    expect(found.match(/^- /gm)).toHaveLength(5);
    expect(found).toContain('There are more than these 5');
    expect((await call('memory_write', { title: 'rule 3', content: 'x' })).content).toContain('Already kept');
    const [first] = library.memories.list({ text: 'Rule 3' });
    expect((await call('memory_update', { id: first?.id, kind: 'policy_note' })).content).toContain('Memory changed');
    expect((await call('memory_delete', { id: first?.id })).content).toContain('Memory deleted');
  });
});

test('slash commands list each entry on one line as plain text', async () => {
  const run = (name: string, argument = '') =>
    library.commands
      .find((command) => command.name === name)
      ?.run(argument, { sessionId: null, language: 'it', signal: new AbortController().signal });
  expect(await run('notes')).toBe('Nessuna nota.');
  await library.notes.create({ title: 'A *star*', content: 'two\nlines' }, 'person');
  expect(await run('notes')).toBe('- **A \\*star\\*** two lines');
  await library.tasks.setStatus((await library.tasks.create({ title: 'Done' }, 'person')).id, 'done');
  await library.tasks.create({ title: 'Oil' }, 'person');
  expect(await run('tasks')).toBe('- **Oil** todo, normal');
  await library.memories.create({ title: 'Spaces', content: 'two' }, 'person');
  expect(await run('memory', 'absent')).toBe('Nessuna memoria.');
  expect(await run('memory', 'spaces')).toBe('- **Spaces** (preference) two');
});
