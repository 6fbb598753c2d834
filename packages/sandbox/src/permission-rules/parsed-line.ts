/** A word as the shell passes it on; null if it is known only at run time. */
export type Word = string | null;

/** One command of a line. */
export interface ShellCommand {
  words: readonly Word[];
  /** Those of its unknown words that are file names with `*` or `?`, as written; absent without any. */
  globs?: readonly string[];
}

/** A parsed command line. */
export interface ShellLine {
  /** Every command in it: of pipes, lists, loops, functions, substitutions and texts passed to another shell. */
  commands: readonly ShellCommand[];
  /** Files that are redirected into commands. */
  inputs: readonly Word[];
  /** Files that it redirects output into. */
  outputs: readonly Word[];
  /** False when part of it is known only at run time. */
  isClear: boolean;
  /** Whether it writes a file itself, or changes variables or names that its commands depend on. */
  hasSideEffects: boolean;
}
