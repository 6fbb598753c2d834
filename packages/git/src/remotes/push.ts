import { gitError } from '../errors.ts';
import { HOOKS } from '../hooks/hook-files.ts';
import type { HookedFolder, OperationHooks } from '../hooks/hooks.ts';
import { headOf } from '../reading/status.ts';
import { currentBranch, readUpstream, type Upstream } from '../reading/upstream.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { type GitOutcome, reasonOf, succeeded } from '../run/launcher.ts';
import { remoteCall } from './remote-call.ts';
import { pushRemoteOf, type Remote, readRemotes } from './remotes.ts';

export interface PushedReference {
  from: string;
  to: string;
  outcome: 'new' | 'updated' | 'unchanged';
}

export interface Pushed {
  remote: string;
  branch: string;
  /** The remote did not have the branch. */
  isPublished: boolean;
  outcomes: PushedReference[];
  /** Hooks that exist and were not run; null when there is none. */
  hooksNotRun: string[] | null;
}

/**
 * Pushes the current branch to its upstream, or publishes it under its own name and sets that as upstream. Never
 * forces. Throws GIT_DETACHED, GIT_NOTHING_TO_COMMIT (no commit yet), GIT_NO_REMOTE, GIT_REMOTE_UNKNOWN,
 * GIT_REMOTE_MISMATCH, GIT_REMOTE_REQUIRED, GIT_BEHIND, GIT_PUSH_REJECTED.
 */
export async function push(place: HookedFolder, chosen: string | undefined): Promise<Pushed> {
  const branch = await currentBranch(place);
  if (branch === undefined) throw gitError('GIT_DETACHED');
  if ((await headOf(place.git)) === undefined) throw gitError('GIT_NOTHING_TO_COMMIT', { reason: 'no-commit' });
  const remotes = await readRemotes(place);
  const upstream = await readUpstream(place);
  const remote = await remoteFor(place, { branch, chosen, remotes, upstream });
  const isFollowing = upstream?.remote === remote;
  const target = isFollowing ? upstream.branch : branch;
  const { program, options } = await remoteCall(place, remote, 'push');
  const hooks = await place.hooks.begin(place, HOOKS.push);
  if (hooks.hasAny('pre-push')) await runPrePush(place, hooks, { remote, branch, target });
  const args = [
    'push',
    '--porcelain',
    program,
    '--no-force',
    '--no-verify',
    '--recurse-submodules=no',
    ...(upstream ? [] : ['--set-upstream']),
    '--',
    remote,
    `refs/heads/${branch}:refs/heads/${target}`,
  ];
  const outcome = await place.git.run(args, options);
  const rows = parseRows(outcome);
  refuseRejected(outcome, rows);
  succeeded(outcome, args);
  return {
    remote,
    branch,
    isPublished: rows.some(({ flag }) => flag === '*'),
    outcomes: rows.map(({ flag, from, to }) => ({
      from,
      to,
      outcome: flag === '*' ? 'new' : flag === '=' ? 'unchanged' : 'updated',
    })),
    hooksNotRun: hooks.leftOut,
  };
}

/** The remote is asked for its branch first, as git does: `<reference> <commit> <remote reference> <remote commit>`. */
async function runPrePush(
  place: GitFolder,
  hooks: OperationHooks,
  { remote, branch, target }: { remote: string; branch: string; target: string },
): Promise<void> {
  const { program, options } = await remoteCall(place, remote, 'fetch');
  const reference = `refs/heads/${target}`;
  const args = ['ls-remote', program, '--', remote, reference];
  const listed = succeeded(await place.git.run(args, options), args).toString('utf8');
  const head = (await headOf(place.git)) ?? '';
  const there = listed.split('\n').find((line) => line.endsWith(`\t${reference}`));
  const theirs = there?.split('\t')[0] ?? '0'.repeat(head.length);
  const isForward = ['merge-base', '--is-ancestor', theirs, head];
  const isNew = there === undefined;
  // git does not run it either when there is nothing to push, or when the remote would refuse.
  if (theirs === head || !(isNew || (await place.git.run(isForward)).exitCode === 0)) return;
  const url = (await place.git.text(['remote', 'get-url', '--push', remote])).trim();
  const input = `refs/heads/${branch} ${head} ${reference} ${theirs}\n`;
  await hooks.run('pre-push', { args: [remote, url], input });
  if ((await headOf(place.git)) !== head) throw gitError('GIT_COMMAND_FAILED', { reason: 'head-moved' });
}

async function remoteFor(
  place: GitFolder,
  push: { branch: string; chosen: string | undefined; remotes: readonly Remote[]; upstream: Upstream | undefined },
): Promise<string> {
  const { branch, chosen, remotes, upstream } = push;
  if (remotes.length === 0) throw gitError('GIT_NO_REMOTE');
  const usual = await pushRemoteOf(place, { name: branch, upstream: upstream ?? null, remotes });
  if (chosen === undefined) {
    if (usual === null) throw gitError('GIT_REMOTE_REQUIRED');
    return usual;
  }
  const isKnown = (name: string | undefined): boolean => remotes.some((one) => one.name === name);
  if (!isKnown(chosen)) throw gitError('GIT_REMOTE_UNKNOWN');
  if (isKnown(upstream?.remote) && chosen !== upstream?.remote && chosen !== usual)
    throw gitError('GIT_REMOTE_MISMATCH');
  return chosen;
}

interface Row {
  flag: string;
  from: string;
  to: string;
  summary: string;
}

function parseRows({ stdout }: GitOutcome): Row[] {
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, flag = '', from = '', to = '', summary = ''] =
        /^([ +\-*!=])\t([^\t:]*):([^\t]*)\t(.*)$/.exec(line) ?? [];
      return flag === '' ? [] : [{ flag, from, to, summary }];
    });
}

function refuseRejected({ stderr }: GitOutcome, rows: readonly Row[]): void {
  const rejected = rows.find(({ flag }) => flag === '!');
  if (!rejected) return;
  if (/fetch first|non-fast-forward/.test(rejected.summary)) throw gitError('GIT_BEHIND');
  throw gitError('GIT_PUSH_REJECTED', { reason: reasonOf(stderr), details: { summary: rejected.summary, stderr } });
}
