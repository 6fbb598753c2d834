import { basename, dirname, join, resolve } from 'node:path';
import { type ControlWrite, isWithin, readEntry, writeFileAtomically } from '@fucina/shared';

/** Sections that a fresh clone or `git init` writes, with the keys that start no program. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/,
  remote: /^(url|fetch|pushurl|tagopt|prune)$/,
  branch: /^(remote|merge|rebase|description)$/,
  user: /^(name|email)$/,
  extensions: /^(objectformat|refstorage|partialclone)$/,
  submodule: /^(active|url)$/,
  lfs: /^(repositoryformatversion|url|access)$/,
};

const MAX_BYTES = 256 * 1024;

interface NewConfig {
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Of the file, relative to the folder. */
  path: string;
  /** Leads to the open folder around the file: its path may lead elsewhere by now. */
  parent: string;
  /** The command has ended. */
  isFinal: boolean;
}

/**
 * The settings of a repository that a command created: removes what git would run or include, and returns it as a write
 * for the user's decision. Empty if there is nothing of the kind, undefined if it cannot be checked: a pipe, a link, too
 * large.
 */
export async function harmlessRepositoryConfig(config: NewConfig): Promise<ControlWrite[] | undefined> {
  const { folder, path, parent, isFinal } = config;
  const file = join(parent, basename(path));
  const text = (await readEntry(file, MAX_BYTES))?.toString('utf8');
  if (text === undefined) return undefined;
  const place = dirname(join(folder, path));
  const kept = harmlessLines(text, (worktree) => isWithin(folder, resolve(place, worktree)));
  // In the end always a new file: the command may have left a hard link to this one, or hold it open.
  if (isFinal || kept !== text) await writeFileAtomically(file, kept, { mode: 0o644 });
  return kept === text ? [] : [{ path, content: text, isStripped: true }];
}

/** A submodule names its working tree, which must be in the folder. */
function harmlessLines(text: string, isInside: (worktree: string) => boolean): string {
  let keys: RegExp | undefined;
  const lines = text.split('\n').filter((line) => {
    if (line.trim() === '' || /^\s*[#;]/.test(line)) return true;
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*$/.exec(line)?.[1];
    if (heading !== undefined || /^\s*\[/.test(line)) {
      keys = HARMLESS[heading?.toLowerCase() ?? ''];
      return keys !== undefined;
    }
    const key = /^\s*([a-z][a-z0-9-]*)\s*(?:=|$)/i.exec(line)?.[1]?.toLowerCase();
    const worktree = /^\s*worktree\s*=\s*([\w./-]+)\s*$/i.exec(line)?.[1];
    if (worktree !== undefined) return keys !== undefined && isInside(worktree);
    const isPlain = !line.trimEnd().endsWith('\\') && !/=\s*"?ext::/i.test(line);
    return key !== undefined && isPlain && (keys?.test(key) ?? false);
  });
  return lines.join('\n');
}
