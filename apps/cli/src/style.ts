import { DEFAULT_THEME, THEME_NAMES, THEMES, type ThemeTokens } from '@fucina/shared/themes';

type Paint = (text: string) => string;

export interface Style {
  accent: Paint;
  success: Paint;
  danger: Paint;
  muted: Paint;
  bold: Paint;
}

export interface StyleOptions {
  /** Whether anybody sees colour there at all; NO_COLOR and dumb terminals still win. */
  isColoured: boolean;
  env: Readonly<Record<string, string | undefined>>;
  theme?: string | undefined;
}

const PLAIN: Style = { accent: same, success: same, danger: same, muted: same, bold: same };

export function createStyle({ isColoured, env, theme }: StyleOptions): Style {
  if (!isColoured || env.NO_COLOR || env.TERM === 'dumb') return PLAIN;
  const bold = paint('1', '22');
  if (!/^(truecolor|24bit)$/.test(env.COLORTERM ?? '')) {
    // The sixteen colours are the terminal's own: they already suit its background.
    const of = (code: number): Paint => paint(String(code), '39');
    return { accent: of(36), success: of(32), danger: of(31), muted: paint('2', '22'), bold };
  }
  const name = THEME_NAMES.find((known) => known === theme) ?? DEFAULT_THEME;
  const tokens: ThemeTokens = THEMES[name][isLight(env) ? 'light' : 'dark'];
  const of = (colour: string): Paint => paint(`38;2;${channels(colour)}`, '39');
  const { accent, success, danger, muted } = tokens;
  return { accent: of(accent), success: of(success), danger: of(danger), muted: of(muted), bold };
}

function same(text: string): string {
  return text;
}

function paint(on: string, off: string): Paint {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`;
}

function channels(colour: string): string {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).join(';');
}

/** Some terminals say `foreground;background`; 7 and 15 are the white ones. */
function isLight(env: StyleOptions['env']): boolean {
  return /;(7|15)$/.test(env.COLORFGBG ?? '');
}
