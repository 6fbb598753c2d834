import type { Io } from '../../io.ts';
import { terminalModes } from '../input/terminal-modes.ts';

/** The terminal while the screen has it. */
export interface ScreenMode {
  /** Gives the terminal back as it was; again: nothing. */
  release(): void;
  take(): void;
  title(text: string): void;
}

const ALTERNATE = { on: '\x1b[?1049h', off: '\x1b[?1049l' };
/** A row that is too wide for a terminal that measures a glyph differently is cut, and moves nothing. */
const WRAP = { off: '\x1b[?7l', on: '\x1b[?7h' };
const TITLE = { save: '\x1b[22;0t', restore: '\x1b[23;0t' };
const CURSOR_SHOWN = '\x1b[?25h';
/** What colour is the background? */
const ASK_GROUND = '\x1b]11;?\x07';
const LOOK_RESET = '\x1b[0m';

/** Switches the terminal to the screen's own page and reports. However the process ends, it is given back. */
export function openScreenMode(io: Io, { hasMouse }: { hasMouse: boolean }): ScreenMode {
  const modes = terminalModes({ hasMouse });
  let isHeld = false;
  let forgetEnd: () => void = () => undefined;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    forgetEnd();
    io.stdout.write(modes.off + WRAP.on + LOOK_RESET + CURSOR_SHOWN + TITLE.restore + ALTERNATE.off);
  };
  return {
    release,
    take() {
      if (isHeld) return;
      isHeld = true;
      forgetEnd = io.onEnd(release);
      io.stdout.write(TITLE.save + ALTERNATE.on + WRAP.off + modes.on + ASK_GROUND);
    },
    title(text) {
      if (isHeld) io.stdout.write(`\x1b]0;${text}\x07`);
    },
  };
}
