import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

/** A formula in TeX. */
export interface MathToken extends Tokens.Generic {
  type: 'math';
  text: string;
  isBlock: boolean;
}

export const isMath = (token: { type: string }): token is MathToken => token.type === 'math';

const BLOCK = /^ {0,3}(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])[ \t]*(?:\n+|$)/;
const INLINE = /^(?:\$\$([^$\n]+?)\$\$|\\\(([^]+?)\\\)|\$(?!\s)((?:\\.|[^\\$\n])+?)(?<!\s)\$(?![\w$]))/;
/** Amounts and shell variables also stand between dollar signs: a formula has an operator, or is one name. */
const FORMULA = /[\\^_={}+<>|*/]|^-?[A-Za-z]\w{0,2}(?:'|\([^()]*\))?$/;

function tokenOf(raw: string, text: string, isBlock: boolean): MathToken {
  return { type: 'math', raw, text: text.trim(), isBlock };
}

const block: TokenizerAndRendererExtension = {
  name: 'math-block',
  level: 'block',
  start: (source) => /(?:^|\n) {0,3}(?:\$\$|\\\[)/.exec(source)?.index,
  tokenizer(source) {
    const [raw, dollars, brackets] = BLOCK.exec(source) ?? [];
    return raw === undefined ? undefined : tokenOf(raw, dollars ?? brackets ?? '', true);
  },
};

const inline: TokenizerAndRendererExtension = {
  name: 'math-inline',
  level: 'inline',
  start: (source) => /(?<![\w$\\])\$|\\\(/.exec(source)?.index,
  tokenizer(source) {
    const [raw, display, parens, dollars] = INLINE.exec(source) ?? [];
    if (raw === undefined || (dollars !== undefined && !FORMULA.test(dollars))) return undefined;
    return tokenOf(raw, display ?? parens ?? dollars ?? '', false);
  },
};

const marked = new Marked({ extensions: [block, inline] });

/** The Markdown lexer of the window: with formulas between dollar signs, `\(…\)` or `\[…\]`. */
export const lexer = (text: string): ReturnType<typeof marked.lexer> => marked.lexer(text);
