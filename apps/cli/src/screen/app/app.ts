import type { Ambient } from '@fucina/shared';
import { cleanLine } from '../../clean-text.ts';
import type { Terminal } from '../../terminal.ts';
import { createItemDrawer } from '../cards/draw-item.ts';
import type { LiveConversation } from '../conversation/conversation.ts';
import type { ScreenItem } from '../conversation/state.ts';
import type { Input, Mouse } from '../input/input.ts';
import type { Action, Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import type { ScreenPart, Size } from '../part.ts';
import type { Highlighter } from '../render/highlight.ts';
import type { Palette } from '../render/palette.ts';
import { cutLine } from '../render/wrap.ts';
import type { Frame } from './frame-writer.ts';
import { createFrames, type Frames } from './frames.ts';
import { layOut, type ScreenRows } from './layout.ts';
import { liveLine } from './live-line.ts';
import { createPage } from './page.ts';
import { createSearch } from './search.ts';
import { sideLines } from './side-lines.ts';
import { statusLine } from './status-line.ts';
import { createTranscript, type Transcript, type TranscriptPosition } from './transcript.ts';
import type { UiSettings } from './ui-settings.ts';
import { createViewState, type ViewState } from './view-state.ts';
import { welcome } from './welcome.ts';

export interface AppNeeds {
  terminal: Terminal;
  ambient: Ambient;
  ui: UiSettings;
  conversation: LiveConversation;
  keymap: Keymap;
  palette(): Palette;
  highlighter: Highlighter;
  /** Shown for the project folder, cleaned. */
  folder: string;
  size(): Size;
  show(rows: readonly string[], cursor: Frame['cursor']): void;
  /** The composer, once it can request a frame. */
  composer(changed: () => void): ScreenPart<Input> & { isEmpty(): boolean };
  /** The card of the open request, if any. */
  panel(): ScreenPart<Input> | undefined;
  /** Handles pickers, modes, copying. False: unknown action. */
  act(action: Action): boolean;
  exit(): void;
  /** A bug: drawing stops. */
  failed(error: unknown): void;
}

/** The screen: handles terminal input and draws the frame. */
export interface App {
  take(input: Input): void;
  /** Requests a frame; several requests give one. */
  changed(): void;
  /** The services are ready. */
  opened(): void;
  /** Shows an overlay above everything but the status line, until it closes itself. */
  page(title: string, lines: (width: number) => readonly Line[]): void;
  /** Replaces the composer; undefined restores it. */
  pick(picker: ScreenPart<Input> | undefined): void;
  /** Whether this terminal has the focus; undefined if it does not report it. */
  isFocused(): boolean | undefined;
  /** Time of the last key press, by the monotonic clock. */
  lastKeyAt(): number;
  /** Shows a short notice in place of the activity line. */
  flash(text: string): void;
  close(): void;
}

/** The mutable state of the screen, and its parts. */
interface ScreenState {
  needs: AppNeeds;
  frames: Frames;
  view: ViewState;
  transcript: Transcript;
  composer: ReturnType<AppNeeds['composer']>;
  page: ScreenPart<Input> | undefined;
  picker: ScreenPart<Input> | undefined;
  search: ScreenPart<Input> | undefined;
  marked: TranscriptPosition | undefined;
  laid: ScreenRows | undefined;
  isOpening: boolean;
  isStopping: boolean;
  /** Until when a second Ctrl+C quits. */
  leaveUntil: number;
  flash: { text: string; until: number } | undefined;
  isFocused: boolean | undefined;
  lastKeyAt: number;
  tick: number;
}

const SPINNER_MS = 120;
const CLOCK_MS = 1_000;
const LEAVE_MS = 2_000;
const FLASH_MS = 2_000;
const WHEEL_ROWS = 3;

export function createApp(needs: AppNeeds): App {
  const { ambient, terminal, ui } = needs;
  const paint = createPainter(needs.palette);
  const changed = (): void => state.frames.changed();
  const state: ScreenState = {
    needs,
    view: createViewState({ ui, say: terminal.say, highlighter: needs.highlighter, changed }),
    transcript: createTranscript(createItemDrawer(terminal.language)),
    composer: needs.composer(changed),
    frames: undefined as never,
    page: undefined,
    picker: undefined,
    search: undefined,
    marked: undefined,
    laid: undefined,
    isOpening: true,
    isStopping: false,
    leaveUntil: 0,
    flash: undefined,
    isFocused: undefined,
    lastKeyAt: ambient.monotonic(),
    tick: 0,
  };
  state.frames = createFrames({
    ambient,
    draw() {
      const laid = drawScreen(state, needs.size());
      state.laid = laid;
      needs.show(laid.lines.map(paint), laid.cursor);
      return nextTick(state);
    },
    failed: needs.failed,
  });

  return {
    changed,
    take(input) {
      try {
        takeInput(state, input);
        state.frames.urgent();
      } catch (error) {
        needs.failed(error);
      }
    },
    opened() {
      state.isOpening = false;
      changed();
    },
    page(title, lines) {
      const close = (): void => {
        state.page = undefined;
      };
      state.page = createPage({ title, lines, keymap: needs.keymap, say: terminal.say, close });
      changed();
    },
    pick(picker) {
      state.picker = picker;
      changed();
    },
    isFocused: () => state.isFocused,
    lastKeyAt: () => state.lastKeyAt,
    flash(text) {
      state.flash = { text, until: ambient.monotonic() + FLASH_MS };
      changed();
    },
    close: () => state.frames.close(),
  };
}

/** Painted lines, cached per palette. */
function createPainter(paletteNow: () => Palette): (line: Line) => string {
  let palette = paletteNow();
  let painted = new WeakMap<Line, string>();
  return (line) => {
    if (palette !== paletteNow()) {
      palette = paletteNow();
      painted = new WeakMap();
    }
    let row = painted.get(line);
    if (row === undefined) painted.set(line, (row = palette.paint(line)));
    return row;
  };
}

/** Redraws animated parts after an interval. */
function nextTick(state: ScreenState): number | undefined {
  const { conversation, ambient, ui } = state.needs;
  if (!conversation.isBusy()) {
    state.isStopping = false;
    return flashOf(state, ambient.monotonic()) === undefined ? undefined : FLASH_MS;
  }
  state.tick += 1;
  return ui.isStill ? CLOCK_MS : SPINNER_MS;
}

function drawScreen(state: ScreenState, size: Size): ScreenRows {
  const { needs, view, transcript, isOpening, isStopping } = state;
  const { conversation, terminal, folder, ambient, ui } = needs;
  const { say } = terminal;
  const { width, height } = size;
  const status = statusLine({ conversation, folder, say }, width);
  if (state.page) {
    const { lines } = state.page.draw({ width, height: height - 1 });
    return { lines: [...lines, status], places: [], cursor: undefined };
  }
  const { items, todo } = conversation.state();
  const flash = flashOf(state, ambient.monotonic());
  const tick = ui.isStill ? undefined : state.tick;
  const live = liveLine({ conversation, say, now: ambient.now(), tick, isOpening, isStopping }, width);
  return layOut(
    {
      transcript(room) {
        const look = view.lookFor(width);
        const hidden = conversation.request()?.requestId;
        const shown = withSending(items, conversation);
        if (shown.length > 0) return transcript.draw({ items: shown, look, isTurned: view.isTurned, hidden }, room);
        const { model } = conversation.choice();
        return { lines: welcome({ say, folder, model }, width).slice(0, room.height), places: [], newBelow: undefined };
      },
      marked: state.search && state.marked,
      side: (room) => sideLines({ todo, agents: conversation.agents(), say, isBusy: conversation.isBusy() }, room),
      live: flash === undefined ? live : cutLine([{ text: ` ${flash}`, token: 'warning' }], width),
      panel: needs.panel(),
      picker: state.picker,
      search: state.search,
      composer: state.composer,
      below: (count) => belowLine(count, state, width),
      status,
    },
    size,
  );
}

function flashOf({ needs, leaveUntil, flash }: ScreenState, now: number): string | undefined {
  if (now < leaveUntil) return needs.terminal.say('live.exit');
  return flash && now < flash.until ? flash.text : undefined;
}

function belowLine(count: number, { needs }: ScreenState, width: number): Line {
  const { say } = needs.terminal;
  const text = count > 0 ? say('live.below', { count }) : say('live.below-none');
  return cutLine([{ text: ` ${text} `, token: 'accentText', background: 'accent' }], width);
}

/** A message that starts a turn is shown at once. */
function withSending(items: readonly ScreenItem[], conversation: LiveConversation): readonly ScreenItem[] {
  const message = conversation.sending();
  if (!message || conversation.state().isRunning) return items;
  const images = message.images.map(({ id, name }) => ({ id, name }));
  const { turn } = conversation.state();
  const common = { turn: turn + 1, reference: undefined, isRemoved: false, steer: undefined };
  return [...items, { kind: 'user', key: 'sending', text: message.text, images, ...common }];
}

/** First the focused part, then the global meaning of a key. */
function takeInput(state: ScreenState, input: Input): void {
  if (input.kind === 'focus') {
    state.isFocused = input.isFocused;
    return;
  }
  state.lastKeyAt = state.needs.ambient.monotonic();
  if (suspends(input, state.needs.keymap)) return void state.needs.act('suspend');
  if (state.page) return void state.page.take(input);
  if (input.kind === 'mouse') return takeMouse(state, input);
  if (state.picker) return void state.picker.take(input);
  const front = [state.search, state.needs.panel(), state.composer];
  if (front.some((part) => part?.take(input)) || input.kind !== 'key') return;
  const action = state.needs.keymap.actionOf(input, 'app');
  if (action) act(state, action, input.name);
}

/** Everywhere, unless the user gave the key another meaning. */
function suspends(input: Input, keymap: Keymap): boolean {
  if (input.kind !== 'key' || keymap.actionOf(input, 'composer') !== 'suspend') return false;
  return (['approval', 'list'] as const).every((context) => keymap.actionOf(input, context) === undefined);
}

function takeMouse(state: ScreenState, input: Mouse): void {
  if (input.action === 'wheel-up') return state.transcript.scroll(-WHEEL_ROWS);
  if (input.action === 'wheel-down') return state.transcript.scroll(WHEEL_ROWS);
  if (input.action !== 'press' || input.button !== 'left') return;
  const place = state.laid?.places[input.row];
  if (place) state.view.turn(place.key);
}

function act(state: ScreenState, action: Action, key: string): void {
  const { transcript, view, laid } = state;
  const rows = Math.max(1, (laid?.places.length ?? 2) - 2);
  switch (action) {
    case 'interrupt':
      return interrupt(state, key);
    case 'exit':
      return state.needs.exit();
    case 'page-up':
      return transcript.scroll(-rows);
    case 'page-down':
      return transcript.scroll(rows);
    case 'tool-details':
      return view.toggle('details');
    case 'reasoning':
      return view.toggle('reasoning');
    case 'transcript-raw':
      return view.toggle('raw');
    case 'transcript-search':
      return search(state);
    default:
      state.needs.act(action);
  }
}

/** Esc and Ctrl+C end the turn; Ctrl+C twice always quits. */
function interrupt(state: ScreenState, key: string): void {
  const { conversation, ambient, exit } = state.needs;
  const isEscape = key === 'escape';
  const now = ambient.monotonic();
  if (!isEscape && now < state.leaveUntil) return exit();
  if (conversation.isBusy()) {
    state.isStopping = true;
    state.needs.act('interrupt');
  } else if (isEscape) return state.transcript.toEnd();
  if (!isEscape) state.leaveUntil = now + LEAVE_MS;
}

function search(state: ScreenState): void {
  const { needs, transcript } = state;
  state.search = createSearch({
    say: needs.terminal.say,
    keymap: needs.keymap,
    find: transcript.find,
    reveal(place) {
      state.marked = place;
      transcript.reveal(place);
    },
    close() {
      state.search = undefined;
      state.marked = undefined;
    },
  });
}

/** The terminal's title. */
export function titleOf(folder: string, isBusy: boolean): string {
  return `${isBusy ? '● ' : ''}${cleanLine(folder, TITLE_WIDTH)} · fucina`;
}

const TITLE_WIDTH = 60;
