import type { Io } from '../io.ts';

/** Separates streamed standard output from lines on standard error when both go to one terminal. */
export interface Screen {
  /** Streamed text, on standard output. */
  text(piece: string): void;
  /** The next text starts a new paragraph. */
  paragraph(): void;
  /** A whole line on standard error. */
  line(line: string): void;
  /** A status line that the next output replaces; only where supported. */
  status(line: string): void;
  /** Ends an open line. */
  end(): void;
}

const CLEAR_LINE = '\r\x1b[2K';

export function createScreen({ stdout, stderr }: Io): Screen {
  const isShared = stdout.isTTY === true && stderr.isTTY === true;
  let isMidLine = false;
  let hasText = false;
  let startsParagraph = false;
  let hasStatus = false;

  const clearStatus = (): void => {
    if (hasStatus) stderr.write(CLEAR_LINE);
    hasStatus = false;
  };
  const end = (): void => {
    clearStatus();
    if (isMidLine) stdout.write('\n');
    isMidLine = false;
  };

  return {
    end,
    text(piece) {
      if (!piece) return;
      clearStatus();
      if (startsParagraph && hasText) stdout.write(isMidLine ? '\n\n' : '\n');
      startsParagraph = false;
      hasText = true;
      stdout.write(piece);
      isMidLine = !piece.endsWith('\n');
    },
    paragraph() {
      startsParagraph = true;
    },
    line(line) {
      clearStatus();
      if (isShared) end();
      stderr.write(`${line}\n`);
    },
    status(line) {
      if (!isShared || isMidLine) return;
      clearStatus();
      stderr.write(line);
      hasStatus = true;
    },
  };
}
