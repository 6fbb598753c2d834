import type { ShellLine, Word } from './parsed-line.ts';
import { baseName, withoutWrappers } from './shell-line.ts';

/** Commands that print, copy or run the files that their arguments name. */
const READERS = new Set(
  (
    'cat tac nl head tail less more bat batcat grep egrep fgrep zgrep rg ag sed awk gawk cut sort uniq wc rev fold paste ' +
    'join diff cmp comm od xxd hexdump strings base64 base32 jq yq cp mv ln install rsync scp tar zip gzip xz openssl ' +
    'source . dd tee split view nano vi vim'
  ).split(' '),
);

/** At most this many are looked at. */
const MAX_FILES = 200;

/** The files that a line reads, as far as its words name them; among them words that are no files. */
export function filesReadBy({ commands, inputs }: ShellLine): string[] {
  const named = commands.flatMap(({ words }) =>
    withoutWrappers(words)
      .filter(([name = null]) => READERS.has(baseName(name) ?? ''))
      .flatMap((rest) => rest.slice(1).flatMap(pathsIn)),
  );
  return [...new Set([...named, ...inputs.flatMap(pathsIn)])].slice(0, MAX_FILES);
}

/** A word may be a path, or contain one after a `=`. */
function pathsIn(word: Word): string[] {
  if (word === null || word === '' || word.includes('\0')) return [];
  const value = word.slice(word.indexOf('=') + 1);
  return word.startsWith('-') ? (value === word ? [] : [value]) : [word, ...(value === word ? [] : [value])];
}
