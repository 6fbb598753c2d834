import { type Ambient, textStart } from '@fucina/shared';
import { createTerminalText } from './terminal-text.ts';

export interface LiveOutput {
  write(text: string): void;
  /** Sends the rest and stops. */
  end(): void;
}

const FLUSH_MS = 50;
const MAX_PIECE_CHARS = 16 * 1024;
const MAX_TOTAL_CHARS = 1024 * 1024;

/**
 * Command output for the user: cleaned, batched for 50 ms, and limited so that a flood fills neither the journal nor
 * the screen.
 */
export function createLiveOutput(ambient: Ambient, send: (text: string, isLast: boolean) => void): LiveOutput {
  const cleaner = createTerminalText();
  let pending = '';
  let skipped = 0;
  let total = 0;
  let isOver = false;
  let cancel: (() => void) | undefined;

  const flush = (isLast: boolean): void => {
    cancel?.();
    cancel = undefined;
    const note = skipped > 0 ? `\n[… ${skipped} characters not shown …]\n` : '';
    const text = cleaner.write(pending).replaceAll(/\r+\n?/g, '\n') + note;
    pending = '';
    skipped = 0;
    if (text === '' || isOver) return;
    total += text.length;
    send(text, isLast);
    if (total < MAX_TOTAL_CHARS) return;
    isOver = true;
    send('\n[… the rest of the output is not shown live …]\n', isLast);
  };

  return {
    write(text) {
      if (isOver) return;
      const room = MAX_PIECE_CHARS - pending.length;
      pending += room < text.length ? textStart(text, Math.max(0, room)) : text;
      skipped += Math.max(0, text.length - Math.max(0, room));
      cancel ??= ambient.timer(FLUSH_MS, () => flush(false));
    },
    end() {
      flush(true);
      isOver = true;
    },
  };
}
