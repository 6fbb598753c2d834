import { lexer, type Token } from 'marked';

export interface Blocks {
  text: string;
  tokens: readonly Token[];
}

export const NO_BLOCKS: Blocks = { text: '', tokens: [] };

/** Blocks at the end that more text can still change: a list goes on after an empty line, a paragraph becomes a heading. */
const UNSETTLED = 3;

/**
 * The Markdown blocks of a text that grows: only its end is read again. A fence that was opened and not closed is a
 * block of code up to the end. `isOpen` false reads all of it, so that references defined below are known above.
 */
export function growBlocks(before: Blocks, text: string, isOpen: boolean): Blocks {
  if (text === before.text && isOpen) return before;
  // The lexer drops carriage returns, and with them the count of what it has read.
  if (!isOpen || text.includes('\r') || !text.startsWith(before.text)) return { text, tokens: lexer(text) };
  const settled = before.tokens.slice(0, Math.max(0, before.tokens.length - UNSETTLED));
  const from = settled.reduce((sum, token) => sum + token.raw.length, 0);
  return { text, tokens: [...settled, ...lexer(text.slice(from))] };
}
