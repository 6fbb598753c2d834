import { gitError } from '../errors.ts';
import { type GitFolder, insideFolder } from '../repository/git-folder.ts';
import { binary, checkPath, diffOfPaths, pathArguments, readable } from '../repository/paths.ts';
import { succeeded } from '../run/launcher.ts';
import { DIFF_FORM, type FileDiff, shownDiff } from './diff.ts';
import { headOf, resolveCommit } from './status.ts';
import { readUpstream } from './upstream.ts';

export interface LoggedCommit {
  commit: string;
  short: string;
  author: string;
  /** ISO 8601. */
  date: string;
  parents: string[];
  subject: string;
  /** Reachable from a remote branch, as of the last fetch. */
  isPushed: boolean;
}

export interface History {
  /** Newest first, at most 50. */
  commits: LoggedCommit[];
  hasMore: boolean;
  /** Start of the next page; null on the last one. */
  next: HistoryPlace | null;
  /** The whole message of the newest commit; '' before the first commit. */
  lastMessage: string;
  head: string | null;
  upstream: string | null;
  upstreamName: string | null;
  mergeBase: string | null;
}

/** A position in the log of `from`, which stays the same when the branch moves. */
export interface HistoryPlace {
  /** Full hash. */
  from: string;
  /** Commits before it in that log. */
  skip: number;
}

export interface CommitRange {
  /** Full hash; absent: the first parent of `to`, or the empty tree. */
  from?: string;
  /** Full hash. */
  to: string;
}

export interface ChangedFile {
  status: 'A' | 'D' | 'M' | 'R';
  previous: string | null;
  path: string;
}

export interface RangeChanges {
  from: string;
  to: string;
  isFromEmpty: boolean;
  /** At most 500, relative to the folder. */
  files: ChangedFile[];
  hasMore: boolean;
  /** Changed files outside the folder. */
  outside: number;
}

export interface RangeDiff extends Pick<FileDiff, 'text' | 'isCut' | 'isBinary' | 'fingerprint'> {
  path: string;
  previous: string | null;
  from: string;
  to: string;
  isFromEmpty: boolean;
}

const MAX_COMMITS = 50;
/** Listed by a comparison. */
export const MAX_FILES = 500;

/** The newest commits, or those from `at` on. Throws GIT_COMMIT_UNKNOWN when the commit of `at` is missing. */
export async function readHistory(place: GitFolder, at?: HistoryPlace): Promise<History> {
  const { git } = place;
  const head = await headOf(git);
  const { from, skip } = at ? { ...at, from: await existingCommit(place, at.from) } : { from: head, skip: 0 };
  const upstream = await readUpstream(place);
  const remote = upstream && (await resolveCommit(git, upstream.reference));
  const shared = { head: head ?? null, upstream: remote ?? null, upstreamName: upstream?.short ?? null };
  if (head === undefined || from === undefined)
    return { commits: [], hasMore: false, next: null, lastMessage: '', ...shared, mergeBase: null };
  const format = '--format=%H%x00%h%x00%an%x00%aI%x00%P%x00%s';
  const count = `--max-count=${MAX_COMMITS + 1}`;
  const plain = ['--encoding=UTF-8', '--no-show-signature', '--no-color', '--no-decorate', '--no-patch'];
  const [rows, unpushed, lastMessage, mergeBase] = await Promise.all([
    git.text(['log', ...plain, count, `--skip=${skip}`, format, from, '--']),
    git.text(['rev-list', `--max-count=${skip + MAX_COMMITS + 1}`, from, '--not', '--remotes', '--']),
    git.text(['log', '-1', ...plain, '--format=%B', head, '--']),
    remote === undefined ? null : mergeBaseOf(place, head, remote),
  ]);
  const own = new Set(unpushed.split('\n'));
  const commits = rows
    .split('\n')
    .filter(Boolean)
    .map((row) => parseCommit(row, own));
  const hasMore = commits.length > MAX_COMMITS;
  return {
    commits: commits.slice(0, MAX_COMMITS),
    hasMore,
    next: hasMore ? { from, skip: skip + MAX_COMMITS } : null,
    lastMessage: lastMessage.trimEnd(),
    ...shared,
    mergeBase,
  };
}

