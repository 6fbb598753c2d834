import type { ThemeMode, ThemeName } from './theme-names.ts';

export { DEFAULT_THEME, THEME_NAMES, type ThemeMode, type ThemeName } from './theme-names.ts';

/** Colors of one mode, each `#rrggbb`. */
export interface ThemeTokens {
  /** Backgrounds of the page, side panels and overlays; and the border color. */
  background: string;
  surface: string;
  raised: string;
  line: string;
  text: string;
  muted: string;
  /** For active elements and requests; `accentText` is the text on it. */
  accent: string;
  accentText: string;
  success: string;
  warning: string;
  danger: string;
  info: string;
  codeBackground: string;
  codeText: string;
  codeComment: string;
  codeKeyword: string;
  codeString: string;
  codeNumber: string;
  codeFunction: string;
  codeType: string;
}

export type Theme = Record<ThemeMode, ThemeTokens>;

const BASE = ['background', 'surface', 'raised', 'line', 'text', 'muted', 'accent', 'accentText'] as const;
const SIGNALS = ['success', 'warning', 'danger', 'info'] as const;
const CODE = [
  'codeBackground',
  'codeText',
  'codeComment',
  'codeKeyword',
  'codeString',
  'codeNumber',
  'codeFunction',
  'codeType',
] as const;

/** The names of the tokens, in the order of the columns below. */
export const THEME_TOKENS = [...BASE, ...SIGNALS, ...CODE] as const satisfies readonly (keyof ThemeTokens)[];

function tokens(base: string, signals: string, code: string): ThemeTokens {
  const colours = `${base} ${signals} ${code}`.split(' ');
  return Object.fromEntries(THEME_TOKENS.map((name, column) => [name, colours[column]])) as unknown as ThemeTokens;
}

/**
 * The themes of the window and of the command-line tool. All foreground/background pairs have a contrast of 4.5:1 or
 * more.
 */
