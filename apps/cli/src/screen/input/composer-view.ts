import type { Say } from '../../words/index.ts';
import type { Line, Span, Token } from '../line.ts';
import type { DrawnLines, Size } from '../part.ts';
import { listLines } from '../pickers/rows.ts';
import { textWidth } from '../render/width.ts';
import { alignLine, cutLine, padLine, textSpan } from '../render/wrap.ts';
import type { SessionChoice } from '../workbench.ts';
import type { Candidate } from './completion/candidate.ts';
import { type Range, selectionOf } from './editor/buffer.ts';
import type { Editor } from './editor/editor.ts';
import { columnOf, type Page, pageOf, rowOf } from './editor/rows.ts';
import { nextPlace } from './editor/text.ts';
import type { VimMode } from './editor/vim.ts';
import type { HistorySearch } from './history-walk.ts';

/** The content of a composer. */
export interface ComposerFacts {
  editor: Editor;
  search: HistorySearch | undefined;
  suggestions: { candidates: readonly Candidate[]; chosen: number } | undefined;
  vim: { mode: VimMode; pending: string; selection: Range | undefined } | undefined;
  choice: SessionChoice;
  say: Say;
  view: ComposerView;
}

/** Preserved between frames. */
export interface ComposerView {
  /** First visible row of a long text. */
  top: number;
}

const FRAME = { left: '│ ', right: ' │' };
const PROMPT = '› ';
const INSET = 6;
const MOST_SUGGESTIONS = 8;
/** Minimum rows, even if they are more than a third of the terminal. */
const LEAST_ROWS = 3;
/** Rows reserved on a small terminal: the frame, the status, some of the conversation. */
const AROUND = 6;
/** Minimum columns to show the key hints of the search. */
const ROOMY = 70;
const SMALLEST = 4;

/** Columns for the text in a composer of this width. */
export function textWidthIn(width: number): number {
  return Math.max(SMALLEST, width - INSET);
}

export function drawComposer(facts: ComposerFacts, { width, height }: Size): DrawnLines {
  const page = pageToShow(facts, textWidthIn(width));
  const most = Math.max(1, Math.floor(height / 3) - 2, Math.min(LEAST_ROWS, height - AROUND));
  const cursorAt = facts.search ? page.text.length : facts.editor.buffer().cursor;
  const cursorRow = rowOf(page.rows, cursorAt);
  const shown = Math.min(most, page.rows.length);
  const { view } = facts;
  view.top = Math.max(0, Math.min(view.top, page.rows.length - shown));
  view.top = Math.min(Math.max(view.top, cursorRow - shown + 1), cursorRow);

  const above = [...searchLines(facts, width), ...suggestionLines(facts, { width, height: height - shown - 2 })];
  const token = frameToken(facts);
  const rows = page.rows.slice(view.top, view.top + shown).map((_row, at) => textRow(facts, page, view.top + at));
  const body = rows.map((row, at): Line => {
    const prompt: Span = { text: view.top + at === 0 ? PROMPT : '  ', token: 'accent', isBold: true };
    const inner = padLine([prompt, ...row], width - FRAME.left.length - FRAME.right.length);
    return cutLine([{ text: FRAME.left, token }, ...inner, { text: FRAME.right, token }], width);
  });
  const hidden = { above: view.top, below: page.rows.length - view.top - shown };
  const lines = [
    ...above,
    edge(['╭', '╮'], { width, token, right: hidden.above > 0 ? [{ text: `↑ ${hidden.above}`, token: 'muted' }] : [] }),
    ...body,
    edge(['╰', '╯'], { width, token, right: [...below(hidden.below), ...marks(facts)] }),
  ];
  const column = FRAME.left.length + PROMPT.length + columnOf(page, cursorAt);
  const cursor = { row: above.length + 1 + cursorRow - view.top, column: Math.min(column, width - 1) };
  return { lines: lines.slice(-Math.max(1, height)), cursor: facts.search ? searchCursor(facts, width) : cursor };
}

function pageToShow({ editor, search }: ComposerFacts, width: number): Page {
  if (!search) return editor.page(width);
  return pageOf(search.matches[search.chosen] ?? '', width, editor.chips.glyph);
}

