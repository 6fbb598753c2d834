import type { Io } from '../../io.ts';
import { terminalModes } from '../input/terminal-modes.ts';

/** The terminal while the screen uses it. */
export interface ScreenMode {
  /** Restores the terminal; repeated calls have no effect. */
  release(): void;
  take(): void;
  /** Written at once, or when the terminal is taken. */
  title(text: string): void;
}

const ALTERNATE = { on: '\x1b[?1049h', off: '\x1b[?1049l' };
/** Disables line wrap: a row that is too wide, because the terminal measures a glyph differently, is cut. */
const WRAP = { off: '\x1b[?7l', on: '\x1b[?7h' };
const TITLE = { save: '\x1b[22;0t', restore: '\x1b[23;0t' };
const CURSOR_SHOWN = '\x1b[?25h';
/** Queries the background color. */
const ASK_BACKGROUND = '\x1b]11;?\x07';
const LOOK_RESET = '\x1b[0m';

/** Switches the terminal to the alternate screen with event reports. It is restored however the process ends. */
export function openScreenMode(io: Io, { hasMouse }: { hasMouse: boolean }): ScreenMode {
  const modes = terminalModes({ hasMouse });
  let isHeld = false;
  let title = '';
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
      io.stdout.write(TITLE.save + ALTERNATE.on + WRAP.off + modes.on + ASK_BACKGROUND + titled(title));
    },
    title(text) {
      if (text === title) return;
      title = text;
      if (isHeld) io.stdout.write(titled(title));
    },
  };
}

function titled(title: string): string {
  return title && `\x1b]0;${title}\x07`;
}
