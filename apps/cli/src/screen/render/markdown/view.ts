import { Lexer, type Token } from 'marked';
import type { Line } from '../../line.ts';
import type { Highlight } from '../highlight.ts';
import { blockLines } from './blocks.ts';

export interface MarkdownOptions {
  width: number;
  highlight: Highlight;
}

/** A Markdown text as lines. */
export function markdownLines(text: string, options: MarkdownOptions): Line[] {
  const view = createMarkdownView();
  view.push(text);
  view.end();
  return [...view.lines(options)];
}

/** A Markdown text that is still streaming. */
export interface MarkdownView {
  push(delta: string): void;
  /** The end: shows what was held back. */
  end(): void;
  /** The source text. */
  text(): string;
  /** Redraws only what changed. */
  lines(options: MarkdownOptions & { version?: number }): readonly Line[];
}

export function createMarkdownView(): MarkdownView {
  let text = '';
  let source = '';
  let lineLength = 0;
  /** Start of the part whose meaning may still change. */
  let tailAt = 0;
  /** Settled blocks, and the lines of the first `drawnParts` of them. */
  let settled: Token[][] = [];
  let drawnParts = 0;
  let above: Line[] = [];
  let tail: Token[] = [];
  let isRead = true;
  let isEnded = false;
  let drawnFor = '';
  let drawn: readonly Line[] | undefined;

  const restart = (): void => {
    drawnParts = 0;
    above = [];
  };
  const read = (): void => {
    if (isRead) return;
    isRead = true;
    drawn = undefined;
    let { tokens, hasLinks } = lex(source.slice(tailAt));
    if (hasLinks && tailAt > 0) {
      tailAt = 0;
      settled = [];
      restart();
      ({ tokens, hasLinks } = lex(source));
    }
    // A link definition affects all earlier text, and may still change itself.
    const kept = hasLinks ? 0 : settledCount(tokens);
    tail = tokens.slice(kept);
    if (kept > 0) settled.push(tokens.slice(0, kept));
    for (const { raw } of tokens.slice(0, kept)) tailAt += raw.length;
  };

  return {
    text: () => text,
    push(delta) {
      if (delta === '') return;
      text += delta;
      isRead = false;
      // The lexer removes them before counting; its offsets must refer to the original text.
      for (const piece of delta.replaceAll('\r', '').split(/(?<=\n)/)) {
        const line = broken(piece, lineLength);
        source += line;
        lineLength = line.endsWith('\n') ? 0 : lineLength + piece.length;
      }
    },
    end() {
      isEnded = true;
      drawn = undefined;
    },
    lines({ version = 0, ...options }) {
      read();
      const drawnWith = `${options.width}/${version}`;
      if (drawn && drawnFor === drawnWith) return drawn;
      if (drawnFor !== drawnWith) restart();
      drawnFor = drawnWith;
      for (; drawnParts < settled.length; drawnParts += 1) {
        append(above, blockLines(settled[drawnParts] ?? [], options));
      }
      const last = isEnded
        ? blockLines(tail, options)
        : blockLines(withoutHalves(tail), {
            ...options,
            highlight: (code, language) => options.highlight(code, language, true),
          });
      drawn = append(above.slice(), last);
      return drawn;
    },
  };
}

/** Invisible blocks leave no gap. Modifies its argument, because an answer may have very many lines. */
function append(lines: Line[], more: readonly Line[]): Line[] {
  if (lines.length > 0 && more.length > 0) lines.push([]);
  for (const line of more) lines.push(line);
  return lines;
}

/**
 * A block is settled when two more have started after it, and a blank line: before, it may be the start of something
 * else.
 */
function settledCount(tokens: readonly Token[]): number {
  let behind = 0;
  for (let index = tokens.length - 1; index > 0; index -= 1) {
    if (tokens[index]?.type !== 'space') behind += 1;
    else if (behind >= 2) return index + 1;
  }
  return 0;
}

/** The first row of a table looks like a paragraph until the second arrives. */
function withoutHalves(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1);
  const isHalf = last?.type === 'paragraph' && /^\s*\|[^\n]*(\n[\s|:-]*)?$/.test(last.raw);
  return isHalf ? tokens.slice(0, -1) : tokens;
}

/** Longer lines are not prose; parsing them would take seconds. */
const LONGEST_LINE = 4_096;

/** A piece of a line that starts at `before`, with paragraph breaks where it is too long. */
function broken(piece: string, before: number): string {
  if (before + piece.length <= LONGEST_LINE) return piece;
  const first = LONGEST_LINE - (before % LONGEST_LINE);
  let line = piece.slice(0, first);
  for (let at = first; at < piece.length; at += LONGEST_LINE) line += `\n\n${piece.slice(at, at + LONGEST_LINE)}`;
  return line;
}

function lex(text: string): { tokens: Token[]; hasLinks: boolean } {
  const lexer = new Lexer();
  try {
    const tokens = [...lexer.lex(text)];
    return { tokens, hasLinks: Object.keys(lexer.tokens.links).length > 0 };
  } catch (error) {
    // Nested deeper than the stack allows: shown as source.
    if (!(error instanceof RangeError)) throw error;
    return { tokens: [{ type: 'html', raw: text, text, block: true, pre: false }], hasLinks: false };
  }
}
