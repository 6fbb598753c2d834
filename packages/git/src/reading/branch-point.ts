import { nameBytes } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { filteredFiles } from '../programs/filtered-files.ts';
import { type GitFolder, inRepository, insideFolder } from '../repository/git-folder.ts';
import { announcing, withIndexCopy } from '../repository/index-copy.ts';
import { binary, checkPath, PATHSPEC_FROM_STDIN, rawInput, readable } from '../repository/paths.ts';
import { succeeded } from '../run/launcher.ts';
import { isFolder, isUntracked, runDiff, shownDiff, untrackedDiff } from './diff.ts';
import { type ChangedFile, existingCommit, MAX_FILES, mergeBaseOf, type RangeDiff } from './history.ts';
import { headOf } from './status.ts';
import { currentBranch, readBranches } from './upstream.ts';

/** A changed file with its lines; null for a binary file. */
export interface CountedFile extends ChangedFile {
  added: number | null;
  removed: number | null;
}

export interface BranchPointChanges {
  /** The branch compared with, and the newest commit that it shares with HEAD; null when there is none. */
  base: { name: string; commit: string } | null;
  /** Names of the branches that can be the base, local ones first, at most 300. */
  bases: string[];
  /** At most 500, relative to the folder. */
  files: CountedFile[];
  hasMore: boolean;
}

export type BranchPointDiff = Omit<RangeDiff, 'to' | 'isFromEmpty'>;

interface Reference {
  /** Full name: `refs/remotes/origin/main`. */
  reference: string;
  /** As users write it: `origin/main`. */
  name: string;
  commit: string;
  /** The full name of the reference that it stands for, as `origin/HEAD` does; '' otherwise. */
  target: string;
}

const MAX_BASES = 300;

/**
 * The files that differ between the branch point and the work tree, with new files that are not ignored. Without a name
 * the base is the branch that the current one was made from, as far as git knows: see `likelyBase`. Throws
 * GIT_BRANCH_NOT_FOUND, and GIT_COMMIT_UNKNOWN when the named branch shares no commit with HEAD.
 */
export async function readBranchPoint(place: GitFolder, name?: string): Promise<BranchPointChanges> {
  const [references, current, head] = await Promise.all([
    readReferences(place),
    currentBranch(place),
    headOf(place.git),
  ]);
  const others = references.filter(({ target, reference }) => target === '' && reference !== `refs/heads/${current}`);
  const bases = [...new Set(others.map((one) => one.name))].slice(0, MAX_BASES);
  const base = name === undefined ? await likelyBase(place, references, current) : named(references, name);
  const commit = base && head !== undefined ? await mergeBaseOf(place, head, base.commit) : null;
  if (base === undefined || commit === null) {
    if (name !== undefined) throw gitError('GIT_COMMIT_UNKNOWN', { reason: 'no-common-commit' });
    return { base: null, bases: head === undefined ? [] : bases, files: [], hasMore: false };
  }
  const files = await readFiles(place, commit);
  return {
    base: { name: base.name, commit },
    bases,
    files: files.slice(0, MAX_FILES),
    hasMore: files.length > MAX_FILES,
  };
}

/**
 * The diff of one file between a commit and the work tree; empty text when it is unchanged. Throws GIT_COMMIT_INVALID,
 * GIT_COMMIT_UNKNOWN, GIT_PATH_INVALID.
 */
export async function readBranchPointDiff(place: GitFolder, file: FileSince): Promise<BranchPointDiff> {
  const { bytes, path, from } = await branchPointBytes(place, file);
  return { path, previous: file.previous ?? null, from, ...shownDiff(bytes) };
}

/** A file and the commit that it is compared with. */
export interface FileSince {
  /** A full hash. */
  from: string;
  path: string;
  previous?: string | undefined;
}

/** The whole diff as git prints it. */
export async function branchPointBytes(
  place: GitFolder,
  { path, previous, from }: FileSince,
): Promise<{ bytes: Buffer; path: string; from: string }> {
  const names = [...(previous === undefined ? [] : [checkPath(previous)]), checkPath(path)];
  const shown = names.at(-1) ?? path;
  const commit = await existingCommit(place, from);
  if (await isFolder(place, shown)) throw gitError('GIT_PATH_INVALID', { reason: 'folder' });
  const isNew = await isUntracked(place, shown);
  const bytes = await (isNew ? untrackedDiff : runDiff)(place, names, { commit });
  return { bytes, path: shown, from: commit };
}

async function readReferences({ git }: GitFolder): Promise<Reference[]> {
  const format = '--format=%(refname)%00%(objectname)%00%(symref)';
  const rows = await git.text(['for-each-ref', format, 'refs/heads', 'refs/remotes']);
  return rows
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [reference = '', commit = '', target = ''] = row.split('\0');
      return { reference, name: reference.replace(/^refs\/(heads|remotes)\//, ''), commit, target };
    });
}

