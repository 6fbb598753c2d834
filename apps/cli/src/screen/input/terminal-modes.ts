/** Enables and disables the terminal's reports. Terminals ignore unknown ones. */
export interface TerminalModes {
  on: string;
  off: string;
}

const PASTE = '?2004';
const FOCUS = '?1004';
const MOUSE = ['?1000', '?1006'];

export function terminalModes({ hasMouse }: { hasMouse: boolean }): TerminalModes {
  const modes = [PASTE, FOCUS, ...(hasMouse ? MOUSE : [])];
  const keyboard = { on: '\x1b[>1u\x1b[>4;2m', off: '\x1b[>4;0m\x1b[<u' };
  return {
    on: modes.map((mode) => `\x1b[${mode}h`).join('') + keyboard.on,
    off:
      keyboard.off +
      [...modes]
        .reverse()
        .map((mode) => `\x1b[${mode}l`)
        .join(''),
  };
}
