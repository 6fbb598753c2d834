import type { Scope } from './config/keys.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Terminal } from './terminal.ts';

/** Flags that every command has. */
export interface CommonFlags {
  json?: boolean;
  dataDir?: string;
  keyStore?: string;
  color?: boolean;
  /** Of the settings commands that take one. */
  scope?: Scope;
  /** A command's own options. */
  [option: string]: unknown;
}

/** A command: it says its own errors and answers the exit code. */
export type Act = (flags: CommonFlags, names: string[], terminal: Terminal) => Promise<ExitCode>;

/** The command line itself: what stands behind `fucina`. */
export type RunProgram = (argv: readonly string[], io: Io) => Promise<ExitCode>;

/** A group of commands: `fucina notes …`. */
export interface GroupFacts {
  name: string;
  about: string;
}

export interface OptionFacts {
  /** As commander has them: `-o, --output <file>`. */
  flags: string;
  about: string;
  choices?: readonly string[];
  /** It is a whole number from 1 to this. */
  most?: number;
}

export interface CommandFacts extends GroupFacts {
  /** Arguments, all required but those in brackets. */
  names?: string[];
  isDefault?: boolean;
  alias?: string;
  options?: OptionFacts[];
  /** It takes --scope. */
  isScoped?: boolean;
  act: Act;
}
