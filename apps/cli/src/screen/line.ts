import type { ThemeTokens } from '@fucina/shared/themes';

/** A colour by its meaning; the palette knows what the terminal can show of it. */
export type Token = keyof ThemeTokens;

/** A piece of a line in one look. Its text is already clean: see clean-text.ts. */
export interface Span {
  text: string;
  token?: Token;
  background?: Token;
  isBold?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
}

/** One row of the terminal, never wider than it was asked for. */
export type Line = readonly Span[];
