import type { Ambient } from '@fucina/shared';
import type { Terminal } from '../../terminal.ts';
import type { DrawnLines, ScreenPart, Size } from '../part.ts';
import type { BusyInput, SessionChoice, Workbench } from '../workbench.ts';
import { copyToTerminal } from './clipboard.ts';
import type { Candidate } from './completion/candidate.ts';
import { createSuggestions, type Suggestions } from './completion/suggestions.ts';
import { type Trigger, triggerAt } from './completion/trigger.ts';
import { type ComposerView, drawComposer, textWidthIn } from './composer-view.ts';
import { bufferOf, moveTo, selectionOf } from './editor/buffer.ts';
import { createEditor, type Editor } from './editor/editor.ts';
import { createVim, type Vim } from './editor/vim.ts';
import { editInExternalEditor } from './external-editor.ts';
import type { History } from './history.ts';
import { createHistoryWalk, type HistorySearch, type HistoryWalk, searchHistory } from './history-walk.ts';
import type { Input, Key, Paste } from './input.ts';
import type { Action, Keymap } from './keymap.ts';
import { clipboardPicture, type Picture, picturePathIn, readPicture, uploadPicture } from './pictures.ts';

/** A submitted message. */
export interface Draft {
  /** With the full text of long pastes. */
  text: string;
  images: readonly Promise<{ id: string; name: string }>[];
}

export interface ComposerNeeds {
  terminal: Terminal;
  ambient: Pick<Ambient, 'log'>;
  keymap: Keymap;
  history: History;
  /** The project folder, absolute. */
  dir: string;
  /** Available once the data folder is open. */
  workbench: Promise<Workbench>;
  isBusy(): boolean;
  /** Folder of the session, or of the next one. */
  choice(): SessionChoice;
  /** `how` only when the user chose it with the key. Reports its own failures. */
  send(draft: Draft, how?: BusyInput): void;
  /** Enter without a text. False when nothing waits for it. */
  sendNothing(): boolean;
  candidates(trigger: Trigger): Promise<readonly Candidate[]>;
  changed(): void;
}

/**
 * The message editor. Draw it with the size of the whole screen: it takes at most a third of the height, with the
 * suggestions above it. Keys that stop a turn, scroll pages or open something else are not handled: `take` returns
 * false.
 */
export interface Composer extends ScreenPart<Input> {
  draw(size: Size): DrawnLines;
  isEmpty(): boolean;
  /** Replaces the text; undo restores the earlier one. */
  compose(text: string): void;
  /** Restores a message that could not be sent, unless other text was typed. */
  restore(text: string): void;
  /** Restores a cancelled message, before text typed since. */
  giveBack(text: string): void;
}

/** The mutable state of a composer. */
interface ComposerState {
  editor: Editor;
  vim: Vim;
  isVim: boolean;
  walk: HistoryWalk;
  search: HistorySearch | undefined;
  suggestions: Suggestions;
  /** First visible row of a long text. */
  view: ComposerView;
  width: number;
}

export function createComposer(needs: ComposerNeeds): Composer {
  const { changed, candidates } = needs;
  const editor = createEditor();
  const state: ComposerState = {
    editor,
    vim: createVim(editor),
    isVim: false,
    walk: createHistoryWalk(needs.history),
    search: undefined,
    suggestions: createSuggestions({ candidates, changed }),
    view: { top: 0 },
    width: 80,
  };
  const composing =
    (put: (text: string) => void) =>
    (text: string): void => {
      state.search = undefined;
      state.suggestions.close();
      put(text);
      changed();
    };
  const giveBack = composing(editor.takeBack);
  return {
    isEmpty: () => editor.buffer().text === '',
    compose: composing((text) => editor.set(text)),
    restore: (text) => {
      if (editor.buffer().text === '') giveBack(text);
    },
    giveBack,
    draw(size) {
      state.width = textWidthIn(size.width);
      return drawComposer(
        {
          editor,
          search: state.search,
          suggestions: state.suggestions.list(),
          vim: state.isVim
            ? { mode: state.vim.mode(), pending: state.vim.pending(), selection: state.vim.selection() }
            : undefined,
          choice: needs.choice(),
          say: needs.terminal.say,
          view: state.view,
        },
        size,
      );
    },
    take(input) {
      if (input.kind === 'mouse' || input.kind === 'focus') return false;
      const before = editor.buffer();
      const isTaken = input.kind === 'paste' ? takePaste(input, state, needs) : takeKey(input, state, needs);
      const { text, cursor } = editor.buffer();
      if (isTaken && (text !== before.text || cursor !== before.cursor)) {
        const isWriting = state.search === undefined && (!state.isVim || state.vim.mode() === 'insert');
        state.suggestions.follow(isWriting ? triggerAt(text, cursor) : undefined);
      }
      if (isTaken) changed();
      return isTaken;
    },
  };
}

function takePaste({ text }: Paste, state: ComposerState, needs: ComposerNeeds): boolean {
  state.search = undefined;
  state.walk.leave();
  const path = picturePathIn(text);
  if (path === undefined) pasteText(text, state, needs);
  else
    attach(
      { state, needs },
      () => readPicture(path, { dir: needs.dir, home: needs.terminal.io.home }),
      () => pasteText(text, state, needs),
    );
  return true;
}

