import type { Scope } from './config/keys.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Terminal } from './terminal.ts';

/** Flags of every command. */
export interface CommonFlags {
  json?: boolean;
  dataDir?: string;
  keyStore?: string;
  color?: boolean;
  /** Of the settings commands that accept one. */
  scope?: Scope;
  /** A command's own options. */
  [option: string]: unknown;
}

/** A command: it prints its own errors and returns the exit code. */
export type Act = (flags: CommonFlags, names: string[], terminal: Terminal) => Promise<ExitCode>;

/** The command line itself: what follows `fucina`. */
export type RunProgram = (argv: readonly string[], io: Io) => Promise<ExitCode>;

/** A group of commands: `fucina notes …`. */
export interface GroupFacts {
  name: string;
  about: string;
}

export interface OptionFacts {
  /** In commander's notation: `-o, --output <file>`. */
  flags: string;
  about: string;
  choices?: readonly string[];
  /** May be given several times. */
  isRepeated?: boolean;
  /** A whole number from 1 to this. */
  most?: number;
}

export interface CommandFacts extends GroupFacts {
  /** Arguments, all required but those in brackets. */
  names?: string[];
  isDefault?: boolean;
  alias?: string;
  options?: OptionFacts[];
  /** Accepts --scope. */
  isScoped?: boolean;
  act: Act;
}
