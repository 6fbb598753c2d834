import type { Terminal } from '../../terminal.ts';
import { ranked } from '../input/completion/fuzzy.ts';
import type { Input, Key } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import type { DrawnLines, ScreenPart, Size } from '../part.ts';
import { textWidth } from '../render/width.ts';
import { alignLine, cutLine, textSpan, wrapLine } from '../render/wrap.ts';
import type { PickerRequest, PickerRow } from '../workbench.ts';
import { listLines } from './rows.ts';
import { sentenceOf } from './sentence.ts';

export interface PickerNeeds {
  terminal: Terminal;
  keymap: Keymap;
  changed(): void;
  /** Closes the picker, with or without a choice. */
  close(): void;
  /** Called with the error of a choice. */
  failed(error: unknown): void;
}

type State<Value> =
  | { kind: 'reading' }
  | { kind: 'failed'; sentence: string }
  | { kind: 'ready'; rows: readonly PickerRow<Value>[] };

interface Choosing<Value> {
  state: State<Value>;
  query: string;
  chosen: number;
  /** Rows per page. */
  page: number;
}

/** A list with a filter. */
export function createPicker<Value>(request: PickerRequest<Value>, needs: PickerNeeds): ScreenPart<Input> {
  const choosing: Choosing<Value> = { state: { kind: 'reading' }, query: '', chosen: 0, page: 1 };
  void request.rows
    .then(
      (rows): State<Value> => ({ kind: 'ready', rows }),
      (error: unknown): State<Value> => ({ kind: 'failed', sentence: sentenceOf(error, needs.terminal) }),
    )
    .then((state) => {
      choosing.state = state;
      const current = found(choosing).findIndex(({ isCurrent }) => isCurrent);
      choosing.chosen = Math.max(0, current);
      needs.changed();
    });

  return {
    draw: (size) => draw(request.title, choosing, { size, needs }),
    take(input) {
      if (input.kind === 'focus') return false;
      if (input.kind === 'paste') narrow(choosing, choosing.query + input.text.replace(/\s+/g, ' '));
      else if (input.kind === 'mouse') turn(choosing, input.action);
      else takeKey(input, choosing, { request, needs });
      needs.changed();
      return true;
    },
  };
}

function found<Value>({ state, query }: Choosing<Value>): readonly PickerRow<Value>[] {
  if (state.kind !== 'ready') return [];
  return ranked(query, state.rows, ({ label, detail = '' }) => `${label} ${detail}`);
}

function narrow<Value>(choosing: Choosing<Value>, query: string): void {
  choosing.query = query;
  choosing.chosen = 0;
}

function turn<Value>(choosing: Choosing<Value>, action: string): void {
  if (action === 'wheel-up') move(choosing, -1);
  else if (action === 'wheel-down') move(choosing, 1);
}

function move<Value>(choosing: Choosing<Value>, by: number): void {
  choosing.chosen = Math.max(0, Math.min(choosing.chosen + by, found(choosing).length - 1));
}

interface Taking<Value> {
  request: PickerRequest<Value>;
  needs: PickerNeeds;
}

function takeKey<Value>(key: Key, choosing: Choosing<Value>, { request, needs }: Taking<Value>): void {
  switch (needs.keymap.actionOf(key, 'list')) {
    case 'list-up':
      return move(choosing, -1);
    case 'list-down':
      return move(choosing, 1);
    case 'list-page-up':
      return move(choosing, -choosing.page);
    case 'list-page-down':
      return move(choosing, choosing.page);
    case 'list-first':
      return move(choosing, -Infinity);
    case 'list-last':
      return move(choosing, found(choosing).length);
    case 'list-close':
      return needs.close();
    case 'list-choose':
      return choose(choosing, { request, needs });
    default:
      if (key.name === 'backspace') narrow(choosing, [...choosing.query].slice(0, -1).join(''));
      else if (key.name === 'u' && key.isCtrl) narrow(choosing, '');
      else if (key.text && !key.isCtrl && !key.isAlt) narrow(choosing, choosing.query + key.text);
  }
}

function choose<Value>(choosing: Choosing<Value>, { request, needs }: Taking<Value>): void {
  const row = found(choosing)[choosing.chosen];
  if (!row) return;
  // Close first: the choice may open the next picker.
  needs.close();
  void (async () => request.choose(row.value))().catch(needs.failed);
}

interface Drawing {
  size: Size;
  needs: PickerNeeds;
}

/** Title and filter, rows, keys. */
const AROUND = 4;

function draw<Value>(title: string, choosing: Choosing<Value>, { size, needs }: Drawing): DrawnLines {
  const { width, height } = size;
  const { say } = needs.terminal;
  const rows = found(choosing);
  choosing.page = Math.max(1, Math.min(height - AROUND, Math.max(1, rows.length)));
  const heading = `${textSpan(title).text} › `;
  const query = textSpan(choosing.query);
  const count: Line = rows.length > 0 ? [{ text: `${choosing.chosen + 1}/${rows.length} `, token: 'muted' }] : [];
  const rule: Line = [{ text: '─'.repeat(width), token: 'line' }];
  const lines: Line[] = [
    rule,
    alignLine([{ text: ` ${heading}`, token: 'accent', isBold: true }, query], count, width),
    ...body(choosing, { rows, size, needs }),
    cutLine([{ text: ` ${say('picker.keys')}`, token: 'muted' }], width),
    rule,
  ];
  const column = Math.min(width - 1, 1 + textWidth(heading) + textWidth(query.text));
  return { lines: lines.slice(0, height), cursor: { row: 1, column } };
}

function body<Value>(
  { state, query, chosen, page }: Choosing<Value>,
  { rows, size: { width }, needs }: Drawing & { rows: readonly PickerRow<Value>[] },
): Line[] {
  const { say } = needs.terminal;
  if (state.kind === 'failed')
    return wrapLine([textSpan(state.sentence, { token: 'danger' })], width, { first: [{ text: ' ' }] });
  if (rows.length === 0) {
    const words = state.kind === 'reading' ? 'picker.reading' : query ? 'picker.no-match' : 'picker.empty';
    return [cutLine([{ text: ` ${say(words)}`, token: 'muted' }], width)];
  }
  return listLines(rows, chosen, { width, height: page });
}
