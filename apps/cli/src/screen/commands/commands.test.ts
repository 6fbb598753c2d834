import { describe, expect, test } from '@jest/globals';
import { ranked, scoreOf } from '../input/completion/fuzzy.ts';
import { shownKey } from './help.ts';
import { shellWords } from './run-captured.ts';
import { COMMANDS, nearestName } from './table.ts';

test.each([
  ['list', ['list']],
  ['add "a title" \'its "text"\'', ['add', 'a title', 'its "text"']],
  ['a\\ b "c \\" d" e"f g"h', ['a b', 'c " d', 'ef gh']],
  ['"never closed', ['never closed']],
  ['  ', []],
  ['add "" x', ['add', '', 'x']],
])('%j is cut into words as a shell does', (line, words) => expect(shellWords(line)).toEqual(words));

test.each([
  ['modle', 'model'],
  ['exti', 'exit'],
  ['perm', 'permissions'],
  ['quit', 'exit'],
  ['xylophone', undefined],
])('suggests for the typo %s the command %s', (typed, meant) => {
  const names = COMMANDS.map(({ name }) => name);
  expect(nearestName(typed, names)).toBe(meant);
});

describe('ranking suggestions', () => {
  const order = (query: string, rows: string[]): string[] => ranked(query, rows, (row) => row);

  test('puts prefixes before words before scattered letters', () => {
    const rows = ['unparsed.md', 'src/sparse.ts', 'src/parser.ts', 'parser.ts', 'p/a/r/s.ts', 'none.ts'];
    expect(order('pars', rows)).toEqual(['parser.ts', 'src/parser.ts', 'unparsed.md', 'src/sparse.ts', 'p/a/r/s.ts']);
  });

  test('keeps the order for an empty query and requires the letters in order', () => {
    expect(order('', ['b', 'a'])).toEqual(['b', 'a']);
    expect(scoreOf('ba', 'ab')).toBeUndefined();
    expect(order('mod', ['/mcp', '/model', '/memory/old'])).toEqual(['/model', '/memory/old']);
  });
});

test('formats keys as they are printed on keyboards', () => {
  expect(['ctrl+shift+z', 'alt+/', 'pageup', 'ctrl++', '?', 'escape'].map(shownKey)).toEqual([
    'Ctrl+Shift+Z',
    'Alt+/',
    'PgUp',
    'Ctrl++',
    '?',
    'Esc',
  ]);
});
