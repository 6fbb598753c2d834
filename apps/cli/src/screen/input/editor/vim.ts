import type { Key } from '../input.ts';
import { type Buffer, bufferOf, moveTo, type Range, replaceRange } from './buffer.ts';
import type { Editor } from './editor.ts';
import { indentEnd, lineEnd, lineStart, nextPlace, previousPlace } from './text.ts';
import { type Operator, parseVim, type VimCommand } from './vim-command.ts';
import { MOTIONS, type MotionInput, objectRange, type Search, searchTarget, type Target } from './vim-motions.ts';

export type VimMode = 'insert' | 'normal' | 'visual' | 'visual-line';

/** Modal editing over an editor. */
export interface Vim {
  mode(): VimMode;
  /** The incomplete command. */
  pending(): string;
  /**
   * `unused` passes the key on: in insert mode all but Esc; in the other modes keys with Ctrl or Alt, keys without a
   * character, Esc without an effect, and a move past the first or last line.
   */
  take(key: Key): 'taken' | 'unused';
  /** The range under the cursor, or between it and the anchor, as an operator would take it. */
  selection(): Range | undefined;
  reset(): void;
}

interface State {
  mode: VimMode;
  typed: string;
  anchor: number;
  search: Search | undefined;
  /** Keys of the change that `.` repeats, and those of the current one. */
  lastChange: readonly Key[];
  recording: Key[] | undefined;
  isRepeating: boolean;
}

export function createVim(editor: Editor): Vim {
  const state: State = {
    mode: 'insert',
    typed: '',
    anchor: 0,
    search: undefined,
    lastChange: [],
    recording: undefined,
    isRepeating: false,
  };
  const vim: Vim = {
    mode: () => state.mode,
    pending: () => state.typed,
    selection: () => selectionOf(editor, state),
    take(key) {
      if (state.mode === 'insert') return takeInsert(key);
      return takeCommand(key);
    },
    reset() {
      Object.assign(state, { mode: 'insert', typed: '', recording: undefined });
    },
  };

  function takeInsert(key: Key): 'taken' | 'unused' {
    state.recording?.push(key);
    if (key.name !== 'escape') {
      if (!state.isRepeating) return 'unused';
      if (key.text) editor.type(key.text);
      else if (key.name === 'enter') editor.type('\n');
      else if (key.name === 'backspace') editor.act('delete-left', 1);
      return 'taken';
    }
    endRecording();
    const { text, cursor } = editor.buffer();
    state.mode = 'normal';
    editor.place(moveTo(editor.buffer(), Math.max(lineStart(text, cursor), previousPlace(text, cursor))));
    return 'taken';
  }

  function takeCommand(key: Key): 'taken' | 'unused' {
    if (key.name === 'escape') return leave();
    if (key.isCtrl && key.name === 'r' && !key.isAlt) {
      editor.redo();
      return 'taken';
    }
    const written = key.isCtrl || key.isAlt ? undefined : (key.text ?? ARROWS[key.name]);
    if (written === undefined) return 'unused';
    if (state.typed === '' && !state.isRepeating) state.recording = [];
    state.recording?.push(key);
    state.typed += written;
    const command = parseVim(state.typed, state.mode !== 'normal');
    if (command === 'incomplete') return 'taken';
    state.typed = '';
    if (command === 'unknown') return 'taken';
    if (command.name === '.') return repeat(command.count ?? 1);
    const before = editor.buffer().text;
    const isUsed = run(command, editor, state);
    if (editor.buffer().text !== before && state.mode === 'normal') endRecording();
    // A motion alone is not a repeatable change; what continues in insert or visual mode may become one.
    else if (state.mode === 'normal') state.recording = undefined;
    return isUsed ? 'taken' : 'unused';
  }

  function leave(): 'taken' | 'unused' {
    if (state.typed === '' && state.mode === 'normal') return 'unused';
    state.typed = '';
    state.mode = 'normal';
    editor.place(settled(moveTo(editor.buffer(), editor.buffer().cursor)));
    return 'taken';
  }

  function endRecording(): void {
    if (state.recording && !state.isRepeating) state.lastChange = state.recording;
    state.recording = undefined;
  }

  function repeat(count: number): 'taken' {
    state.recording = undefined;
    state.isRepeating = true;
    for (let left = count; left > 0; left--) for (const key of state.lastChange) vim.take(key);
    state.isRepeating = false;
    return 'taken';
  }

  return vim;
}

