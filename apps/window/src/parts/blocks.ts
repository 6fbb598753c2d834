import type { Token } from 'marked';
import { lexer } from './math/math-tokens.ts';

export interface Blocks {
  text: string;
  tokens: readonly Token[];
}

export const NO_BLOCKS: Blocks = { text: '', tokens: [] };

/**
 * Final blocks that more text can still change: a list continues after an empty line, a paragraph becomes a heading.
 */
const UNSETTLED = 3;

/**
 * The Markdown blocks of a growing text: only its end is parsed again. An unclosed fence is code up to the end.
 * `isOpen` false parses all of it, so that references defined later are resolved.
 */
export function growBlocks(before: Blocks, text: string, isOpen: boolean): Blocks {
  if (text === before.text && isOpen) return before;
  // The lexer removes carriage returns, which would shift its offsets.
  if (!isOpen || text.includes('\r') || !text.startsWith(before.text)) return { text, tokens: lexer(text) };
  const settled = before.tokens.slice(0, Math.max(0, before.tokens.length - UNSETTLED));
  const from = settled.reduce((sum, token) => sum + token.raw.length, 0);
  return { text, tokens: [...settled, ...lexer(text.slice(from))] };
}
