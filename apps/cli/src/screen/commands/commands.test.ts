import { describe, expect, test } from '@jest/globals';
import { ranked, scoreOf } from '../input/completion/fuzzy.ts';
import { wordsOf } from './captured.ts';
import { shownKey } from './help.ts';
import { COMMANDS, nearestName } from './table.ts';

test.each([
  ['list', ['list']],
  ['add "a title" \'its "text"\'', ['add', 'a title', 'its "text"']],
  ['a\\ b "c \\" d" e"f g"h', ['a b', 'c " d', 'ef gh']],
  ['"never closed', ['never closed']],
  ['  ', []],
  ['add "" x', ['add', '', 'x']],
])('%j is cut into words as a shell does', (line, words) => expect(wordsOf(line)).toEqual(words));

test.each([
  ['modle', 'model'],
  ['exti', 'exit'],
  ['perm', 'permissions'],
  ['quit', 'exit'],
  ['xylophone', undefined],
])('%s was perhaps %s', (typed, meant) => {
  const names = COMMANDS.map(({ name }) => name);
  expect(nearestName(typed, names)).toBe(meant);
});

describe('what answers better comes first', () => {
  const order = (query: string, rows: string[]): string[] => ranked(query, rows, (row) => row);

  test('beginnings before words before letters', () => {
    const rows = ['unparsed.md', 'src/sparse.ts', 'src/parser.ts', 'parser.ts', 'p/a/r/s.ts', 'none.ts'];
    expect(order('pars', rows)).toEqual(['parser.ts', 'src/parser.ts', 'unparsed.md', 'src/sparse.ts', 'p/a/r/s.ts']);
  });

  test('nothing typed leaves the order, and letters count in theirs', () => {
    expect(order('', ['b', 'a'])).toEqual(['b', 'a']);
    expect(scoreOf('ba', 'ab')).toBeUndefined();
    expect(order('mod', ['/mcp', '/model', '/memory/old'])).toEqual(['/model', '/memory/old']);
  });
});

test('keys are shown as keyboards have them', () => {
  expect(['ctrl+shift+z', 'alt+/', 'pageup', 'ctrl++', '?', 'escape'].map(shownKey)).toEqual([
    'Ctrl+Shift+Z',
    'Alt+/',
    'PgUp',
    'Ctrl++',
    '?',
    'Esc',
  ]);
});
