import { once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Ambient, isLocked, systemCode, tryLock, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import type { WindowPath } from './target.ts';

const request = z.object({ path: z.string().startsWith('/') });
const ACCEPT_MS = 5_000;
const LOOK_MS = 50;

/** The one desktop application of a data folder. */
export interface Instance {
  /** What later starts want to see, until the signal. */
  requests(signal: AbortSignal): AsyncIterable<WindowPath>;
  release(): void;
}

/** Undefined when another process is the instance of this folder. */
export async function becomeInstance(dataDir: string): Promise<Instance | undefined> {
  const lock = tryLock(lockOf(dataDir));
  if (!lock) return undefined;
  const folder = await requestsFolder(dataDir);
  const watcher = watch(folder);
  return {
    requests: (signal) => requestsIn(folder, watcher, signal),
    release() {
      watcher.close();
      lock.release();
    },
  };
}

/** Asks the running instance to show this. False when none runs or it does not accept in time. */
export async function handOver(ambient: Ambient, dataDir: string, path: WindowPath): Promise<boolean> {
  if (!isLocked(lockOf(dataDir))) return false;
  const file = join(await requestsFolder(dataDir), `${ambient.newId()}.json`);
  const until = ambient.monotonic() + ACCEPT_MS;
  await writeFileAtomically(file, JSON.stringify({ path }));
  while (ambient.monotonic() < until) {
    if (!(await isThere(file))) return true;
    await ambient.sleep(LOOK_MS);
  }
  await rm(file, { force: true });
  return false;
}

/** Looks at the folder after each change of it; what was asked for before the first look is there too. */
async function* requestsIn(folder: string, watcher: FSWatcher, signal: AbortSignal): AsyncGenerator<WindowPath> {
  while (!signal.aborted) {
    const changed = once(watcher, 'change', { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    for (const name of await readdir(folder)) {
      const path = name.endsWith('.json') ? await take(join(folder, name)) : undefined;
      if (path !== undefined) yield path;
    }
    await changed;
  }
}

/** Removing the file accepts the request. */
async function take(file: string): Promise<WindowPath | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    await rm(file);
    return request.safeParse(JSON.parse(text)).data?.path;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined; // withdrawn, or not ours
    throw error;
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await readdir(dirname(file))).includes(basename(file));
}

function lockOf(dataDir: string): string {
  return join(dataDir, 'locks', 'desktop');
}

async function requestsFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'desktop', 'requests');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
