import type { ShellLine } from './parsed-line.ts';

/** Characters that mean nothing to a shell, and a first word that assigns nothing. */
const PLAIN = /^[A-Za-z_./][A-Za-z0-9_./-]*(?: +[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*)*$/;
const MAX_PLAIN = 2_000;

/** Words that begin something else than a plain command, or declare names: only the grammar tells. */
const NOT_PLAIN = new Set(
  (
    'if then else elif fi for while until do done case esac in function select time coproc ' +
    'export declare typeset readonly local unset unsetenv test'
  ).split(' '),
);

/**
 * A single command whose words are plain, read without the grammar; undefined for every other line. Wherever it answers,
 * the grammar answers the same.
 */
export function plainLine(line: string, handsOver: (words: readonly string[]) => boolean): ShellLine | undefined {
  if (line.length > MAX_PLAIN || !PLAIN.test(line)) return undefined;
  const words = line.split(/ +/);
  if (words.some((word) => NOT_PLAIN.has(word)) || handsOver(words)) return undefined;
  return { commands: [{ words }], isClear: true, hasSideEffects: false };
}