export const THEMES = {
  calm: {
    light: tokens(
      '#f7fbfe #eff5fa #e4ebf1 #ced5db #1b1f21 #5d646a #126e8a #ffffff',
      '#117637 #8b5d02 #b73b3a #146aa5',
      '#eef4f8 #1b1f21 #676f76 #495da7 #21763c #984b16 #046f87 #02736e',
    ),
    dark: tokens(
      '#161a1d #1b2023 #23282c #30363b #e4e8ec #98a0a6 #67b7d6 #0a0e10',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#101417 #e4e8ec #80898f #a1b8fb #8bcd99 #efa880 #69cae7 #63cfc9',
    ),
  },
  forge: {
    light: tokens(
      '#fdf9f6 #f8f3f0 #eee9e5 #d9d3cf #201e1c #68625e #ac4501 #ffffff',
      '#117637 #8b5d02 #b73b3a #146aa5',
      '#f6f2ee #201e1c #726c67 #9b4630 #4c701a #865900 #0f68a2 #02736e',
    ),
    dark: tokens(
      '#171412 #1d1a17 #25221f #342f2c #eae7e5 #a39d99 #f98751 #0f0d0b',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#120f0d #eae7e5 #8b8580 #f3a38f #a5c883 #e0b16f #82c2f7 #63cfc9',
    ),
  },
  terminal: {
    light: tokens(
      '#f4faf5 #edf5ee #e3ebe4 #ccd5ce #1c1f1c #5c655d #037434 #ffffff',
      '#117637 #8b5d02 #b53a39 #146aa5',
      '#ecf3ed #1c1f1c #656f66 #21763c #716400 #02736e #4c701a #04755b',
    ),
    dark: tokens(
      '#0b100c #101511 #171d18 #242b25 #e4e9e5 #98a199 #51c672 #0a0f0b',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#060a07 #e4e9e5 #7f8980 #8bcd99 #c9bc6f #63cfc9 #a5c883 #73d0b1',
    ),
  },
  aurora: {
    light: tokens(
      '#effbfe #e0f7fd #d4eef5 #bdd8df #142023 #4b686f #047261 #ffffff',
      '#117637 #8b5d02 #b53a39 #146aa5',
      '#e0f6fb #142023 #51727a #6e519d #047554 #925003 #00736a #046f87',
    ),
    dark: tokens(
      '#09191c #0d1f23 #12272c #1e363b #dbebef #86a4ac #4dc1ab #031013',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#041317 #dbebef #6b8d95 #c4acf2 #79cfab #eaab78 #66d0c3 #69cae7',
    ),
  },
  ember: {
    light: tokens(
      '#fef7f5 #ffeeeb #f6e4e0 #e1ceca #241c1a #715e5b #b73520 #ffffff',
      '#0e7436 #8a5c00 #b53a39 #146aa5',
      '#fdedea #241c1a #7d6763 #9c4246 #676803 #8e5300 #984b16 #94436d',
    ),
    dark: tokens(
      '#19100e #201513 #291c1a #382a27 #f0e5e3 #ae9995 #fe8169 #140b09',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#140a09 #f0e5e3 #97807c #f4a1a0 #bec073 #e7ad74 #efa880 #eca0c4',
    ),
  },
  atlas: {
    light: tokens(
      '#fcf6eb #f6f0e3 #ede6d8 #d8d0c1 #211e17 #696152 #1f65ab #ffffff',
      '#0e7436 #885b03 #b43937 #1269a4',
      '#f5efe3 #211e17 #736b59 #2e64a6 #3a732c #984b16 #5759a6 #057176',
    ),
    dark: tokens(
      '#1f1b13 #262118 #2e291e #3d372b #eeeae1 #a69e8d #6baffa #100d06',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#1a150d #eeeae1 #928976 #8fbefa #98cb8d #efa880 #aeb4fa #61ced4',
    ),
  },
  noir: {
    light: tokens(
      '#fffdfd #f9f7f7 #e9e7e8 #d9d7d7 #1f1e1e #656263 #ab376e #ffffff',
      '#0e7436 #8a5c00 #b53a39 #1269a4',
      '#f7f5f6 #1f1e1e #716e6f #964267 #3a732c #8a5601 #3862a7 #057176',
    ),
    dark: tokens(
      '#080707 #0d0c0c #141313 #222020 #e9e7e8 #a09d9e #f77cb0 #0e0d0d',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#040404 #e9e7e8 #888586 #eea0be #98cb8d #e4af72 #95bcfb #61ced4',
    ),
  },
  signal: {
    light: tokens(
      '#ffffff #f7f9fc #e5e8eb #d7d9dd #1d1e20 #606266 #015fce #ffffff',
      '#0e7436 #8a5c00 #b53a39 #1269a4',
      '#f6f8fb #1d1e20 #6e7175 #6e519d #21763c #994920 #3463a6 #067272',
    ),
    dark: tokens(
      '#0a0b0d #0f1113 #16181a #232528 #e6e8ea #9c9fa2 #74acfe #0c0d0f',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#060708 #e6e8ea #83868a #c4acf2 #8bcd99 #f1a685 #92bdfb #62cfce',
    ),
  },
  violet: {
    light: tokens(
      '#faf9fe #f5f2fe #ebe8f7 #d5d2e2 #1e1d24 #646171 #7251ba #ffffff',
      '#117637 #8b5d02 #b73b3a #146aa5',
      '#f3f1fe #1e1d24 #6f6b7d #6e519d #04764c #9a4729 #4160a7 #884783',
    ),
    dark: tokens(
      '#16151d #1c1a24 #24222d #322f3c #e8e6f0 #9f9cad #b296ff #0e0c13',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#110f17 #e8e6f0 #878396 #c4acf2 #7fcfa4 #f2a58a #9bbafb #dfa3d9',
    ),
  },
  telemetry: {
    light: tokens(
      '#f2fafe #e5f6fe #d4edfa #bdd7e5 #152025 #4c6774 #057079 #ffffff',
      '#117637 #8b5d02 #b53a39 #146aa5',
      '#e1f5ff #152025 #527180 #06717a #21763c #825b00 #006c97 #037465',
    ),
    dark: tokens(
      '#06141a #091921 #0e222b #1a303a #dcebf2 #87a3b2 #26c0cf #030f16',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#020e15 #dcebf2 #6c8c9b #61cdd9 #8bcd99 #dcb46e #77c5f2 #6ad0bd',
    ),
  },
  mono: {
    light: tokens(
      '#fcfcfc #f6f6f6 #ececec #d6d6d6 #1e1e1e #636363 #666666 #ffffff',
      '#157839 #8d5e00 #b83c3b #166ca6',
      '#f4f4f4 #1e1e1e #6e6e6e #0b0b0b #4d4d4d #3a3a3a #222222 #2e2e2e',
    ),
    dark: tokens(
      '#0f0f0f #151515 #1c1c1c #2a2a2a #e8e8e8 #9e9e9e #ababab #0d0d0d',
      '#6cc581 #dea143 #ff847d #68b5f5',
      '#0a0a0a #e8e8e8 #868686 #f8f8f8 #a4a4a4 #bebebe #e4e4e4 #d1d1d1',
    ),
  },
} as const satisfies Record<ThemeName, Theme>;
