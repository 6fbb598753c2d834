import type { KeyedQueue } from '@fucina/shared';
import { hostedAt } from '../code-host/branch.ts';
import { gitError } from '../errors.ts';
import { resolveCommit } from '../reading/status.ts';
import { remoteCall } from '../remotes/remote-call.ts';
import { readRemotes } from '../remotes/remotes.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { commonDirOf } from '../repository/repository.ts';
import { succeeded } from '../run/launcher.ts';

/** The names that remotes with pull requests usually have: of a fork, the requests are in the original. */
const USUAL_NAMES = ['upstream', 'origin'];

/**
 * Fetches the last commit of a pull request, as GitHub offers it to every reader, into a remote-tracking reference. Throws
 * GIT_NO_REMOTE (`pull-request`), GIT_BRANCH_NOT_FOUND (`pull-request`), GIT_COMMAND_FAILED (`unreachable` and the like), GIT_TIMEOUT.
 */
export async function fetchPullRequest(
  place: GitFolder,
  number: number,
  { enqueue, signal }: { enqueue: KeyedQueue; signal: AbortSignal | undefined },
): Promise<{ reference: string; commit: string }> {
  const remote = await pullRequestRemote(place);
  const reference = `refs/remotes/${remote}/pull/${number}/head`;
  const { program, options } = await remoteCall(place, remote, 'fetch');
  const args = [
    'fetch',
    '--quiet',
    program,
    '--no-recurse-submodules',
    '--no-auto-maintenance',
    '--no-tags',
    '--no-write-fetch-head',
    '--refmap=',
    '--',
    remote,
    `+refs/pull/${number}/head:${reference}`,
  ];
  const fetched = async () => place.git.run(args, { ...options, signal });
  const outcome = await enqueue(`${await commonDirOf(place.repository)}:pull-requests`, fetched);
  if (/couldn't find remote ref/.test(outcome.stderr))
    throw gitError('GIT_BRANCH_NOT_FOUND', {
      reason: 'pull-request',
      details: { stderr: outcome.stderr },
    });
  succeeded(outcome, args);
  const commit = await resolveCommit(place.git, reference);
  if (commit === undefined) throw gitError('GIT_COMMAND_FAILED', { details: { reference } });
  return { reference, commit };
}

/** The remote that gh uses, else one on GitHub, else any: other code hosts have the same references. */
async function pullRequestRemote(place: GitFolder): Promise<string> {
  const remotes = await readRemotes(place);
  const chosen = await chosenForGh(place);
  const rank = ({ name, url }: { name: string; url: string }): number => {
    if (name === chosen) return -1;
    const usual = USUAL_NAMES.indexOf(name);
    return (hostedAt(url) ? 0 : 10) + (usual < 0 ? USUAL_NAMES.length : usual);
  };
  const [best] = remotes.sort((a, b) => rank(a) - rank(b));
  if (!best) throw gitError('GIT_NO_REMOTE', { reason: 'pull-request' });
  return best.name;
}

/** `gh repo set-default` stores its choice in the repository. */
async function chosenForGh({ git }: GitFolder): Promise<string | undefined> {
  const { exitCode, stdout } = await git.run([
    'config',
    '--get-regexp',
    String.raw`^remote\..*\.gh-resolved$`,
    '^base$',
  ]);
  return exitCode === 0 ? /^remote\.(.*)\.gh-resolved base$/m.exec(stdout.toString('utf8'))?.[1] : undefined;
}
