import type { ThemeName } from '@fucina/shared/themes';
import type { Token } from '../line.ts';

/**
 * SGR codes for terminals with sixteen colors, which depend on the terminal and suit its background. Deliberately
 * unused: the bright half, which some schemes use for greys; blue on dark; yellow and cyan on light.
 */
export function sixteenColours(theme: ThemeName, isLight: boolean): Partial<Record<Token, string>> {
  const mode = isLight ? 1 : 0;
  const code = theme === 'mono' ? MONO_CODE : isLight ? LIGHT_CODE : DARK_CODE;
  return { ...(isLight ? LIGHT : DARK), ...code, accent: ACCENTS[theme][mode] };
}

const RED = '31';
const GREEN = '32';
const YELLOW = '33';
const BLUE = '34';
const MAGENTA = '35';
const CYAN = '36';
const BOLD = '1';
const FAINT = '2';

const DARK = { muted: FAINT, line: FAINT, success: GREEN, warning: YELLOW, danger: RED, info: CYAN } as const;
const LIGHT = { muted: FAINT, line: FAINT, success: GREEN, warning: MAGENTA, danger: RED, info: BLUE } as const;

const DARK_CODE = {
  codeComment: FAINT,
  codeKeyword: MAGENTA,
  codeString: GREEN,
  codeNumber: YELLOW,
  codeFunction: CYAN,
  codeType: CYAN,
} as const;
const LIGHT_CODE = { ...DARK_CODE, codeNumber: RED, codeFunction: BLUE, codeType: BLUE } as const;
const MONO_CODE = { codeComment: FAINT, codeKeyword: BOLD } as const;

/** On dark, on light. */
const ACCENTS: Record<ThemeName, readonly [dark: string, light: string]> = {
  calm: [CYAN, BLUE],
  forge: [YELLOW, MAGENTA],
  terminal: [GREEN, GREEN],
  aurora: [CYAN, GREEN],
  ember: [RED, RED],
  atlas: [CYAN, BLUE],
  noir: [MAGENTA, MAGENTA],
  signal: [CYAN, BLUE],
  violet: [MAGENTA, MAGENTA],
  telemetry: [CYAN, BLUE],
  mono: [BOLD, BOLD],
};
