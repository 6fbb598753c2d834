import type { Host, Services } from '@fucina/host';
import { type ChoiceFlags, type Choices, choicesOf, folderOf, orRefused } from '../../choices.ts';
import { cleanLine } from '../../clean-text.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { reportFailure } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { openKnown } from '../../one-shot/begin.ts';
import { openHost } from '../../open-host.ts';
import { createTerminal, type Terminal } from '../../terminal.ts';
import { createConversation } from '../conversation/conversation.ts';
import { createKeymap } from '../input/keymap.ts';
import { openInput } from '../input/source.ts';
import { createPalette } from '../look/palette.ts';
import type { Size } from '../part.ts';
import { createApp } from './app.ts';
import { createFrameWriter } from './frame-writer.ts';
import { createCanvas } from './ink-canvas.tsx';
import { holdTerminal } from './terminal-hold.ts';

export interface ScreenFlags extends ChoiceFlags {
  color?: boolean;
  /** The first message. */
  message?: string;
}

/** The interactive screen, from its first frame to the terminal given back. */
export async function startScreen(flags: ScreenFlags, io: Io): Promise<ExitCode> {
  const isPlain = flags.color === false;
  const asking = createTerminal(io, { isPlain });
  try {
    const gathered = await orRefused(asking, async () => gather(flags, io));
    if ('exit' in gathered) return gathered.exit;
    const terminal = createTerminal(io, { isPlain, theme: gathered.config.theme });
    return await runScreen(gathered, { terminal, message: flags.message });
  } catch (error) {
    return reportFailure(error, asking);
  }
}

interface Gathered {
  config: Config;
  choices: Choices;
}

function gather(flags: ScreenFlags, io: Io): Gathered {
  const dir = folderOf(flags, io);
  const config = readConfig(io, dir);
  return { config, choices: choicesOf(flags, config, { io, dir }) };
}

async function runScreen(
  { config, choices }: Gathered,
  { terminal, message }: { terminal: Terminal; message: string | undefined },
): Promise<ExitCode> {
  const { io } = terminal;
  const { stdout } = io;
  const ambient = await io.ambient('error');
  const hasMouse = config.values.get('ui.mouse')?.value === true;
  const size = (): Size => ({ width: stdout.columns ?? 80, height: stdout.rows ?? 24 });
  const hold = holdTerminal(io, { hasMouse });
  hold.take();
  const writer = createFrameWriter(stdout);
  const canvas = createCanvas(writer, size);
  const palette = createPalette({ env: io.env, theme: config.theme });
  const leaving = newLeaving();
  const opening = newOpening();
  const conversation = createConversation({
    terminal,
    ambient,
    choices,
    busyInput: 'queue',
    services: opening.services,
    changed: () => app.changed(),
    happened: () => undefined,
    failed: leaving.fail,
  });
  const app = createApp({
    terminal,
    ambient,
    conversation,
    keymap: createKeymap(),
    palette,
    folder: shortFolder(choices.dir, io),
    size,
    show: canvas.show,
    exit: () => leaving.leave(EXIT.done),
  });
  const input = openInput(io.stdin, ambient);
  input.listen(app.take);
  const resized = (): void => {
    writer.forget();
    app.changed();
  };
  stdout.on('resize', resized);
  const forget = io.onInterrupt(() => leaving.leave(EXIT.interrupted));
  let host: Host | undefined;
  try {
    const begin = async (): Promise<ExitCode> => {
      // A turn of the event loop: what was drawn is seen before the folder is opened.
      await ambient.sleep(0);
      host = await openHost(io, choices.host);
      opening.resolve(host.services);
      const known = await openKnown(choices, host.services);
      if (known !== undefined) await conversation.open(known);
      app.opened();
      if (message !== undefined) await conversation.say({ text: message, images: [] });
      return leaving.left;
    };
    return await Promise.race([begin(), leaving.left]);
  } finally {
    forget();
    stdout.off('resize', resized);
    await conversation.stop().catch(() => undefined); // it is over, or another process has it
    input.close();
    app.close();
    canvas.close();
    hold.release();
    await host?.close();
  }
}

interface Leaving {
  left: Promise<ExitCode>;
  leave(code: ExitCode): void;
  fail(error: unknown): void;
}

function newLeaving(): Leaving {
  let leave: Leaving['leave'] = () => undefined;
  let fail: Leaving['fail'] = () => undefined;
  const left = new Promise<ExitCode>((resolve, reject) => {
    leave = resolve;
    fail = reject;
  });
  return { left, leave: (code) => leave(code), fail: (error) => fail(error) };
}

function newOpening(): { services: Promise<Services>; resolve(services: Services): void } {
  let resolve: (services: Services) => void = () => undefined;
  const services = new Promise<Services>((done) => (resolve = done));
  return { services, resolve: (made) => resolve(made) };
}

const FOLDER_WIDTH = 60;

/** With ~ for the person's home, cut at its beginning. */
function shortFolder(dir: string, { home }: Io): string {
  const isInside = dir === home || dir.startsWith(`${home}/`);
  return cleanLine(isInside ? `~${dir.slice(home.length)}` : dir, FOLDER_WIDTH);
}
