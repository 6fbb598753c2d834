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

/** The words of a line that may name a file; among them words that are no files. */
export interface NamedFiles {
  files: readonly string[];
  /** Names with `*` or `?`, as written. */
  globs: readonly string[];
  /** Another word is known only at run time. */
  isOpen: boolean;
}

/** The words that name files of a command; undefined for a command that this is not about. */
type Choose = (name: string, words: readonly Word[]) => readonly Word[] | undefined;

/** The files that a line reads. */
export function filesReadBy({ commands, inputs }: ShellLine): NamedFiles {
  return named(commands, inputs, (name, words) => (READERS.has(name) ? words : undefined));
}

/** Commands of git that print what it stores of the files that their arguments name. */
const OF_HISTORY = setOf(
  'show cat-file diff log blame annotate grep archive whatchanged diff-tree diff-index diff-files',
);

/** The files of which a line reads what git stores: `git show HEAD:.env`, `git log -p -- .env`. */
export function filesOfHistoryReadBy({ commands }: ShellLine): NamedFiles {
  return named(commands, [], (name, words) => {
    const at = words.findIndex((word) => word !== null && OF_HISTORY.has(word));
    if (name !== 'git' || at < 0) return undefined;
    const rest = words.slice(at + 1);
    return [...rest, ...rest.map((word) => word?.replace(/^[^:]*:(?:\d:)?/, '') ?? null)];
  });
}

/** The same for the files that it changes, creates or deletes. */
export function filesWrittenBy({ commands, outputs }: ShellLine): NamedFiles {
  return named(commands, outputs, (name, words) => {
    if (COPIERS.has(name)) return words.slice(-1);
    if (!WRITERS.has(name) || (name === 'sed' && !words.some(editsInPlace))) return undefined;
    return name === 'dd' ? words.filter((word) => word === null || word.startsWith('of=')) : words;
  });
}

const editsInPlace = (word: Word): boolean => word !== null && /^(-[a-zA-Z]*i|--in-place)/.test(word);

/** They add what they read to the arguments of the command that they run. */
const FEEDS = setOf('xargs parallel');

function named(commands: ShellLine['commands'], redirects: readonly Word[], choose: Choose): NamedFiles {
  const found = commands.map(({ words, globs = [] }) => {
    const chosen = withoutWrappers(words).flatMap(([name = null, ...rest]) => {
      const its = choose(baseName(name) ?? '', rest);
      return its ? [its] : [];
    });
    const names = chosen.flat();
    const isUnclear = names.includes(null);
    const isFed = chosen.length > 0 && FEEDS.has(baseName(words[0] ?? null) ?? '');
    const hasOther = words.filter((word) => word === null).length > globs.length;
    return { names, globs: isUnclear ? globs : [], isOpen: isFed || (isUnclear && hasOther) };
  });
  return {
    files: pathsOf([...found.flatMap(({ names }) => names), ...redirects]),
    globs: found.flatMap(({ globs }) => globs),
    isOpen: redirects.includes(null) || found.some(({ isOpen }) => isOpen),
  };
}

const pathsOf = (words: readonly Word[]): string[] => [...new Set(words.flatMap(pathsIn))].slice(0, MAX_FILES);

/** A word may be a path, or contain one after a `=`. */
function pathsIn(word: Word): string[] {
  if (word === null || word === '' || word.includes('\0')) return [];
  const value = word.slice(word.indexOf('=') + 1);
  return [...(word.startsWith('-') ? [] : [word]), ...(value === word ? [] : [value])];
}
