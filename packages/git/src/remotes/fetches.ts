import { isAppError } from '@fucina/shared';
import { gitError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { succeeded } from '../run/launcher.ts';
import { remoteCall } from './remote-call.ts';
import { readRemotes } from './remotes.ts';

/** One fetch at a time per repository; it can be stopped. */
export interface Fetches {
  isRunning(key: string): boolean;
  /** Throws GIT_FETCH_RUNNING. */
  run<T>(key: string, act: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The same, after the running one. */
  runNext<T>(key: string, act: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Resolves when the fetch has ended; false when there was none. */
  stop(key: string): Promise<boolean>;
}

export function createFetches(): Fetches {
  const running = new Map<string, { controller: AbortController; over: Promise<unknown> }>();
  const start = async <T>(key: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const controller = new AbortController();
    const done = act(controller.signal).finally(() => running.delete(key));
    running.set(key, { controller, over: done.catch(() => undefined) }); // the caller that started it gets the error
    return done;
  };
  return {
    isRunning: (key) => running.has(key),
    async run(key, act) {
      if (running.has(key)) throw gitError('GIT_FETCH_RUNNING');
      return start(key, act);
    },
    async runNext(key, act) {
      for (let other = running.get(key); other; other = running.get(key)) await other.over;
      return start(key, act);
    },
    async stop(key) {
      const found = running.get(key);
      found?.controller.abort();
      await found?.over;
      return found !== undefined;
    },
  };
}

/** The remotes to fetch from: the given one, or all. Throws GIT_NO_REMOTE, GIT_REMOTE_UNKNOWN. */
export async function remotesToFetch(place: GitFolder, name: string | undefined): Promise<string[]> {
  const names = (await readRemotes(place)).map((remote) => remote.name);
  if (names.length === 0) throw gitError('GIT_NO_REMOTE');
  if (name === undefined) return names;
  if (!names.includes(name)) throw gitError('GIT_REMOTE_UNKNOWN');
  return [name];
}

/** All are tried; the first failure is thrown. Throws GIT_COMMAND_FAILED, GIT_TIMEOUT, GIT_ABORTED. */
export async function fetchAll(place: GitFolder, names: readonly string[], signal: AbortSignal): Promise<void> {
  let failure: unknown;
  for (const name of names) {
    try {
      await fetchRemote(place, name, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

export async function fetchRemote(place: GitFolder, name: string, signal: AbortSignal): Promise<void> {
  const { program, options } = await remoteCall(place, name, 'fetch');
  const args = ['fetch', '--quiet', program, '--no-recurse-submodules', '--no-auto-maintenance', '--', name];
  succeeded(await place.git.run(args, { ...options, signal }), args);
}

/** Throws GIT_PULL_FAILED when the remote cannot be reached or refuses, or when it was stopped. */
export async function fetchForPull(place: GitFolder, name: string, signal: AbortSignal): Promise<void> {
  try {
    await fetchRemote(place, name, signal);
  } catch (error) {
    if (isAppError(error, 'GIT_ABORTED')) throw gitError('GIT_PULL_FAILED', { reason: 'stopped', cause: error });
    if (isAppError(error, 'GIT_COMMAND_FAILED'))
      throw gitError('GIT_PULL_FAILED', { reason: error.reason, details: error.details, cause: error });
    throw error;
  }
}
