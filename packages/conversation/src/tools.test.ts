import { expect, test } from '@jest/globals';
import { LABELS_EN } from './labels/en.ts';
import { LABELS_IT } from './labels/it.ts';
import { callSubject, neverAsks, toolFacts } from './tools.ts';

test.each([
  ['library_search', 'library.look', 'library'],
  ['library_file_origin', 'library.look', 'library'],
  ['library_context_policy_update', 'library.change', 'library'],
  ['library_delete', 'library.delete', 'library'],
  ['tasks_complete', 'tasks.change', 'tasks'],
  ['research_start', 'research_start', 'research'],
  ['research_pause', 'research.change', 'research'],
  ['code_change', 'file_edit', 'edit'],
  ['browser_open', 'naviga', 'page'],
  ['browser_click', 'other', 'browser'],
  ['mcp__files__read', 'other', 'server'],
  ['toString', 'other', 'other'],
  ['notes', 'other', 'other'],
])('%s has the words of %s and is of the kind %s', (name, words, kind) => {
  expect(toolFacts(name)).toMatchObject({ words, kind });
});

test('only commands can be stopped', () => {
  expect(['shell', 'prova', 'scrivi', 'shell2'].map((name) => toolFacts(name).isCommand)).toEqual([
    true,
    true,
    undefined,
    undefined,
  ]);
});

test('every tool has all its words in both languages', () => {
  const names = Object.keys(LABELS_EN).flatMap((key) => /^tool\.(.+)\.now$/.exec(key)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(40);
  const keys = names.flatMap((name) => {
    const base = `tool.${name}`;
    return [base, `${base}.done`, ...(name.endsWith('.look') ? [] : [`${base}.ask`])];
  });
  expect(keys.filter((key) => !(key in LABELS_EN && key in LABELS_IT))).toEqual([]);
});

test('reading records never asks, changing them may', () => {
  expect([neverAsks('notes.look'), neverAsks('notes.change'), neverAsks('other')]).toEqual([true, false, false]);
});

test('the subject of a call is its best argument; of an unknown tool, the first usual one', () => {
  expect(callSubject('cerca', { name: '*.ts', text: 'sum' })).toBe('sum');
  expect(callSubject('notes_update', { id: '1', title: 'Heat' })).toBe('Heat');
  expect(callSubject('library_delete', { id: '1' })).toBe('');
  const input =
    '*** Begin Patch\n*** Update File: src/a.ts\n*** Add File: b.ts\n+x\n*** Delete File: c.ts\n*** End Patch';
  expect(callSubject('apply_patch', { input })).toBe('src/a.ts, b.ts, c.ts');
  expect(callSubject('other', { input })).toBe('');
  expect(callSubject('mcp__a__b', { id: '1', query: 'x' })).toBe('x');
  expect(callSubject('shell', { command: '' })).toBe('');
});
