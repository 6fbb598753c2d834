import { describe, expect, test } from '@jest/globals';
import { DEFAULT_THEME, THEME_NAMES, THEME_TOKENS, THEMES, type ThemeTokens } from './themes.ts';

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['background', 'surface', 'raised'] as const;
const ON_GROUNDS = ['text', 'muted', 'accent', 'success', 'warning', 'danger', 'info'] as const;
const ON_CODE = [
  'codeText',
  'codeComment',
  'codeKeyword',
  'codeString',
  'codeNumber',
  'codeFunction',
  'codeType',
] as const;

function weakPairs(colours: ThemeTokens): string[] {
  const pairs: [keyof ThemeTokens, keyof ThemeTokens][] = [
    ...ON_GROUNDS.flatMap((ink) => GROUNDS.map((fixture) => [ink, fixture] as [typeof ink, typeof fixture])),
    ...ON_CODE.map((ink) => [ink, 'codeBackground'] as [typeof ink, 'codeBackground']),
    ['accentText', 'accent'],
  ];
  return pairs
    .filter(([ink, fixture]) => contrast(colours[ink], colours[fixture]) < 4.5)
    .map(([ink, fixture]) => `${ink} on ${fixture}`);
}

describe('themes', () => {
  test('are the eleven shared by window and terminal', () => {
    expect(THEME_NAMES).toEqual([
      'calm',
      'forge',
      'terminal',
      'aurora',
      'ember',
      'atlas',
      'noir',
      'signal',
      'violet',
      'telemetry',
      'mono',
    ]);
    expect(DEFAULT_THEME).toBe('forge');
  });

  const modes = THEME_NAMES.flatMap((name) => (['light', 'dark'] as const).map((mode) => [name, mode] as const));

  test.each(modes)('%s %s defines every color', (name, mode) => {
    expect(Object.keys(THEMES[name][mode])).toEqual([...THEME_TOKENS]);
    for (const token of THEME_TOKENS) expect(THEMES[name][mode][token]).toMatch(/^#[0-9a-f]{6}$/);
  });

  test.each(modes)('%s %s has enough contrast for every color pair', (name, mode) => {
    expect(weakPairs(THEMES[name][mode])).toEqual([]);
  });
});