/** One styled row of the text: selection, chips, or the placeholder. */
function textRow(facts: ComposerFacts, { rows, text, glyph }: Page, index: number): Line {
  const { editor, search, vim, say } = facts;
  if (text === '') {
    const nothing = search ? say('composer.search-none') : say('composer.placeholder');
    return [{ text: nothing, token: 'muted' }];
  }
  const row = rows[index] ?? { from: 0, to: 0 };
  const selected = search ? undefined : (vim?.selection ?? selectionOf(editor.buffer()));
  const spans: Span[] = [];
  let run: Span | undefined;
  for (let at = row.from; at < row.to; ) {
    const next = nextPlace(text, at);
    const character = text.slice(at, next);
    const look = lookOf({
      isSelected: selected !== undefined && at >= selected.from && at < selected.to,
      isChip: !search && editor.chips.of(character) !== undefined,
      isPreview: search !== undefined,
    });
    if (run && run.token === look.token && run.background === look.background) run.text += glyph(character);
    else spans.push((run = { ...look, text: glyph(character) }));
    at = next;
  }
  return spans;
}

function lookOf({ isSelected, isChip, isPreview }: { isSelected: boolean; isChip: boolean; isPreview: boolean }) {
  if (isSelected) return { token: 'accentText', background: 'accent' } as const;
  return { token: isChip ? 'accent' : isPreview ? 'muted' : 'text', background: undefined } as const;
}

function isShell({ editor, search }: ComposerFacts): boolean {
  return !search && editor.buffer().text.startsWith('!');
}

function frameToken(facts: ComposerFacts): Token {
  if (isShell(facts)) return 'accent';
  const { level, mode } = facts.choice;
  if (mode === 'plan') return 'info';
  return level === 'Full access' ? 'warning' : 'line';
}

/** Unusual states, shown in the lower edge. */
function marks(facts: ComposerFacts): Line {
  const { choice, vim, say } = facts;
  const found: Span[] = [];
  if (isShell(facts)) found.push({ text: say('composer.shell'), token: 'accent', isBold: true });
  if (choice.mode === 'plan') found.push({ text: say('acp.plan'), token: 'info', isBold: true });
  else if (choice.level === 'Full access')
    found.push({ text: say('permission.bypassPermissions'), token: 'warning', isBold: true });
  if (vim) {
    const pending = vim.pending && ` ${textSpan(vim.pending).text}`;
    found.push({ text: `${say(`vim.${vim.mode}`)}${pending}`, token: 'muted' });
  }
  return found.flatMap((span, at) => (at === 0 ? [span] : [{ text: ' · ', token: 'muted' } as Span, span]));
}

function below(count: number): Line {
  return count > 0 ? [{ text: `↓ ${count} `, token: 'muted' }] : [];
}

function edge(
  [left, right]: readonly [string, string],
  { width, token, right: words }: { width: number; token: Token; right: Line },
): Line {
  const label = words.length ? [{ text: ' ' }, ...words, { text: ' ' }] : [];
  const used = label.reduce((sum, { text }) => sum + textWidth(text), 0);
  const dashes = Math.max(0, width - 3 - used);
  return cutLine([{ text: left + '─'.repeat(dashes), token }, ...label, { text: `─${right}`, token }], width);
}

function suggestionLines({ suggestions }: ComposerFacts, { width, height }: Size): Line[] {
  if (!suggestions) return [];
  const { candidates, chosen } = suggestions;
  return listLines(candidates, chosen, { width, height: Math.min(MOST_SUGGESTIONS, Math.max(0, height)) });
}

function searchLines({ search, say }: ComposerFacts, width: number): Line[] {
  if (!search) return [];
  const { query, matches, chosen } = search;
  const count = matches.length ? `${chosen + 1}/${matches.length}` : '0';
  const left: Line = [{ text: ` ${say('composer.search')}: `, token: 'accent', isBold: true }, textSpan(query)];
  const keys = width < ROOMY ? '' : ` · ${say('composer.search-keys')}`;
  return [alignLine(left, [{ text: `${count}${keys} `, token: 'muted' }], width)];
}

function searchCursor({ search, say }: ComposerFacts, width: number): DrawnLines['cursor'] {
  const column = textWidth(` ${say('composer.search')}: `) + textWidth(search?.query ?? '');
  return { row: 0, column: Math.min(column, width - 1) };
}
