import type { Ambient } from '@fucina/shared';
import type { RuleCall } from '../../permissions/saved-rules.ts';
import type { Terminal } from '../../terminal.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Line, Token } from '../line.ts';
import type { Size } from '../part.ts';
import type { Highlight } from '../render/highlight.ts';
import { lineWidth, textWidth } from '../render/width.ts';
import { alignLine, cutLine, padLine, textSpan, withBackground } from '../render/wrap.ts';
import type { RequestAnswer } from '../workbench.ts';
import type { FocusNeeds } from './focus.ts';

/** What every card needs from the screen. */
export interface PanelNeeds extends FocusNeeds {
  terminal: Terminal;
  ambient: Ambient;
  keymap: Keymap;
  highlight: Highlight;
  /** Rejects when the answer could not be sent: the card may be answered again. */
  respond(answer: RequestAnswer): Promise<void>;
  /** Shows it over the whole screen. */
  page(title: string, lines: (width: number) => readonly Line[]): void;
  /** The rules that a permanent answer would write. */
  rules(call: RuleCall): Promise<readonly string[]>;
}

/** One answer. */
export interface Option {
  /** Its key. */
  key: string;
  label: string;
  detail?: string;
  /** Shown before the label: the check mark. */
  mark?: string;
}

/** Rows of the frame. */
const FRAME_ROWS = 2;
/** Columns of the frame with a space on both sides. */
const FRAME_COLUMNS = 4;
const LEAST_FRAMED = 7;

export interface PanelContent {
  title: string;
  token: Token;
  /** The text for a width. Rows that do not fit are omitted and counted. */
  body(width: number): readonly Line[];
  /** First visible row of the body. */
  top?: number;
  /** The rows of the body that are shown where it does not fit, instead of those from `top` on. */
  fit?(body: readonly Line[], room: number, width: number): Line[];
  options: readonly Option[];
  chosen: number;
  hasFocus: boolean;
  /** Key hints; most important first. */
  hint: string;
  /** The text field, below the options. */
  field?: readonly Line[];
  more(count: number): string;
}

export interface DrawnPanel {
  lines: Line[];
  /** Row of the field. */
  field: { row: number; column: number };
  /** Number of visible rows of the body. */
  bodyRows: number;
}

/** Caches the drawing for one width. */
export function cachedByWidth(draw: (width: number) => readonly Line[]): (width: number) => readonly Line[] {
  let known: { width: number; lines: readonly Line[] } | undefined;
  return (width) => {
    if (known?.width !== width) known = { width, lines: draw(width) };
    return known.lines;
  };
}

/** A card with a frame, or without one where rows are few: the answers take precedence over the text. */
export function drawPanel(content: PanelContent, { width, height }: Size): DrawnPanel {
  const isFramed = height >= LEAST_FRAMED && width > 3 * FRAME_COLUMNS;
  const inner = Math.max(1, isFramed ? width - FRAME_COLUMNS : width);
  const room = Math.max(1, height - (isFramed ? FRAME_ROWS : 1));
  const field = content.field ?? [];
  const options = optionRows(content, inner, room - field.length - 2);
  const hint: Line[] =
    room - options.length - field.length > 2 ? [cutLine([{ text: content.hint, token: 'muted' }], inner)] : [];
  const body = content.body(inner);
  const bodyRoom = Math.max(body.length ? 1 : 0, room - options.length - field.length - hint.length);
  const fitting = content.fit?.(body, bodyRoom, inner) ?? window(body, bodyRoom, content);
  const shown = fitting.map((line) => cutLine(line, inner));
  // A gap if there is room for it.
  const gap: Line[] = shown.length > 0 && shown.length < bodyRoom && options.length > 0 ? [[]] : [];
  const above = [...shown, ...gap, ...options];
  const inside = [...above, ...field, ...hint];
  const lines = isFramed
    ? framed(inside, content, width)
    : [titleLine(content, width), ...inside].slice(0, Math.max(1, height));
  return { lines, field: { row: above.length + 1, column: isFramed ? FRAME_COLUMNS / 2 : 0 }, bodyRows: shown.length };
}

function window(body: readonly Line[], room: number, { top = 0, more }: PanelContent): Line[] {
  if (body.length <= room) return [...body];
  const start = Math.max(0, Math.min(top, body.length - room));
  const left = body.length - start - room;
  if (left === 0) return body.slice(start);
  return [...body.slice(start, start + room - 1), [{ text: more(left + 1), token: 'muted' }]];
}

/** Below each other, or side by side where rows are few. */
function optionRows({ options, chosen, hasFocus }: PanelContent, width: number, room: number): Line[] {
  if (options.length <= room)
    return options.map((option, index) => optionRow(option, hasFocus && index === chosen, width));
  const words = options.map(({ key, label, mark = '' }, index): Line => {
    const isChosen = hasFocus && index === chosen;
    return [
      { text: `${key} `, token: 'accent' },
      textSpan(`${mark}${label}`, isChosen ? { isBold: true, isUnderlined: true } : {}),
    ];
  });
  const rows: Line[] = [];
  for (const word of words) {
    const last = rows.at(-1);
    if (last && lineWidth(last) + 2 + lineWidth(word) <= width)
      rows[rows.length - 1] = [...last, { text: '  ' }, ...word];
    else rows.push(word);
  }
  return rows.map((row) => cutLine(row, width)).slice(0, Math.max(1, room));
}

function optionRow({ key, label, detail, mark = '' }: Option, isChosen: boolean, width: number): Line {
  const left: Line = [
    { text: isChosen ? '▸ ' : '  ', token: 'accent' },
    { text: `${key} `, token: 'accent' },
    textSpan(`${mark}${label}`, { isBold: isChosen }),
  ];
  const room = width - lineWidth(left) - 2;
  const right: Line = detail && room >= 6 ? [textSpan(detail, { token: 'muted' })] : [];
  const line = right.length ? [...left, { text: '  ' }, ...cutLine(right, room)] : cutLine(left, width);
  return isChosen ? withBackground(padLine(line, width), 'raised') : line;
}

function titleLine({ title, token }: PanelContent, width: number): Line {
  return cutLine([textSpan(title, { token, isBold: true })], width);
}

function framed(inside: readonly Line[], content: PanelContent, width: number): Line[] {
  const { token, hasFocus } = content;
  const edge: Token = hasFocus ? token : 'line';
  const inner = width - FRAME_COLUMNS;
  const title = titleLine(content, inner - 2);
  const rule = Math.max(0, width - lineWidth(title) - textWidth('╭─  ╮'));
  return [
    [{ text: '╭─ ', token: edge }, ...title, { text: ` ${'─'.repeat(rule)}╮`, token: edge }],
    ...inside.map(
      (line): Line => [
        { text: '│ ', token: edge },
        ...alignLine(padLine(line, inner), [], inner),
        { text: ' │', token: edge },
      ],
    ),
    [{ text: `╰${'─'.repeat(Math.max(0, width - 2))}╯`, token: edge }],
  ];
}