const ARROWS: Readonly<Record<string, string>> = {
  left: 'h',
  right: 'l',
  up: 'k',
  down: 'j',
  home: '0',
  end: '$',
  backspace: 'h',
};

/** In normal mode the cursor is on a character. */
function settled(buffer: Buffer): Buffer {
  const { text, cursor } = buffer;
  const end = lineEnd(text, cursor);
  const start = lineStart(text, cursor);
  return cursor === end && end > start ? { ...buffer, cursor: previousPlace(text, end) } : buffer;
}

function selectionOf(editor: Editor, { mode, anchor }: State): Range | undefined {
  if (mode !== 'visual' && mode !== 'visual-line') return undefined;
  const { text, cursor } = editor.buffer();
  const [from, last] = [Math.min(anchor, cursor), Math.max(anchor, cursor)];
  if (mode === 'visual') return { from, to: nextPlace(text, last) };
  return { from: lineStart(text, from), to: lineEnd(text, last) };
}

/** False when it could not move. */
function run(command: VimCommand, editor: Editor, state: State): boolean {
  const isVisual = state.mode !== 'normal';
  const { operator, object, name } = command;
  if (name !== undefined) {
    if (isVisual) runVisual(command, editor, state);
    else runNormal(command, editor, state);
    return true;
  }
  const { text, cursor } = editor.buffer();
  if (object !== undefined) {
    const range = objectRange(object, text, cursor);
    if (range && operator) operate(operator, { ...range, isLines: false }, { editor, state });
    else if (range && range.to > range.from) {
      state.anchor = range.from;
      editor.place(moveTo(editor.buffer(), previousPlace(text, range.to)));
    }
    return true;
  }
  if (operator !== undefined && command.motion === operator) {
    operate(operator, linesFrom(text, cursor, command.count ?? 1), { editor, state });
    return true;
  }
  const target = targetOf(command, { text, at: cursor, count: command.count }, state);
  if (!target) return operator !== undefined || !isLineMove(command);
  if (operator) operate(operator, reach(command, target, editor.buffer()), { editor, state });
  else {
    const moved = moveTo(editor.buffer(), target.to);
    editor.place(isVisual ? moved : settled(moved));
  }
  return true;
}

function isLineMove({ motion }: VimCommand): boolean {
  return motion === 'j' || motion === 'k';
}

function targetOf({ motion, search }: VimCommand, input: MotionInput, state: State): Target | undefined {
  if (search) {
    state.search = search;
    return searchTarget(search, input);
  }
  if (motion === ';' || motion === ',') {
    if (!state.search) return undefined;
    const { kind, character } = state.search;
    const other = kind === kind.toLowerCase() ? kind.toUpperCase() : kind.toLowerCase();
    return searchTarget({ kind: motion === ';' ? kind : other, character }, input);
  }
  return MOTIONS[motion ?? '']?.(input);
}

interface Reach extends Range {
  isLines: boolean;
}

/** The range of an operator between the cursor and the target of a motion. */
function reach({ operator, motion }: VimCommand, target: Target, { text, cursor }: Buffer): Reach {
  const [from, end] = [Math.min(cursor, target.to), Math.max(cursor, target.to)];
  if (target.isLines) return { from: lineStart(text, from), to: lineEnd(text, end), isLines: true };
  let to = target.isInclusive ? nextPlace(text, end) : end;
  if (motion === 'w' || motion === 'W') {
    // The last word of a line does not include the line break, and changing a word preserves the space after it.
    const words = text.slice(from, to);
    const cut = words.trimEnd().length;
    if (operator === 'c' && cut > 0) to = from + cut;
    else if (words.includes('\n')) to = from + words.indexOf('\n', words.startsWith('\n') ? 1 : 0);
  }
  return { from, to, isLines: false };
}

