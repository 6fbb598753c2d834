import type { ShellLine } from './parsed-line.ts';

/** Characters without a meaning for shells, and a first word that is not an assignment. */
const PLAIN = /^[A-Za-z_./][A-Za-z0-9_./-]*(?: +[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*)*$/;
const MAX_PLAIN = 2_000;

/** Words that start something else than a plain command, or declare names: these need the grammar. */
const NOT_PLAIN = new Set(
  (
    'if then else elif fi for while until do done case esac in function select time coproc ' +
    'export declare typeset readonly local unset unsetenv test'
  ).split(' '),
);

/**
 * A single plain command, parsed without the grammar; undefined for every other line. Its result always equals that of
 * the grammar.
 */
export function plainLine(line: string, handsOver: (words: readonly string[]) => boolean): ShellLine | undefined {
  if (line.length > MAX_PLAIN || !PLAIN.test(line)) return undefined;
  const words = line.split(/ +/);
  if (words.some((word) => NOT_PLAIN.has(word)) || handsOver(words)) return undefined;
  return { commands: [{ words }], inputs: [], outputs: [], isClear: true, hasSideEffects: false };
}
