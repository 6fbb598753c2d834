import { createHash } from 'node:crypto';
import { statInside } from '@fucina/shared';
import { filteredFiles } from '../programs/filtered-files.ts';
import { type GitFolder, insideFolder } from '../repository/git-folder.ts';
import { binary, readable } from '../repository/paths.ts';
import { headCommitFromFiles } from '../repository/repository.ts';
import { succeeded } from '../run/launcher.ts';

export type ChangeKind =
  | 'modified'
  | 'added'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type-changed'
  | 'untracked'
  | 'ignored'
  | 'conflict';

/** Shared by readings: see `readLast`. */
export interface ChangedEntry {
  /** Relative to the session's folder, without a trailing slash. */
  readonly path: string;
  readonly repositoryPath: string;
  /** `repositoryPath` as git stores it: its bytes, one character each. */
  readonly rawPath: string;
  /** The old path of a rename or copy, relative to the folder; null otherwise. */
  readonly from: string | null;
  /** git's letters for the index and the work tree; `.` unchanged, `?` not tracked. */
  readonly x: string;
  readonly y: string;
  readonly kind: ChangeKind;
  readonly isStaged: boolean;
  /** A tracked file whose copy on disk differs from the index. */
  readonly isUnstaged: boolean;
  readonly isConflict: boolean;
  readonly isFolder: boolean;
  /** A nested repository: a submodule, or an untracked one. */
  readonly isRepository: boolean;
}

export interface CommitName {
  commit: string;
  short: string;
  subject: string;
}

export interface RepositoryState {
  root: string;
  prefix: string;
  isRoot: boolean;
  entries: ChangedEntry[];
  summary: { total: number; staged: number; unstaged: number; untracked: number; conflicts: number };
  /** The base commit of the changes; null before the first commit. */
  base: CommitName | null;
  /** SHA-256 over everything staged in the repository. */
  fingerprint: string;
  /** Staged files outside the folder. */
  stagedOutside: number;
  /** Files that could not be compared, because a filter that converts them is not trusted; not among the entries. */
  notCompared: string[];
}

export interface Staged {
  fingerprint: string;
  /** Paths in the repository, as text and as git stores them. */
  paths: string[];
  rawPaths: string[];
  /** What is staged at each of `rawPaths`: the name of an object, zeros for a deletion. */
  objects: string[];
}

/** Uncommitted changes of the folder. */
export async function readState(place: GitFolder): Promise<RepositoryState> {
  const [{ entries, notCompared }, base] = await Promise.all([readCompared(place), readBase(place)]);
  const isWhole = place.prefix === '';
  const hasStaged = entries.some(({ isStaged, isConflict }) => isStaged || isConflict);
  const staged = isWhole && !hasStaged ? stagedOf(Buffer.alloc(0)) : await readStaged(place);
  const count = (has: (entry: ChangedEntry) => boolean): number => entries.filter(has).length;
  return {
    root: place.repository.root,
    prefix: place.prefix,
    isRoot: place.prefix === '',
    entries,
    summary: {
      total: entries.length,
      staged: count((entry) => entry.isStaged),
      unstaged: count((entry) => entry.isUnstaged),
      untracked: count((entry) => entry.kind === 'untracked'),
      conflicts: count((entry) => entry.isConflict),
    },
    base,
    fingerprint: staged.fingerprint,
    stagedOutside: staged.paths.filter((path) => insideFolder(place, path) === undefined).length,
    notCompared,
  };
}

/** The changes that are known: whether a file differs that an untrusted filter converts is not. */
async function readCompared(place: GitFolder): Promise<Pick<RepositoryState, 'entries' | 'notCompared'>> {
  const entries = await readEntries(place);
  const modified = entries.filter(({ y }) => y === 'M').map(({ rawPath }) => rawPath);
  const filtered = await filteredFiles(place, modified);
  if (filtered.size === 0) return { entries, notCompared: [] };
  const isUnknown = ({ y, rawPath }: ChangedEntry): boolean => y === 'M' && filtered.has(rawPath);
  return {
    entries: entries.flatMap((entry) => {
      if (!isUnknown(entry)) return [entry];
      return entry.isStaged ? [{ ...entry, y: '.', isUnstaged: false }] : [];
    }),
    notCompared: entries.filter(isUnknown).map(({ path }) => path),
  };
}

/** `all` lists every file of a new folder; otherwise the folder counts once. */
export async function readEntries(place: GitFolder, untracked: 'normal' | 'all' = 'normal'): Promise<ChangedEntry[]> {
  // Submodules are not inspected: git would start another git there, with that repository's settings.
  const options = ['--porcelain=v2', '-z', `--untracked-files=${untracked}`, '--ignore-submodules=dirty'];
  const args = ['status', ...options, '--find-renames', '--no-ahead-behind', '--', '.'];
  const output = binary(succeeded(await place.git.run(args), args));
  const entries = parseRecords(place, output.split('\0'));
  for (const [at, entry] of entries.entries())
    if (entry.kind === 'untracked' && entry.isFolder) {
      const isRepository = await isNested(place, entry);
      if (isRepository) entries[at] = { ...entry, isRepository };
    }
  return entries;
}

/** Whether one of the paths is the entry, a folder above it, or inside it. */
export function namesEntry(paths: readonly string[], { path, isFolder }: ChangedEntry): boolean {
  return paths.some(
    (named) => path === named || path.startsWith(`${named}/`) || (isFolder && named.startsWith(`${path}/`)),
  );
}