function linesFrom(text: string, at: number, count: number): Reach {
  let to = lineEnd(text, at);
  for (let left = count - 1; left > 0 && to < text.length; left--) to = lineEnd(text, to + 1);
  return { from: lineStart(text, at), to, isLines: true };
}

interface Doing {
  editor: Editor;
  state: State;
}

function operate(operator: Operator, { from, to, isLines }: Reach, { editor, state }: Doing): void {
  const buffer = editor.buffer();
  const { text } = buffer;
  editor.register = { text: text.slice(from, to), isWholeLines: isLines };
  state.mode = operator === 'c' ? 'insert' : 'normal';
  if (operator === 'y') return editor.place(settled(moveTo(buffer, isLines ? buffer.cursor : from)));
  if (!isLines || operator === 'c') {
    const next = replaceRange(buffer, { from, to }, '');
    return editor.edit(operator === 'c' ? next : settled(next));
  }
  // Whole lines are deleted with one line break.
  const range = to < text.length ? { from, to: to + 1 } : { from: Math.max(0, from - 1), to };
  const next = replaceRange(buffer, range, '');
  editor.edit({ ...next, cursor: indentEnd(next.text, Math.min(next.cursor, next.text.length)) });
  editor.place(settled(editor.buffer()));
}

function runNormal({ name = '', count = 1, character = '' }: VimCommand, editor: Editor, state: State): void {
  const buffer = editor.buffer();
  const { text, cursor } = buffer;
  const [start, end] = [lineStart(text, cursor), lineEnd(text, cursor)];
  const insertAt = (place: number): void => {
    state.mode = 'insert';
    editor.place(moveTo(editor.buffer(), place));
  };
  const doing = { editor, state };
  const right = Math.min(end, MOTIONS.l?.({ text, at: cursor, count })?.to ?? end);
  const after = (operator: Operator, to: number): void =>
    operate(operator, { from: cursor, to, isLines: false }, doing);
  const COMMANDS: Record<string, () => void> = {
    i: () => insertAt(cursor),
    a: () => insertAt(Math.min(end, nextPlace(text, cursor))),
    I: () => insertAt(indentEnd(text, cursor)),
    A: () => insertAt(end),
    o: () => {
      editor.replace({ from: end, to: end }, '\n');
      insertAt(end + 1);
    },
    O: () => {
      editor.replace({ from: start, to: start }, '\n');
      insertAt(start);
    },
    v: () => startVisual('visual', editor, state),
    V: () => startVisual('visual-line', editor, state),
    x: () => right > cursor && after('d', right),
    X: () =>
      operate('d', { from: MOTIONS.h?.({ text, at: cursor, count })?.to ?? start, to: cursor, isLines: false }, doing),
    s: () => after('c', right),
    S: () => operate('c', linesFrom(text, cursor, count), doing),
    D: () => after('d', end),
    C: () => after('c', end),
    Y: () => operate('y', linesFrom(text, cursor, count), doing),
    p: () => put(editor, count, true),
    P: () => put(editor, count, false),
    u: () => {
      for (let left = count; left > 0 && editor.undo(); left--);
      editor.place(settled(editor.buffer()));
    },
    J: () => joinLines(editor, { from: cursor, to: linesFrom(text, cursor, Math.max(2, count)).to }),
    '~': () => rewrite(editor, { from: cursor, to: right }, swapCase),
    r: () => {
      if (right === cursor) return;
      const filled = fill(text.slice(cursor, right), character);
      editor.replace({ from: cursor, to: right }, filled);
      editor.place(moveTo(editor.buffer(), previousPlace(editor.buffer().text, cursor + filled.length)));
    },
  };
  COMMANDS[name]?.();
}

