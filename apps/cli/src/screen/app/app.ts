import type { Ambient } from '@fucina/shared';
import { asAppError, factsOf } from '../../failure.ts';
import type { Terminal } from '../../terminal.ts';
import type { CardLook } from '../cards/card.ts';
import { createItemDrawer } from '../cards/draw-item.ts';
import type { LiveConversation } from '../conversation/conversation.ts';
import type { Input } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import type { Palette } from '../look/palette.ts';
import type { Drawn, Size } from '../part.ts';
import type { Frame } from './frame-writer.ts';
import { liveLine } from './live-line.ts';
import { statusLine } from './status-line.ts';
import { createTextBox } from './text-box.ts';
import { createTranscript } from './transcript.ts';

export interface AppNeeds {
  terminal: Terminal;
  ambient: Ambient;
  conversation: LiveConversation;
  keymap: Keymap;
  palette: Palette;
  folder: string;
  size(): Size;
  show(rows: readonly string[], cursor: Frame['cursor']): void;
  exit(): void;
}

/** The screen: takes what the terminal sends, draws what there is to see. */
export interface App {
  take(input: Input): void;
  /** Asks for a frame; many at once are one. */
  changed(): void;
  opened(): void;
  close(): void;
}

const FRAME_MS = 16;
const TICK_MS = 120;

export function createApp(needs: AppNeeds): App {
  const { ambient, conversation, terminal, keymap, palette } = needs;
  const { say } = terminal;
  const transcript = createTranscript(createItemDrawer(terminal.language));
  let look: CardLook | undefined;
  let isOpening = true;
  let isClosed = false;
  let tick = 0;
  let cancelFrame: (() => void) | undefined;
  let cancelTick: (() => void) | undefined;
  let lastFrameAt = 0;

  const lookOf = (width: number): CardLook => {
    if (look?.width !== width) {
      look = { width, proseWidth: width, say, isMarkdown: true, showsReasoning: false, isUnfolded: false };
    }
    return look;
  };
  const tell = (error: unknown): void => {
    const known = asAppError(error);
    if (!known) throw error;
    const { message, action } = factsOf(known, terminal);
    conversation.tell({ tone: 'danger', body: [message, action].filter(Boolean).join('\n') });
  };
  const composer = createTextBox({
    submit: (text) => void conversation.say({ text, images: [] }).catch(tell),
    changed: () => changed(),
  });

  const draw = (): void => {
    cancelFrame = undefined;
    if (isClosed) return;
    lastFrameAt = ambient.monotonic();
    const size = needs.size();
    const { lines, cursor } = compose(size);
    needs.show(lines.map(palette.paint), cursor);
    if (conversation.isBusy() && !cancelTick) {
      cancelTick = ambient.timer(TICK_MS, () => {
        cancelTick = undefined;
        tick += 1;
        changed();
      });
    }
  };
  const changed = (): void => {
    if (isClosed) return;
    const wait = Math.max(0, FRAME_MS - (ambient.monotonic() - lastFrameAt));
    cancelFrame ??= ambient.timer(wait, draw);
  };

  const compose = ({ width, height }: Size): Drawn => {
    const box = composer.draw({ width, height: Math.max(1, Math.floor(height / 3)) });
    const live = liveLine({ conversation, say, now: ambient.now(), tick, isOpening, isStopping: false }, width);
    const below: Line[] = [
      ...(live ? [live] : []),
      ...box.lines,
      statusLine({ conversation, folder: needs.folder, say }, width),
    ];
    const room = Math.max(1, height - below.length);
    const state = conversation.state();
    const page = transcript.draw(
      { items: state.items, look: lookOf(width), isTurned: () => false },
      { width, height: room },
    );
    const rows = [...page.lines, ...Array.from({ length: room - page.lines.length }, (): Line => [])];
    const top = room + (live ? 1 : 0);
    return {
      lines: [...rows, ...below],
      cursor: box.cursor && { row: top + box.cursor.row, column: box.cursor.column },
    };
  };

  const act = (input: Input): void => {
    if (input.kind !== 'key') return;
    switch (keymap.actionOf(input, 'app')) {
      case 'interrupt':
        void conversation.stop().catch(tell);
        return;
      case 'exit':
        return needs.exit();
      case 'page-up':
        transcript.scroll(-Math.max(1, needs.size().height - 8));
        return changed();
      case 'page-down':
        transcript.scroll(Math.max(1, needs.size().height - 8));
        return changed();
      default:
    }
  };

  draw();
  return {
    changed,
    take(input) {
      if (!composer.take(input)) act(input);
    },
    opened() {
      isOpening = false;
      changed();
    },
    close() {
      isClosed = true;
      cancelFrame?.();
      cancelTick?.();
    },
  };
}
