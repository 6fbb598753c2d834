/** A word as the shell passes it on; null where only running the line would tell what it is. */
export type Word = string | null;

/** One command of a line. */
export interface ShellCommand {
  words: readonly Word[];
}

/** What a command line does, as its grammar tells. */
export interface ShellLine {
  /** Every command in it: of pipes, lists, loops, functions, substitutions and texts handed to another shell. */
  commands: readonly ShellCommand[];
  /** False where part of it cannot be known before it runs. */
  isClear: boolean;
  /** Whether it writes a file by itself, or changes variables or names that its commands depend on. */
  hasSideEffects: boolean;
}
