import type { Host, Services } from '@fucina/host';
import type { ExitCode } from '../../exit-codes.ts';
import { openExistingSession } from '../../one-shot/begin.ts';
import { openHost } from '../../open-host.ts';
import { createItemDrawer } from '../cards/draw-item.ts';
import { createPicker } from '../pickers/picker.ts';
import type { Workbench } from '../workbench.ts';
import { exitLines } from './exit-output.ts';
import { openTerminalScreen } from './set-up.ts';
import type { ScreenContext, ScreenStart } from './stage.ts';
import { createViewState } from './view-state.ts';

export interface ScreenRun extends ScreenStart {
  /** The first message. */
  message: string | undefined;
  /** Notices about the user's settings. */
  warnings(): Promise<readonly string[]>;
}

/**
 * Shows the first frame, opens the data folder in the background, and resolves with how the user quit. Throws if it
 * cannot be opened.
 */
export async function runScreen(run: ScreenRun): Promise<ExitCode> {
  const ambient = await run.terminal.io.ambient('error');
  const stage = openTerminalScreen(run, ambient);
  let host: Host | undefined;
  const live = async (): Promise<ExitCode> => {
    // The first frame is written before the event loop is blocked.
    await ambient.sleep(0);
    host = await openHost(run.terminal.io, run.choices.host);
    await begin(run, stage, host.services);
    return stage.left.promise;
  };
  try {
    const exit = await Promise.race([live(), stage.left.promise]);
    await endTurn(stage);
    stage.strike();
    printResumeHint(stage);
    return exit;
  } finally {
    stage.strike();
    await stage.history.settled();
    await host?.close();
  }
}

async function begin(run: ScreenRun, stage: ScreenContext, services: Services): Promise<void> {
  const { conversation, choices, services: opened, workbench, app } = stage;
  for (const warning of await run.warnings()) conversation.tell({ tone: 'warning', body: warning });
  opened.resolve(services);
  workbench.resolve(workbenchOf(stage, services));
  const known = await openExistingSession(choices, services);
  if (known !== undefined) await conversation.open(known);
  app.opened();
  const text = run.message;
  if (text !== undefined) void conversation.say({ text, images: [] }).catch(stage.tellFailure);
}

function workbenchOf(stage: ScreenContext, services: Services): Workbench {
  const { terminal, config, choices, conversation, app, composer, writer, keymap, left } = stage;
  return {
    services,
    terminal,
    config,
    dir: choices.dir,
    host: choices.host,
    keymap,
    conversation,
    tell: conversation.tell,
    pick(request) {
      const close = (): void => app.pick(undefined);
      app.pick(createPicker(request, { terminal, keymap, changed: app.changed, close, failed: stage.tellFailure }));
    },
    page: app.page,
    compose: composer.compose,
    suspend: stage.lending.lend,
    redraw() {
      writer.forget();
      app.changed();
    },
    exit: () => left.resolve(0),
    runProgram: stage.runProgram,
  };
}

/** A turn running here ends as if the user had stopped it; quitting waits only briefly for that. */
async function endTurn({ conversation, services, ambient }: ScreenContext): Promise<void> {
  const sessionId = conversation.sessionId();
  if (sessionId === undefined || !conversation.isBusy() || conversation.isElsewhere()) return;
  const { sessions } = await services.promise;
  // What cannot be stopped ends with the process.
  await conversation.stop().catch(() => undefined);
  await Promise.race([sessions.turns.settled(sessionId), ambient.sleep(STOP_MS)]);
}

const STOP_MS = 2_000;

function printResumeHint({ conversation, terminal, ui, palette, highlighter }: ScreenContext): void {
  const { io, say, language, out } = terminal;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return;
  const view = createViewState({ ui, say, highlighter, changed: () => undefined });
  const lines = exitLines({
    state: conversation.state(),
    sessionId,
    look: view.lookFor(io.stdout.columns ?? 80),
    drawer: createItemDrawer(language),
    say,
    isWhole: ui.exitOutput === 'transcript',
  });
  for (const line of lines) out(palette.paint(line));
}
