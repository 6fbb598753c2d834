import { isAppError } from '@fucina/shared';
import { gitError, hostError } from '../errors.ts';
import { resolveCommit } from '../reading/status.ts';
import { type Branch, currentBranch, readBranches } from '../reading/upstream.ts';
import { pushRemoteOf, readRemotes } from '../remotes/remotes.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { HOST } from './tool.ts';

/** The current branch and where the code host has it. */
export interface HostedBranch {
  owner: string;
  name: string;
  remote: string;
  branch: string;
  /** Its name on the code host. */
  remoteBranch: string;
  /** As far as it is known locally. */
  isPublished: boolean;
  ahead: number;
  behind: number;
}

/** Throws GIT_DETACHED, GIT_NO_REMOTE, HOST_NOT_ON_HOST, HOST_GIT_FAILED, NOT_FOUND. */
export async function hostedBranch(place: GitFolder): Promise<HostedBranch> {
  const branch = await currentBranch(place);
  if (branch === undefined) throw gitError('GIT_DETACHED');
  const remotes = await readRemotes(place);
  if (remotes.length === 0) throw gitError('GIT_NO_REMOTE');
  const [found] = await readBranches(place, `refs/heads/${branch}`);
  const upstream = found?.upstream ?? null;
  const usual = await pushRemoteOf(place, { name: branch, upstream, remotes });
  const ordered = [usual, 'origin', ...remotes.map(({ name }) => name)];
  const hosted = ordered.flatMap((name) => {
    const remote = remotes.find((one) => one.name === name);
    const repository = remote && hostedAt(remote.url);
    return remote && repository ? [{ remote: remote.name, ...repository }] : [];
  })[0];
  if (!hosted) throw hostError('HOST_NOT_ON_HOST');
  const remoteBranch = upstream?.remote === hosted.remote ? upstream.branch : branch;
  return { ...hosted, branch, remoteBranch, ...(await standing(place, { ...hosted, remoteBranch, found })) };
}

async function standing(
  place: GitFolder,
  { remote, remoteBranch, found }: { remote: string; remoteBranch: string; found: Branch | undefined },
): Promise<Pick<HostedBranch, 'isPublished' | 'ahead' | 'behind'>> {
  const reference = `refs/remotes/${remote}/${remoteBranch}`;
  const isPublished = (await resolveCommit(place.git, reference)) !== undefined;
  if (!found) return { isPublished, ahead: 0, behind: 0 };
  const here = `refs/heads/${found.name}`;
  if (!isPublished) {
    const count = await place.git.text(['rev-list', '--count', here, '--not', `--remotes=${remote}`, '--']);
    return { isPublished, ahead: Number(count), behind: 0 };
  }
  const counts = await place.git.text(['rev-list', '--count', '--left-right', `${here}...${reference}`, '--']);
  const [ahead = 0, behind = 0] = counts.trim().split('\t').map(Number);
  return { isPublished, ahead, behind };
}

/** Owner and name from a remote URL of the code host. */
export function hostedAt(url: string): { owner: string; name: string } | undefined {
  const path = new RegExp(
    `^(?:https?://|git://|ssh://git@|git@)(?:www\\.)?${HOST.replace('.', '\\.')}(?::22)?[/:]+(.+)$`,
    'i',
  ).exec(url)?.[1];
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(path ?? '') ?? [];
  return owner === undefined || name === undefined || /^\.+$/.test(name) ? undefined : { owner, name };
}

/** Git's refusals become HOST_GIT_FAILED, except those that these operations distinguish. */
export async function askingGit<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!isAppError(cause) || BRANCH_FIELDS.has(cause.code) || cause.code.startsWith('HOST_')) throw cause;
    const reason = cause.code.toLowerCase().replaceAll('_', '-');
    throw hostError('HOST_GIT_FAILED', { reason, details: cause.details, cause });
  }
}

const BRANCH_FIELDS: ReadonlySet<string> = new Set([
  'GIT_DETACHED',
  'GIT_NO_REMOTE',
  'GIT_BRANCH_INVALID',
  'NOT_FOUND',
]);
