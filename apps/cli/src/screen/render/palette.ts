import { DEFAULT_THEME, THEME_NAMES, THEMES, type ThemeName, type ThemeTokens } from '@fucina/shared/themes';
import { cleanText } from '../../clean-text.ts';
import type { Line, Span, Token } from '../line.ts';
import { channelsOf, nearestOf256 } from './colours.ts';
import { sixteenColours } from './sixteen.ts';

/** Terminal capabilities: no styles, only bold and underline, or a number of colors. */
export type Depth = 'bare' | 'none' | '16' | '256' | '16M';

type Env = Readonly<Record<string, string | undefined>>;

export interface PaletteOptions {
  env: Env;
  /** An unknown name means the default theme. */
  theme?: string | undefined;
  /** Default: according to the environment. */
  depth?: Depth;
  isLight?: boolean;
}

export interface Palette {
  readonly theme: ThemeName;
  readonly depth: Depth;
  readonly isLight: boolean;
  /** The line with escape codes: the only place that generates them. Resets the style at its end. */
  paint(line: Line): string;
}

export function createPalette({ env, theme, depth = depthOf(env), isLight = isLightBy(env) }: PaletteOptions): Palette {
  const name = THEME_NAMES.find((known) => known === theme) ?? DEFAULT_THEME;
  const look = depth === '16' ? lookOf16(name, isLight) : lookOf(THEMES[name][isLight ? 'light' : 'dark'], depth);
  const known = new Map<string, string>();
  const codesOf = (span: Span): string => {
    const key = keyOf(span);
    let codes = known.get(key);
    if (codes === undefined) known.set(key, (codes = [...fontOf(span, depth), ...look(span)].join(';')));
    return codes;
  };
  return {
    theme: name,
    depth,
    isLight,
    paint(line) {
      let painted = '';
      let current = '';
      for (const span of line) {
        const codes = codesOf(span);
        if (codes !== current) painted += `${current && RESET}${codes && `\x1b[${codes}m`}`;
        current = codes;
        painted += RAW.test(span.text) ? sealed(span.text) : span.text;
      }
      return current ? painted + RESET : painted;
    },
  };
}

const RESET = '\x1b[0m';

/** Spans are cleaned when they are created; this is a second check against control characters. */
const RAW = /\p{Cc}|\p{Cs}/u;

function sealed(text: string): string {
  return cleanText(text).replace(/[\n\t]/g, ' ');
}

/** By NO_COLOR, then FORCE_COLOR, then the terminal's own variables. */
export function depthOf(env: Env): Depth {
  if (env.TERM === 'dumb') return 'bare';
  if (env.NO_COLOR) return 'none';
  const forced = FORCED[env.FORCE_COLOR ?? 'unsaid'];
  if (forced) return forced;
  if (/^(truecolor|24bit)$/.test(env.COLORTERM ?? '') || env.TERM?.endsWith('-direct')) return '16M';
  return /256/.test(env.TERM ?? '') ? '256' : '16';
}

const FORCED: Readonly<Record<string, Depth>> = {
  '0': 'none',
  false: 'none',
  '1': '16',
  '2': '256',
  '3': '16M',
};

/** Some terminals set `foreground;background`; 7 and 15 are white. */
function isLightBy(env: Env): boolean {
  return /;(7|15)$/.test(env.COLORFGBG ?? '');
}

function keyOf({ token, background, isBold, isItalic, isUnderlined, isStruck }: Span): string {
  const font = (isBold ? 1 : 0) | (isItalic ? 2 : 0) | (isUnderlined ? 4 : 0) | (isStruck ? 8 : 0);
  return `${token ?? ''}/${background ?? ''}/${font}`;
}

function fontOf({ isBold, isItalic, isUnderlined, isStruck }: Span, depth: Depth): string[] {
  if (depth === 'bare') return [];
  return [
    ...(isBold ? ['1'] : []),
    ...(isItalic ? ['3'] : []),
    ...(isUnderlined ? ['4'] : []),
    ...(isStruck ? ['9'] : []),
  ];
}

type Look = (span: Span) => string[];

const REVERSE = '7';

/** Highlight backgrounds. A terminal that cannot show them inverts the line. */
const SIGNAL_GROUNDS: ReadonlySet<Token | undefined> = new Set([
  'accent',
  'success',
  'warning',
  'danger',
  'info',
  'text',
  'muted',
]);

function lookOf16(theme: ThemeName, isLight: boolean): Look {
  const sixteen = sixteenColours(theme, isLight);
  return ({ token, background }) => {
    const isMarked = SIGNAL_GROUNDS.has(background);
    const colour = sixteen[(isMarked ? background : token) ?? 'text'];
    return [...(colour ? [colour] : []), ...(isMarked ? [REVERSE] : [])];
  };
}

function lookOf(tokens: ThemeTokens, depth: Depth): Look {
  if (depth === 'bare') return () => [];
  if (depth === 'none') return ({ background }) => (SIGNAL_GROUNDS.has(background) ? [REVERSE] : []);
  return ({ token, background }) => {
    // The terminal's default text color is readable on its background, even if our guess of the background is wrong.
    const letters = background ? (token ?? 'text') : token === 'text' || token === 'codeText' ? undefined : token;
    const on = background ?? 'background';
    return [
      ...(letters ? [`38;${colour(tokens, letters, { depth, on })}`] : []),
      ...(background ? [`48;${colour(tokens, background, { depth })}`] : []),
    ];
  };
}

function colour(tokens: ThemeTokens, token: Token, { depth, on }: { depth: Depth; on?: Token }): string {
  if (depth === '16M') return `2;${channelsOf(tokens[token]).join(';')}`;
  return `5;${nearestOf256(tokens[token], on && token !== 'line' ? tokens[on] : undefined)}`;
}