function startVisual(mode: 'visual' | 'visual-line', editor: Editor, state: State): void {
  state.mode = mode;
  state.anchor = editor.buffer().cursor;
}

function runVisual({ name = '', character = '' }: VimCommand, editor: Editor, state: State): void {
  const range = selectionOf(editor, state);
  if (!range) return;
  const isLines = state.mode === 'visual-line';
  const act = (operator: Operator): void => operate(operator, { ...range, isLines }, { editor, state });
  const change = (into: (piece: string) => string): void => {
    state.mode = 'normal';
    rewrite(editor, range, into);
    editor.place(moveTo(editor.buffer(), range.from));
  };
  const switchTo = (mode: 'visual' | 'visual-line'): void => {
    state.mode = state.mode === mode ? 'normal' : mode;
  };
  const COMMANDS: Record<string, () => void> = {
    d: () => act('d'),
    x: () => act('d'),
    c: () => act('c'),
    s: () => act('c'),
    y: () => act('y'),
    v: () => switchTo('visual'),
    V: () => switchTo('visual-line'),
    o: () => {
      const { cursor } = editor.buffer();
      editor.place(moveTo(editor.buffer(), state.anchor));
      state.anchor = cursor;
    },
    p: () => {
      state.mode = 'normal';
      putOver(editor, range, isLines);
    },
    J: () => {
      state.mode = 'normal';
      joinLines(editor, range);
    },
    '~': () => change(swapCase),
    r: () => change((piece) => fill(piece, character)),
  };
  COMMANDS[name]?.();
}

function put(editor: Editor, count: number, isAfter: boolean): void {
  const { text: held, isWholeLines } = editor.register;
  if (held === '') return;
  const { text, cursor } = editor.buffer();
  if (!isWholeLines) {
    const at = isAfter ? Math.min(lineEnd(text, cursor), nextPlace(text, cursor)) : cursor;
    editor.replace({ from: at, to: at }, held.repeat(count));
    return editor.place(moveTo(editor.buffer(), previousPlace(editor.buffer().text, editor.buffer().cursor)));
  }
  const lines = Array.from({ length: count }, () => held).join('\n');
  const at = isAfter ? lineEnd(text, cursor) : lineStart(text, cursor);
  editor.replace({ from: at, to: at }, isAfter ? `\n${lines}` : `${lines}\n`);
  const first = isAfter ? at + 1 : at;
  editor.place(moveTo(editor.buffer(), indentEnd(editor.buffer().text, first)));
}

/** The replaced text goes to the register. Lines over a part of a line become lines of their own. */
function putOver(editor: Editor, range: Range, isLines: boolean): void {
  const { text: held, isWholeLines } = editor.register;
  editor.register = { text: editor.buffer().text.slice(range.from, range.to), isWholeLines: isLines };
  const breaks = isWholeLines && !isLines ? '\n' : '';
  editor.replace(range, breaks + held + breaks);
  const { text, cursor } = editor.buffer();
  const place = isWholeLines ? indentEnd(text, range.from + breaks.length) : cursor;
  editor.place(settled(moveTo(editor.buffer(), place)));
}

function rewrite(editor: Editor, range: Range, into: (piece: string) => string): void {
  const { text } = editor.buffer();
  const piece = into(text.slice(range.from, range.to));
  editor.replace(range, piece);
  editor.place(settled(editor.buffer()));
}

function joinLines(editor: Editor, { from, to }: Range): void {
  const { text } = editor.buffer();
  const start = lineEnd(text, from);
  const end = Math.max(to, Math.min(text.length, start + 1));
  const joined = text.slice(start, end).replace(/\s*\n\s*/g, ' ');
  editor.edit(bufferOf(text.slice(0, start) + joined + text.slice(end), start));
}

function swapCase(piece: string): string {
  return [...piece].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}

function fill(piece: string, character: string): string {
  return piece.replace(/[^\n]/gu, () => character);
}