/** A local branch comes first. Looked up in a list, so that git never interprets the name as an expression. */
function named(references: readonly Reference[], name: string): Reference {
  const found = references.find((one) => one.name === name && one.target === '');
  if (!found) throw gitError('GIT_BRANCH_NOT_FOUND');
  return found;
}

const DEFAULT_NAMES = ['main', 'master'];

/**
 * The first that exists: the upstream, if it is another branch; the default branch of the remote; a local default
 * branch; the upstream of the same name, for commits that were not pushed.
 */
async function likelyBase(
  place: GitFolder,
  references: readonly Reference[],
  current: string | undefined,
): Promise<Reference | undefined> {
  const at = (full: string | undefined) => references.find(({ reference }) => reference === full);
  const [branch] = current === undefined ? [] : await readBranches(place, `refs/heads/${current}`);
  const upstream = branch?.upstream;
  const remote = upstream && upstream.remote !== '.' ? upstream.remote : 'origin';
  const isDefault = current !== undefined && DEFAULT_NAMES.includes(current);
  const candidates = [
    upstream?.branch === current ? undefined : upstream?.reference,
    at(`refs/remotes/${remote}/HEAD`)?.target,
    ...DEFAULT_NAMES.map((name) => `refs/remotes/${remote}/${name}`),
    ...(isDefault ? [] : DEFAULT_NAMES.map((name) => `refs/heads/${name}`)),
    upstream?.reference,
  ];
  return candidates.map(at).find((one) => one !== undefined);
}

const LIST_FORM = [
  '--raw',
  '--numstat',
  '-z',
  '--no-abbrev',
  '--no-color',
  '--find-renames',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--no-ext-diff',
  '--no-textconv',
];

async function readFiles(place: GitFolder, commit: string): Promise<CountedFile[]> {
  const diff = async (way: readonly string[], index?: string): Promise<CountedFile[]> => {
    const args = ['diff', ...way, ...LIST_FORM, commit, '--', '.'];
    const environment = index === undefined ? {} : { GIT_INDEX_FILE: index };
    return parseList(place, binary(succeeded(await place.git.run(args, { environment, isFilterChecked: true }), args)));
  };
  const list = async (index?: string): Promise<CountedFile[]> => {
    const files = await diff([], index);
    const rawPathOf = ({ path }: CountedFile): string => binary(nameBytes(inRepository(place, path)));
    const modified = files.filter(({ status }) => status === 'M').map(rawPathOf);
    const filtered = await filteredFiles(place, modified);
    if (filtered.size === 0) return files;
    // Of those only what is committed or staged is known.
    const isUnknown = (file: CountedFile): boolean => filtered.has(rawPathOf(file));
    const known = await diff(['--cached'], index);
    return [...files.filter((file) => !isUnknown(file)), ...known.filter(isUnknown)];
  };
  const fresh = await untrackedFiles(place);
  if (fresh.length === 0) return list();
  return withIndexCopy(place, async (index) => {
    // A name that git does not accept in an index (exit code 1) is left out.
    const add = ['add', '--intent-to-add', '--ignore-errors', ...PATHSPEC_FROM_STDIN];
    const outcome = await place.git.run(add, { input: rawInput(fresh), environment: announcing(index) });
    if (outcome.exitCode !== 1) succeeded(outcome, add);
    return list(index);
  });
}

/** As git writes them, relative to the folder; no nested repositories, and no more than can be listed. */
async function untrackedFiles({ git }: GitFolder): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--', '.'];
  return binary(succeeded(await git.run(args), args))
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .slice(0, MAX_FILES + 1);
}

/** Records of `--raw`, each with its path, or two of a rename; then those of `--numstat`, in the same order. */
function parseList(place: GitFolder, output: string): CountedFile[] {
  const fields = output.split('\0');
  const files = new Map<string, CountedFile>();
  let at = 0;
  for (; fields[at]?.startsWith(':'); ) {
    const letter = fields[at]?.split(' ')[4]?.[0] ?? '';
    const isPair = letter === 'R' || letter === 'C';
    const [first = '', second = ''] = [fields[at + 1], fields[at + 2]];
    at += isPair ? 3 : 2;
    const path = insideFolder(place, readable(isPair ? second : first));
    const previous = letter === 'R' ? insideFolder(place, readable(first)) : undefined;
    if (path === undefined) continue;
    // A conflict is listed twice: as unmerged and as modified.
    const status = letter === 'R' ? 'R' : 'AC'.includes(letter) ? 'A' : letter === 'D' ? 'D' : 'M';
    files.set(path, { status, previous: previous ?? null, path, added: null, removed: null });
  }
  for (; at < fields.length; ) {
    const [added = '', removed = '', only = ''] = fields[at]?.split('\t') ?? [];
    const isPair = only === '';
    const file = files.get(insideFolder(place, readable((isPair ? fields[at + 2] : only) ?? '')) ?? '');
    at += isPair ? 3 : 1;
    if (file && /^\d+$/.test(added)) Object.assign(file, { added: Number(added), removed: Number(removed) });
  }
  return [...files.values()];
}
