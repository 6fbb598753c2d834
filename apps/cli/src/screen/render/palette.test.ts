import { THEME_NAMES, THEMES, type ThemeMode } from '@fucina/shared/themes';
import { describe, expect, test } from '@jest/globals';
import type { Token } from '../line.ts';
import { colourOf256, contrast, nearestOf256 } from './colours.ts';
import { createPalette, depthOf } from './palette.ts';

const MODES: ThemeMode[] = ['light', 'dark'];
const READ_ON_THE_PAGE: Token[] = ['text', 'muted', 'accent', 'success', 'warning', 'danger', 'info'];
const READ_AS_CODE: Token[] = [
  'codeText',
  'codeComment',
  'codeKeyword',
  'codeString',
  'codeNumber',
  'codeFunction',
  'codeType',
];
const EVERY = THEME_NAMES.flatMap((theme) => MODES.map((mode) => ({ theme, mode })));

describe('terminal color support', () => {
  test.each([
    [{}, '16'],
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, '16M'],
    [{ TERM: 'xterm', COLORTERM: '24bit' }, '16M'],
    [{ TERM: 'xterm-direct' }, '16M'],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'xterm-256color', NO_COLOR: '' }, '256'],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'bare'],
    [{ TERM: 'xterm', FORCE_COLOR: '3' }, '16M'],
    [{ TERM: 'xterm', FORCE_COLOR: '2' }, '256'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, 'none'],
    [{ NO_COLOR: '1', FORCE_COLOR: '3' }, 'none'],
  ] as const)('with %j is %s', (env, depth) => {
    expect(depthOf(env)).toBe(depth);
  });

  test('takes a light background from COLORFGBG or from the terminal’s answer', () => {
    expect(createPalette({ env: { COLORFGBG: '0;15' } }).isLight).toBe(true);
    expect(createPalette({ env: { COLORFGBG: '15;0' } }).isLight).toBe(false);
    expect(createPalette({ env: {}, isLight: true }).isLight).toBe(true);
  });
});

describe('a styled line', () => {
  const env = {};
  const line = [
    { text: 'a', token: 'accent' },
    { text: 'b', token: 'accent' },
    { text: 'c' },
    { text: 'd', isBold: true },
  ] as const;

  test('writes each style once and ends with a reset', () => {
    expect(createPalette({ env, depth: '16M' }).paint(line)).toBe('\x1b[38;2;249;135;81mab\x1b[0mc\x1b[1md\x1b[0m');
    expect(createPalette({ env, depth: '256' }).paint(line)).toBe('\x1b[38;5;209mab\x1b[0mc\x1b[1md\x1b[0m');
    expect(createPalette({ env, depth: '16' }).paint(line)).toBe('\x1b[33mab\x1b[0mc\x1b[1md\x1b[0m');
    expect(createPalette({ env, depth: 'none' }).paint(line)).toBe('abc\x1b[1md\x1b[0m');
    expect(createPalette({ env, depth: 'bare' }).paint(line)).toBe('abcd');
  });

  test('escapes control characters in a span', () => {
    expect(createPalette({ env, depth: 'bare' }).paint([{ text: 'a\x1b[2J\nb\tc\ud800' }])).toBe('a␛[2J b c\ufffd');
  });

  test('keeps the terminal’s text color on its own background only', () => {
    const { paint } = createPalette({ env, depth: '16M' });
    expect(paint([{ text: 'a', token: 'text' }])).toBe('a');
    expect(paint([{ text: 'a', background: 'raised' }])).toBe('\x1b[38;2;234;231;229;48;2;37;34;31ma\x1b[0m');
  });

  test('inverts marked text when backgrounds are not available', () => {
    const marked = [{ text: 'a', token: 'accentText', background: 'accent' }] as const;
    expect(createPalette({ env, depth: '16' }).paint(marked)).toBe('\x1b[33;7ma\x1b[0m');
    expect(createPalette({ env, depth: 'none' }).paint(marked)).toBe('\x1b[7ma\x1b[0m');
    expect(createPalette({ env, depth: '16' }).paint([{ text: 'a', background: 'raised' }])).toBe('a');
  });
});

describe('every theme', () => {
  test.each(EVERY)('$theme, $mode: is legible on its background with 256 colors', ({ theme, mode }) => {
    const tokens = THEMES[theme][mode];
    const shown = (token: Token, background: Token): number =>
      contrast(
        colourOf256(nearestOf256(tokens[token], tokens[background])),
        colourOf256(nearestOf256(tokens[background])),
      );
    const pairs = [
      ...READ_ON_THE_PAGE.map((token) => [token, 'background'] as const),
      ...READ_AS_CODE.map((token) => [token, 'codeBackground'] as const),
      ['accentText', 'accent'] as const,
    ];
    expect(pairs.filter(([token, background]) => shown(token, background) < 4)).toEqual([]);
  });

  test.each(EVERY)('$theme, $mode: avoids illegible colors with 16 colors', ({ theme, mode }) => {
    const { paint } = createPalette({ env: {}, theme, depth: '16', isLight: mode === 'light' });
    const painted = [...READ_ON_THE_PAGE, ...READ_AS_CODE].map((token) => paint([{ text: 'x', token }])).join('');
    expect(painted).not.toMatch(mode === 'light' ? /\[(33|36|37|9\d)m/ : /\[(30|34|9\d)m/);
  });
});

test('mono uses color for status only', () => {
  const { paint } = createPalette({ env: {}, theme: 'mono', depth: '256' });
  const greys = ['muted', 'accent', ...READ_AS_CODE] as Token[];
  const numbers = greys.flatMap(
    (token) => /38;5;(\d+)/.exec(paint([{ text: 'x', token, background: 'codeBackground' }]))?.[1] ?? [],
  );
  expect(numbers).toHaveLength(greys.length);
  for (const number of numbers) expect(new Set(colourOf256(Number(number)).match(/[0-9a-f]{2}/g)).size).toBe(1);
});
