import type { Language } from '@fucina/shared/sentences';
import type { Io } from './io.ts';
import { createStyle, type Style } from './style.ts';
import { languageOf, type Say, translatorFor } from './words/index.ts';

/** Output of a command: in the user's language, with colors where supported. */
export interface Terminal {
  io: Io;
  language: Language;
  say: Say;
  /** For standard output. */
  style: Style;
  /** For standard error. */
  errorStyle: Style;
  /** One line on standard output. */
  out(line: string): void;
  /** One line on standard error. */
  err(line: string): void;
}

export interface TerminalOptions {
  isPlain?: boolean;
  theme?: string;
}

export function createTerminal(io: Io, { isPlain = false, theme }: TerminalOptions = {}): Terminal {
  const language = languageOf(io.env);
  const styleOf = (isTTY: boolean | undefined): Style =>
    createStyle({ isColoured: !isPlain && isTTY === true, env: io.env, theme });
  return {
    io,
    language,
    say: translatorFor(language),
    style: styleOf(io.stdout.isTTY),
    errorStyle: styleOf(io.stderr.isTTY),
    out: (line) => void io.stdout.write(`${line}\n`),
    err: (line) => void io.stderr.write(`${line}\n`),
  };
}
