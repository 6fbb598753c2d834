import type { ThemeTokens } from '@fucina/shared/themes';

/** A color by its meaning; the palette maps it to the terminal's colors. */
export type Token = keyof ThemeTokens;

/** A piece of a line in one style. Its text is already cleaned: see clean-text.ts. */
export interface Span {
  text: string;
  token?: Token;
  background?: Token;
  isBold?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
}

/** One row of the terminal, not wider than requested. */
export type Line = readonly Span[];
