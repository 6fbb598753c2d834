import type { GitFolder } from '../repository/git-folder.ts';
import { succeeded } from '../run/launcher.ts';

export interface Upstream {
  /** Full name: `refs/remotes/origin/main`. */
  reference: string;
  short: string;
  remote: string;
  branch: string;
}

export interface Branch {
  name: string;
  isCurrent: boolean;
  commit: string;
  upstream: Upstream | null;
  ahead: number | null;
  behind: number | null;
  /** The branch that it follows no longer exists. */
  isUpstreamGone: boolean;
}

const FORMAT = [
  '%(refname)',
  '%(HEAD)',
  '%(objectname)',
  '%(upstream)',
  '%(upstream:short)',
  '%(upstream:remotename)',
  '%(upstream:remoteref)',
  '%(upstream:track,nobracket)',
].join('%00');

export async function readBranches(place: GitFolder, pattern = 'refs/heads'): Promise<Branch[]> {
  const rows = await place.git.text(['for-each-ref', `--format=${FORMAT}`, pattern]);
  return rows.split('\n').filter(Boolean).map(parseBranch);
}

/** The name of the current branch, also before its first commit; undefined when detached. */
export async function currentBranch({ git }: GitFolder): Promise<string | undefined> {
  const args = ['symbolic-ref', '--quiet', 'HEAD'];
  const outcome = await git.run(args);
  if (outcome.exitCode === 1) return undefined;
  const name = succeeded(outcome, args).toString('utf8').trim();
  return name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined;
}

export async function readUpstream(place: GitFolder): Promise<Upstream | undefined> {
  const name = await currentBranch(place);
  if (name === undefined) return undefined;
  const [branch] = await readBranches(place, `refs/heads/${name}`);
  return branch?.upstream ?? undefined;
}

function parseBranch(row: string): Branch {
  const [name = '', head, commit = '', reference = '', short = '', remote = '', target = '', track = ''] =
    row.split('\0');
  const counted = (word: string): number => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0);
  const isUpstreamGone = track === 'gone';
  const isFollowing = reference !== '' && !isUpstreamGone;
  return {
    name: name.slice('refs/heads/'.length),
    isCurrent: head === '*',
    commit,
    upstream: reference === '' ? null : { reference, short, remote, branch: target.replace(/^refs\/heads\//, '') },
    ahead: isFollowing ? counted('ahead') : null,
    behind: isFollowing ? counted('behind') : null,
    isUpstreamGone,
  };
}
