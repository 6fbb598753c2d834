import type { Services } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import { cleanLine } from '../../clean-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Io } from '../../io.ts';
import { dataDirOf } from '../../open-host.ts';
import { openComposer } from '../commands/open-composer.ts';
import { createConversation } from '../conversation/conversation.ts';
import type { Composer } from '../input/composer.ts';
import { createHistory } from '../input/history.ts';
import { createKeymap } from '../input/keymap.ts';
import { openInput } from '../input/source.ts';
import type { Size } from '../part.ts';
import { sentenceOf } from '../pickers/sentence.ts';
import { createHighlighter } from '../render/highlight.ts';
import { createPalette } from '../render/palette.ts';
import type { Workbench } from '../workbench.ts';
import { createAfterTurn } from './after-turn.ts';
import { type App, createApp, titleOf } from './app.ts';
import { appActions } from './app-actions.ts';
import { deferred } from './deferred.ts';
import { createFrameWriter } from './frame-writer.ts';
import { createLending } from './lending.ts';
import { notification } from './notify.ts';
import { createPanels } from './panels.ts';
import { openScreenMode } from './screen-mode.ts';
import type { ScreenContext, ScreenStart } from './stage.ts';
import { uiSettings } from './ui-settings.ts';

/** Takes over the terminal and shows the first frame. */
export function openTerminalScreen(start: ScreenStart, ambient: Ambient): ScreenContext {
  const { terminal, config, choices } = start;
  const { io } = terminal;
  const ui = uiSettings(config, io.env);
  const hold = openScreenMode(io, ui);
  const stage = { ...start, ambient, ui, hold, keymap: createKeymap(config.keymap) } as ScreenContext;
  // Before anything is written: until keys are read raw, the terminal turns Enter into a line feed and echoes its answers.
  stage.input = openInput(io.stdin, { ambient, onBackground: (isLight) => repaint(stage, isLight) });
  hold.take();
  stage.palette = createPalette({ env: io.env, theme: config.theme });
  stage.highlighter = createHighlighter(() => stage.app.changed());
  stage.writer = createFrameWriter(io.stdout);
  stage.services = deferred<Services>();
  stage.workbench = deferred<Workbench>();
  stage.left = deferred<ExitCode>();
  const dataDir = stage.services.promise.then(() => (ui.keepsHistory ? dataDirOf(io, choices.host) : undefined));
  stage.history = createHistory({ ambient, dataDir });
  stage.tellFailure = (error) => {
    const sentence = sentenceOf(error, terminal);
    ambient.log.warn('screen.failed', { error });
    stage.conversation.tell({ tone: 'danger', body: sentence });
  };
  stage.conversation = createConversation({
    terminal,
    ambient,
    choices,
    busyInput: ui.busyInput,
    services: stage.services.promise,
    changed: () => stage.app.changed(),
    happened(what) {
      notifyUser(stage, what);
      if (what === 'turn-over') void afterTurn();
    },
    failed: stage.tellFailure,
  });
  const closing = new AbortController();
  const afterTurn = createAfterTurn({
    terminal,
    conversation: stage.conversation,
    services: stage.services.promise,
    suggestsTitles: ui.suggestsTitles,
    signal: closing.signal,
    failed: stage.tellFailure,
  });
  stage.app = newApp(stage);
  stage.lending = createLending(stage);
  const strike = listenTo(stage);
  stage.strike = () => {
    closing.abort();
    strike();
  };
  return stage;
}

function sizeOf({ stdout }: Io): Size {
  return { width: stdout.columns ?? 80, height: stdout.rows ?? 24 };
}

function newApp(stage: ScreenContext): App {
  const { terminal, ambient, ui, keymap, conversation, hold, choices, left, writer } = stage;
  const { io } = terminal;
  const folder = shortFolder(choices.dir, io);
  const panels = createPanels(stage);
  return createApp({
    terminal,
    ambient,
    ui,
    conversation,
    keymap,
    palette: () => stage.palette,
    highlighter: stage.highlighter,
    folder,
    size: () => sizeOf(io),
    show(rows, cursor) {
      writer.show({ rows, cursor });
      hold.title(titleOf(folder, conversation.isBusy()));
    },
    composer: (changed) => (stage.composer = newComposer(stage, changed)),
    panel: panels.panel,
    act: appActions(stage),
    exit: () => left.resolve(EXIT.done),
    failed: left.reject,
  });
}

function newComposer(stage: ScreenContext, changed: () => void): Composer {
  const { terminal, ambient, keymap, choices, conversation, workbench, history } = stage;
  return openComposer({
    terminal,
    ambient,
    keymap,
    history,
    dir: choices.dir,
    workbench: workbench.promise,
    isBusy: conversation.isBusy,
    choice: conversation.choice,
    changed,
  });
}

/** Selects the colors for the terminal's background, once it is known. */
function repaint(stage: ScreenContext, isLight: boolean): void {
  if (stage.palette.isLight === isLight) return;
  stage.palette = createPalette({ env: stage.terminal.io.env, theme: stage.config.theme, isLight });
  stage.app.changed();
}

/** Handles input until the terminal is released. */
function listenTo(stage: ScreenContext): () => void {
  const { terminal, app, input, hold, lending, writer, left } = stage;
  const { stdin, stdout } = terminal.io;
  const resized = (): void => {
    writer.forget();
    app.changed();
  };
  const gone = (): void => left.resolve(EXIT.interrupted);
  const forgetInterrupt = terminal.io.onInterrupt((signal) => {
    // Ctrl+C is for the program that has the terminal.
    if (signal !== 'SIGINT' || !lending.isLent()) gone();
  });
  input.listen(app.take);
  stdout.on('resize', resized);
  stdin.once('end', gone);
  stdin.once('error', gone);
  let isStruck = false;
  return () => {
    if (isStruck) return;
    isStruck = true;
    forgetInterrupt();
    stdout.off('resize', resized);
    stdin.off('end', gone);
    lending.close();
    input.close();
    app.close();
    writer.close();
    hold.release();
  };
}

const AWAY_MS = 30_000;

/**
 * Notifies a user whose terminal has no focus; if the terminal does not report focus, one who has not pressed a key for
 * a while.
 */
function notifyUser({ app, ambient, ui, terminal, conversation }: ScreenContext, what: 'turn-over' | 'request'): void {
  const isAway = !(app.isFocused() ?? ambient.monotonic() - app.lastKeyAt() < AWAY_MS);
  if (!isAway || (what === 'turn-over' && conversation.queue().messages.length > 0)) return;
  const { io, say } = terminal;
  io.stdout.write(notification(ui.notifications, say(`notify.${what}`), io.env));
}

const FOLDER_WIDTH = 60;

/** With ~ for the user's home, truncated at its beginning. */
function shortFolder(dir: string, { home }: Io): string {
  const isInside = dir === home || dir.startsWith(`${home}/`);
  const shown = cleanLine(isInside ? `~${dir.slice(home.length)}` : dir, Number.MAX_SAFE_INTEGER);
  const characters = [...shown];
  return characters.length > FOLDER_WIDTH ? `…${characters.slice(1 - FOLDER_WIDTH).join('')}` : shown;
}