/** By repository and folder, what was read last: an entry that did not change is the same object again, for whoever encodes it. */
const readLast = new Map<string, ReadonlyMap<string, ChangedEntry>>();
const MAX_FOLDERS = 20;
const MAX_ENTRIES = 20_000;

function parseRecords(place: GitFolder, records: readonly string[]): ChangedEntry[] {
  const key = `${place.repository.root}\0${place.folder}`;
  const before = readLast.get(key);
  const now = new Map<string, ChangedEntry>();
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? '';
    const old = record.startsWith('2 ') ? records[++at] : undefined;
    const whole = old === undefined ? record : `${record}\0${old}`;
    const entry = before?.get(whole) ?? parseRecord(place, record, old);
    if (entry) now.set(whole, entry);
  }
  readLast.delete(key);
  if (now.size <= MAX_ENTRIES) readLast.set(key, now);
  for (const oldest of [...readLast.keys()].slice(0, -MAX_FOLDERS)) readLast.delete(oldest);
  return [...now.values()];
}

/** Number of fields before the path, by kind of record. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 };

function parseRecord(place: GitFolder, record: string, old: string | undefined): ChangedEntry | undefined {
  const type = record[0] ?? '';
  const count = FIELDS[type];
  if (count === undefined) return undefined;
  let at = 0;
  for (let field = 0; field < count; field++) at = record.indexOf(' ', at) + 1;
  const name = record.slice(at);
  const rawPath = name.endsWith('/') ? name.slice(0, -1) : name;
  const repositoryPath = readable(rawPath);
  const path = insideFolder(place, repositoryPath);
  if (path === undefined) return undefined;
  const isOther = type === '?' || type === '!';
  // `1 XY sub …`
  const [x = '.', y = '.'] = isOther ? [type, type] : [record[2], record[3]];
  const isConflict = type === 'u';
  const isSubmodule = !isOther && record[5] === 'S';
  return {
    path,
    repositoryPath,
    rawPath,
    from: old === undefined ? null : (insideFolder(place, readable(old)) ?? null),
    x,
    y,
    kind: isConflict ? 'conflict' : kindOf(x, y),
    isStaged: !isOther && !isConflict && x !== '.',
    isUnstaged: !isOther && !isConflict && y !== '.',
    isConflict,
    isFolder: name.endsWith('/') || isSubmodule,
    isRepository: isSubmodule,
  };
}

/** The first match. */
const KINDS: readonly (readonly [letter: string, kind: ChangeKind])[] = [
  ['?', 'untracked'],
  ['!', 'ignored'],
  ['R', 'renamed'],
  ['C', 'copied'],
  ['D', 'deleted'],
  ['A', 'added'],
  ['T', 'type-changed'],
];

function kindOf(x: string, y: string): ChangeKind {
  for (const [letter, kind] of KINDS) if (x === letter || y === letter) return kind;
  return 'modified';
}

async function isNested({ repository }: GitFolder, { repositoryPath }: ChangedEntry): Promise<boolean> {
  return statInside(repository.root, `${repositoryPath}/.git`).then(
    () => true,
    () => false, // missing, or a name that cannot be checked: treated as an ordinary folder
  );
}

/** By repository and commit: a commit never changes. */
const named = new Map<string, CommitName>();
const MAX_NAMED = 500;

export async function readBase({ git, repository }: GitFolder): Promise<CommitName | null> {
  const known = named.get(`${repository.gitDir} ${await headCommitFromFiles(repository)}`);
  if (known) return known;
  const args = ['log', '-1', '--no-show-signature', '--encoding=UTF-8', '--format=%H%x00%h%x00%s', 'HEAD'];
  const outcome = await git.run([...args, '--']);
  if (outcome.exitCode !== 0 && (await headOf(git)) === undefined) return null;
  const [commit = '', short = '', subject = ''] = succeeded(outcome, args).toString('utf8').trimEnd().split('\0');
  if (named.size >= MAX_NAMED) named.clear();
  named.set(`${repository.gitDir} ${commit}`, { commit, short, subject });
  return { commit, short, subject };
}

/** The commit of HEAD; undefined before the first. */
export async function headOf(git: GitFolder['git']): Promise<string | undefined> {
  return resolveCommit(git, 'HEAD');
}

export async function resolveCommit(git: GitFolder['git'], name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const outcome = await git.run(args);
  return outcome.exitCode === 1 ? undefined : succeeded(outcome, args).toString('utf8').trim();
}

export async function readStaged({ git }: GitFolder): Promise<Staged> {
  const options = ['--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--no-relative'];
  const args = ['diff', ...options, '--ignore-submodules=dirty', '--no-ext-diff', '--no-textconv'];
  const output = succeeded(await git.run(args), args);
  return stagedOf(output);
}

function stagedOf(output: Buffer): Staged {
  // `:<mode> <mode> <object> <object> <letter>` and path in turn.
  const fields = binary(output).split('\0');
  const rawPaths = fields.filter((_field, index) => index % 2 === 1);
  const objects = rawPaths.map((_path, index) => fields[2 * index]?.split(' ')[3] ?? '');
  const fingerprint = createHash('sha256').update(output).digest('hex');
  return { fingerprint, paths: rawPaths.map(readable), rawPaths, objects };
}