function pasteText(text: string, { editor }: ComposerState, { terminal }: ComposerNeeds): void {
  editor.paste(text, (lines) => `[${terminal.say('composer.pasted', { lines })}]`);
}

/** Inserts a chip when an image is available; calls `otherwise` when there is none. */
function attach(
  { state, needs }: Pick<Doing, 'state' | 'needs'>,
  read: () => Promise<Picture | undefined>,
  otherwise: () => void,
): void {
  void (async () => {
    const picture = await read();
    if (picture) {
      const image = needs.workbench.then(({ services }) => uploadPicture(picture, services));
      // An error is reported when the message is sent.
      image.catch(() => undefined);
      state.editor.insertChip({ kind: 'image', label: `[${picture.name}]`, image });
    } else otherwise();
    needs.changed();
  })().catch((error: unknown) => needs.ambient.log.warn('composer.picture', { error }));
}

function takeKey(key: Key, state: ComposerState, needs: ComposerNeeds): boolean {
  if (state.search) return takeSearch(key, state, needs);
  if (state.suggestions.list() && takeSuggestion(key, state, needs)) return true;
  const action = needs.keymap.actionOf(key, 'composer');
  if (state.isVim && action !== 'vim') {
    const wasInsert = state.vim.mode() === 'insert';
    if (state.vim.take(key) === 'taken') return true;
    if (!wasInsert) return act(action ?? LINE_MOVES[key.name], { key, state, needs });
  }
  return act(action, { key, state, needs });
}

/** At the first and the last line they navigate the history. */
const LINE_MOVES: Readonly<Record<string, Action>> = { k: 'history-previous', j: 'history-next' };

interface Doing {
  key: Key;
  state: ComposerState;
  needs: ComposerNeeds;
}

function act(action: Action | undefined, doing: Doing): boolean {
  const { key, state } = doing;
  const { editor } = state;
  const isEmpty = editor.buffer().text === '';
  if (action === undefined || (action === 'help' && !isEmpty)) return write(key, state);
  const own = ACTS[action];
  if (own) return own(doing);
  if (action === 'exit' && !isEmpty) return editor.act('delete-right', state.width) || true;
  const isUsed = editor.act(action, state.width);
  if (action === 'copy' && isUsed)
    copyToTerminal(editor.chips.expand(editor.register.text), doing.needs.terminal.io.stdout);
  if (isUsed) state.walk.leave();
  return isUsed || isEditing(action);
}

/** Editor keys without an effect are still handled here. */
function isEditing(action: Action): boolean {
  return EDITING.has(action);
}

const EDITING: ReadonlySet<Action> = new Set(['undo', 'redo', 'copy', 'delete-left', 'delete-right']);

const ACTS: Partial<Record<Action, (doing: Doing) => boolean>> = {
  submit: (doing) => submit(doing, undefined),
  steer: (doing) => submit(doing, doing.needs.isBusy() ? 'steer' : undefined),
  interrupt: giveWay,
  'history-previous': ({ state, needs }) => {
    walk(state, -1);
    // Requested before it was read.
    if (needs.history.entries().length === 0) whenRead(needs, () => isUntouched(state) && walk(state, -1));
    return true;
  },
  'history-next': ({ state }) => walk(state, 1),
  'history-search': ({ state, needs }) => {
    state.suggestions.close();
    state.search = searchHistory(needs.history, '');
    whenRead(needs, () => {
      if (state.search) state.search = searchHistory(needs.history, state.search.query);
    });
    return true;
  },
  complete: ({ state }) => {
    const { text, cursor } = state.editor.buffer();
    state.suggestions.close();
    state.suggestions.follow(triggerAt(text, cursor));
    return true;
  },
  vim: ({ state }) => {
    state.isVim = !state.isVim;
    state.vim.reset();
    return true;
  },
  editor: ({ state, needs }) => {
    void editWith(state, needs).catch((error: unknown) => needs.ambient.log.warn('composer.editor', { error }));
    return true;
  },
  'paste-image': ({ state, needs }) => {
    const { io, say } = needs.terminal;
    attach(
      { state, needs },
      () => clipboardPicture(io.env),
      () => void needs.workbench.then(({ tell }) => tell({ tone: 'info', body: say('composer.no-picture') })),
    );
    return true;
  },
  help: ({ needs }) => {
    needs.send({ text: '/help', images: [] });
    return true;
  },
};

function write({ text, isCtrl, isAlt }: Key, state: ComposerState): boolean {
  const isWriting = !state.isVim || state.vim.mode() === 'insert';
  if (text === undefined || isCtrl || isAlt || !isWriting) return false;
  state.editor.type(text);
  state.walk.leave();
  return true;
}

