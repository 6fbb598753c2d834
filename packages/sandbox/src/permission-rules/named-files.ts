import type { ShellLine, Word } from './parsed-line.ts';
import { baseName, withoutWrappers } from './shell-line.ts';

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Commands that print, copy or run the files that their arguments name. */
const READERS = setOf(
  'cat tac nl head tail less more bat batcat grep egrep fgrep zgrep rg ag sed awk gawk cut sort uniq wc rev fold paste ' +
    'join diff cmp comm od xxd hexdump strings base64 base32 jq yq cp mv ln install rsync scp tar zip gzip xz openssl ' +
    'source . dd split view nano vi vim',
);

/** Commands that change the files that their arguments name. */
const WRITERS = setOf('rm rmdir unlink shred mv touch truncate tee chmod chown chgrp mkdir patch sed dd nano vi vim');
/** The last argument is the one that they write. */
const COPIERS = setOf('cp ln install rsync scp');

/** At most this many are looked at. */
const MAX_FILES = 200;

/** The files that a line reads, as far as its words name them; among them words that are no files. */
export function filesReadBy({ commands, inputs }: ShellLine): string[] {
  const named = argumentsOf(commands, (name, words) => (READERS.has(name) ? words : []));
  return pathsOf([...named, ...inputs]);
}

/** Commands of git that print what it stores of the files that their arguments name. */
const OF_HISTORY = setOf(
  'show cat-file diff log blame annotate grep archive whatchanged diff-tree diff-index diff-files',
);

/** The files of which a line reads what git stores: `git show HEAD:.env`, `git log -p -- .env`. */
export function filesOfHistoryReadBy({ commands }: ShellLine): string[] {
  const named = argumentsOf(commands, (name, words) => {
    const at = words.findIndex((word) => word !== null && OF_HISTORY.has(word));
    return name === 'git' && at >= 0 ? words.slice(at + 1) : [];
  });
  const inRevisions = named.map((word) => word?.replace(/^[^:]*:(?:\d:)?/, '') ?? null);
  return pathsOf([...named, ...inRevisions]);
}

/** The same for the files that it changes, creates or deletes. */
export function filesWrittenBy({ commands, outputs }: ShellLine): string[] {
  const named = argumentsOf(commands, (name, words) => {
    if (COPIERS.has(name)) return words.slice(-1);
    if (!WRITERS.has(name) || (name === 'sed' && !words.some(editsInPlace))) return [];
    return name === 'dd' ? words.filter((word) => word?.startsWith('of=')) : words;
  });
  return pathsOf([...named, ...outputs]);
}

const editsInPlace = (word: Word): boolean => word !== null && /^(-[a-zA-Z]*i|--in-place)/.test(word);

function argumentsOf(
  commands: ShellLine['commands'],
  choose: (name: string, words: readonly Word[]) => readonly Word[],
): Word[] {
  return commands.flatMap(({ words }) =>
    withoutWrappers(words).flatMap(([name = null, ...rest]) => choose(baseName(name) ?? '', rest)),
  );
}

const pathsOf = (words: readonly Word[]): string[] => [...new Set(words.flatMap(pathsIn))].slice(0, MAX_FILES);

/** A word may be a path, or contain one after a `=`. */
function pathsIn(word: Word): string[] {
  if (word === null || word === '' || word.includes('\0')) return [];
  const value = word.slice(word.indexOf('=') + 1);
  return [...(word.startsWith('-') ? [] : [word]), ...(value === word ? [] : [value])];
}