/** Throws GIT_COMMIT_INVALID, GIT_COMMIT_UNKNOWN. */
export async function readChanges(place: GitFolder, range: CommitRange): Promise<RangeChanges> {
  const ends = await endsOf(place, range);
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--name-status',
    '--find-renames',
    '--no-relative',
    '--ignore-submodules=dirty',
  ];
  const output = binary(succeeded(await place.git.run([...args, ends.from, ends.to, '--']), args));
  const fields = output.split('\0');
  const files: ChangedFile[] = [];
  let outside = 0;
  for (let at = 0; at + 1 < fields.length; ) {
    const letter = (fields[at] ?? '')[0] ?? '';
    const isPair = letter === 'R' || letter === 'C';
    const [first, second] = [readable(fields[at + 1] ?? ''), isPair ? readable(fields[at + 2] ?? '') : undefined];
    at += isPair ? 3 : 2;
    const file = seenFrom(place, letter, second === undefined ? { path: first } : { previous: first, path: second });
    if (file) files.push(file);
    else outside += 1;
  }
  return { ...ends, files: files.slice(0, MAX_FILES), hasMore: files.length > MAX_FILES, outside };
}

/**
 * The diff of one file between two commits; empty text when it is unchanged. Throws GIT_COMMIT_INVALID,
 * GIT_COMMIT_UNKNOWN, GIT_PATH_INVALID.
 */
export async function readRangeDiff(
  place: GitFolder,
  { path, previous, ...range }: CommitRange & { path: string; previous?: string },
): Promise<RangeDiff> {
  const names = [...(previous === undefined ? [] : [checkPath(previous)]), checkPath(path)];
  const ends = await endsOf(place, range);
  const { args: specs, environment } = pathArguments(names);
  const args = ['diff-tree', '-r', ...DIFF_FORM, ends.from, ends.to, '--', ...specs];
  const bytes = diffOfPaths(succeeded(await place.git.run(args, { environment }), args), names);
  return { path: names.at(-1) ?? path, previous: previous ?? null, ...ends, ...shownDiff(bytes) };
}

function parseCommit(row: string, unpushed: ReadonlySet<string>): LoggedCommit {
  const [commit = '', short = '', author = '', date = '', parents = '', subject = ''] = row.split('\0');
  return {
    commit,
    short,
    author,
    date,
    parents: parents.split(' ').filter(Boolean),
    subject,
    isPushed: !unpushed.has(commit),
  };
}

export async function mergeBaseOf({ git }: GitFolder, one: string, other: string): Promise<string | null> {
  const args = ['merge-base', one, other];
  const outcome = await git.run(args);
  return outcome.exitCode === 1 ? null : succeeded(outcome, args).toString('utf8').trim();
}

interface Ends {
  from: string;
  to: string;
  isFromEmpty: boolean;
}

async function endsOf(place: GitFolder, { from, to }: CommitRange): Promise<Ends> {
  const end = await existingCommit(place, to);
  if (from !== undefined) return { from: await existingCommit(place, from), to: end, isFromEmpty: false };
  const parent = await resolveCommit(place.git, `${end}^1`);
  if (parent !== undefined) return { from: parent, to: end, isFromEmpty: false };
  const empty = await place.git.text(['hash-object', '-t', 'tree', '--stdin'], { input: '' });
  return { from: empty.trim(), to: end, isFromEmpty: true };
}

export async function existingCommit(place: GitFolder, hash: string): Promise<string> {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(hash)) throw gitError('GIT_COMMIT_INVALID');
  const outcome = await place.git.run(['cat-file', '-t', hash]);
  if (outcome.exitCode !== 0 || outcome.stdout.toString('utf8').trim() !== 'commit')
    throw gitError('GIT_COMMIT_UNKNOWN');
  return hash;
}

/** A rename into or out of the folder appears as an addition or a deletion. */
function seenFrom(
  place: GitFolder,
  letter: string,
  { previous, path }: { previous?: string; path: string },
): ChangedFile | undefined {
  const inside = insideFolder(place, path);
  const old = previous === undefined ? undefined : insideFolder(place, previous);
  if (inside === undefined)
    return letter === 'R' && old !== undefined ? { status: 'D', previous: null, path: old } : undefined;
  if (letter === 'R' && old !== undefined) return { status: 'R', previous: old, path: inside };
  return { status: 'ARC'.includes(letter) ? 'A' : letter === 'D' ? 'D' : 'M', previous: null, path: inside };
}