/** Ctrl+C and Esc: first the selection, then, between turns and with Ctrl+C only, the text. */
function giveWay({ key, state: { editor, walk: history }, needs: { isBusy } }: Doing): boolean {
  const buffer = editor.buffer();
  if (selectionOf(buffer)) {
    editor.place(moveTo(buffer, buffer.cursor));
    return true;
  }
  if (key.name === 'escape' || buffer.text === '' || isBusy()) return false;
  history.leave();
  editor.set('');
  return true;
}

function submit({ state, needs }: Pick<Doing, 'state' | 'needs'>, how: BusyInput | undefined): boolean {
  const { editor } = state;
  const { text, cursor } = editor.buffer();
  // For a terminal that cannot distinguish Shift+Enter from Enter.
  if (cursor === text.length && text.endsWith('\\')) {
    editor.replace({ from: cursor - 1, to: cursor }, '\n');
    return true;
  }
  const whole = editor.whole();
  if (whole.trim() === '') return needs.sendNothing();
  needs.history.add(whole.trimEnd());
  const draft: Draft = { text: whole.trim(), images: editor.chips.imagesIn(text) };
  editor.clear();
  state.vim.reset();
  state.walk.leave();
  state.suggestions.close();
  needs.send(draft, how);
  return true;
}

/** A row up or down; at the first and last row, the previous or next history entry. */
function walk({ editor, walk: history, width }: ComposerState, by: 1 | -1): boolean {
  if (editor.moveRow(by, width)) return true;
  const text = by < 0 ? history.older(editor.whole()) : history.newer();
  if (text === undefined) return true;
  editor.set(text);
  // When moving up, the cursor is in the first row, so that the next key continues.
  if (by < 0) editor.place(bufferOf(editor.buffer().text, text.includes('\n') ? 0 : text.length));
  return true;
}

function whenRead({ history, changed }: ComposerNeeds, act: () => void): void {
  void history.settled().then(() => {
    act();
    changed();
  });
}

function isUntouched({ editor, search }: ComposerState): boolean {
  return editor.buffer().text === '' && search === undefined;
}

function takeSearch(key: Key, state: ComposerState, { history, keymap }: ComposerNeeds): boolean {
  const { search, editor } = state;
  if (!search) return false;
  const { query, matches, chosen } = search;
  const action = keymap.actionOf(key, 'list');
  const found = matches[chosen];
  if (action === 'list-close') state.search = undefined;
  else if (action === 'list-choose' || key.name === 'tab') {
    state.search = undefined;
    if (found !== undefined) editor.set(found);
  } else if (action === 'list-down' || keymap.actionOf(key, 'composer') === 'history-search')
    state.search = { ...search, chosen: Math.min(chosen + 1, Math.max(0, matches.length - 1)) };
  else if (action === 'list-up') state.search = { ...search, chosen: Math.max(0, chosen - 1) };
  else if (key.name === 'backspace') state.search = searchHistory(history, [...query].slice(0, -1).join(''));
  else if (key.text && !key.isCtrl && !key.isAlt) state.search = searchHistory(history, query + key.text);
  return true;
}

function takeSuggestion(key: Key, state: ComposerState, needs: ComposerNeeds): boolean {
  const { suggestions } = state;
  const action = needs.keymap.actionOf(key, 'list');
  if (action === 'list-up' || action === 'list-down') suggestions.move(action === 'list-up' ? -1 : 1);
  else if (key.name === 'escape') suggestions.dismiss();
  else if (needs.keymap.actionOf(key, 'composer') === 'complete') return accept(state);
  else if (action === 'list-choose') return choose(state, needs);
  else return false;
  return true;
}

function accept({ suggestions, editor }: ComposerState): boolean {
  const list = suggestions.list();
  const candidate = suggestions.current();
  if (!list || !candidate) return false;
  editor.replace(list.trigger, candidate.text);
  suggestions.close();
  return true;
}

/**
 * Enter: inserts the chosen candidate, and sends it when it needs no argument. False: the typed text is sent as it is.
 * A merely similar command is never run: its row must be chosen with the arrow keys.
 */
function choose(state: ComposerState, needs: ComposerNeeds): boolean {
  const list = state.suggestions.list();
  const candidate = state.suggestions.current();
  if (!list || !candidate) return false;
  const { text } = state.editor.buffer();
  const typed = text.slice(list.trigger.from, list.trigger.to);
  const isSaid = candidate.text.trim() === typed.trim() || list.candidates.some((one) => one.label === typed);
  const { kind, query } = list.trigger;
  const isTyped = !list.isMoved && (kind === 'argument' ? query === '' : kind === 'command' && query !== '');
  if (isSaid || isTyped) return false;
  accept(state);
  // After a single slash Enter only inserts the name.
  if (kind === 'command' && !list.isMoved) return true;
  return candidate.isWhole ? submit({ state, needs }, undefined) : true;
}

async function editWith({ editor }: ComposerState, { workbench, terminal, changed }: ComposerNeeds): Promise<void> {
  const { suspend, tell } = await workbench;
  const { text } = editor.buffer();
  const edited = await suspend(() => editInExternalEditor(editor.whole(), terminal.io));
  if (edited === undefined) tell({ tone: 'warning', body: terminal.say('composer.editor-failed') });
  else editor.set(edited, text);
  changed();
}
