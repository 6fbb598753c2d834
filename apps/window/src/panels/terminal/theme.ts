import type { ThemeTokens } from '@fucina/shared/themes';
import type { ITheme } from '@xterm/xterm';

/** The sixteen terminal colors from our tokens. The screen itself ensures their contrast. */
export function terminalTheme(tokens: ThemeTokens, mode: 'light' | 'dark'): ITheme {
  const [black, white] = mode === 'dark' ? [tokens.line, tokens.text] : [tokens.text, tokens.line];
  return {
    background: tokens.background,
    foreground: tokens.text,
    cursor: tokens.accent,
    cursorAccent: tokens.background,
    selectionBackground: `${tokens.accent}52`,
    scrollbarSliderBackground: `${tokens.muted}40`,
    scrollbarSliderHoverBackground: `${tokens.muted}70`,
    scrollbarSliderActiveBackground: `${tokens.muted}90`,
    black,
    red: tokens.danger,
    green: tokens.success,
    yellow: tokens.warning,
    blue: tokens.info,
    magenta: tokens.codeKeyword,
    cyan: tokens.codeType,
    white,
    brightBlack: tokens.muted,
    brightRed: tokens.danger,
    brightGreen: tokens.success,
    brightYellow: tokens.warning,
    brightBlue: tokens.info,
    brightMagenta: tokens.codeKeyword,
    brightCyan: tokens.codeType,
    brightWhite: mode === 'dark' ? '#ffffff' : tokens.muted,
  };
}
