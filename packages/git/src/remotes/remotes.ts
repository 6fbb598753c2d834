import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '@fucina/shared';
import { type OngoingOperation, readOngoing } from '../reading/ongoing.ts';
import { currentBranch, readBranches, type Upstream } from '../reading/upstream.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { commonDirOf } from '../repository/repository.ts';

export interface Remote {
  name: string;
  /** Without credentials. */
  url: string;
  /** null when it equals the fetch address. */
  pushUrl: string | null;
}

export interface SyncState {
  branch: string | null;
  isDetached: boolean;
  ongoing: OngoingOperation | null;
  remotes: Remote[];
  upstream: Upstream | null;
  ahead: number | null;
  behind: number | null;
  isUpstreamGone: boolean;
  /** The default remote for a push; null when it is ambiguous. */
  pushRemote: string | null;
  /** Milliseconds since the epoch. */
  lastFetchAt: number | null;
  isFetching: boolean;
}

export async function readRemotes({ git }: GitFolder): Promise<Remote[]> {
  const remotes = new Map<string, { fetch?: string; push?: string }>();
  for (const line of (await git.text(['remote', '--verbose'])).split('\n')) {
    const [, name, url, way] = /^(.*?)\t(.*) \((fetch|push)\)(?: \[.*\])?$/.exec(line) ?? [];
    if (name === undefined) continue;
    remotes.set(name, { ...remotes.get(name), [way as 'fetch' | 'push']: url });
  }
  return [...remotes].map(([name, { fetch = '', push }]) => ({
    name,
    url: withoutSecrets(fetch),
    pushUrl: push === undefined || push === fetch ? null : withoutSecrets(push),
  }));
}

/** The credentials before the `@` of a URL with a scheme; `git@host:path` contains no secret. */
function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, (whole, scheme: string) =>
    /^ssh:/i.test(scheme) && !/:[^/]*@/.test(whole.slice(scheme.length)) ? whole : scheme,
  );
}

export async function readSync(place: GitFolder, isFetching: boolean): Promise<SyncState> {
  const [name, remotes] = await Promise.all([currentBranch(place), readRemotes(place)]);
  const branch = name === undefined ? undefined : (await readBranches(place, `refs/heads/${name}`))[0];
  return {
    branch: name ?? null,
    isDetached: name === undefined,
    ongoing: await readOngoing(place),
    remotes,
    upstream: branch?.upstream ?? null,
    ahead: branch?.ahead ?? null,
    behind: branch?.behind ?? null,
    isUpstreamGone: branch?.isUpstreamGone ?? false,
    pushRemote: await pushRemoteOf(place, { name, upstream: branch?.upstream ?? null, remotes }),
    lastFetchAt: await lastFetchOf(place),
    isFetching,
  };
}

/** The default remote for a push; null when it is ambiguous. */
export async function pushRemoteOf(
  { git }: GitFolder,
  { name, upstream, remotes }: { name: string | undefined; upstream: Upstream | null; remotes: readonly Remote[] },
): Promise<string | null> {
  const isKnown = (remote: string | undefined): remote is string => remotes.some((known) => known.name === remote);
  const keys = [...(name === undefined ? [] : [`branch.${name}.pushRemote`]), 'remote.pushDefault'];
  for (const key of keys) {
    const { exitCode, stdout } = await git.run(['config', '--get', key]);
    const remote = exitCode === 0 ? stdout.toString('utf8').trim() : undefined;
    if (isKnown(remote)) return remote;
  }
  if (isKnown(upstream?.remote)) return upstream?.remote ?? null;
  return remotes.length === 1 ? (remotes[0]?.name ?? null) : null;
}

/** FETCH_HEAD of this work tree, or of the repository it belongs to. */
async function lastFetchOf({ repository }: GitFolder): Promise<number | null> {
  const common = await commonDirOf(repository);
  const times = await Promise.all([...new Set([repository.gitDir, common])].map(modifiedAt));
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.max(...known) : null;
}

async function modifiedAt(folder: string): Promise<number | undefined> {
  try {
    return Math.round((await stat(join(folder, 'FETCH_HEAD'))).mtimeMs);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
