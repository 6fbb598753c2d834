import { link, lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, type Environment, runProcess, syncFolder, textStart, withFolderInside } from '@fucina/shared';
import { findProgram } from '../find-program.ts';
import { identityAt, isPlainFolder } from './identity.ts';
import type { DiskMount } from './mounts.ts';

export interface RepositoryNeeds {
  ambient: Ambient;
  environment: Environment;
}

/** More mounts than this would slow down every start. */
export const MAX_FILES = 64;
const PACK_MS = 120_000;
const STAGED = 'fucina-objects-';
const OLD_MS = 3_600_000;
const FAN_OUT = /^[0-9a-f]{2}$/;
const REST = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
/** Packs that are being written, by another git, do not matter yet. */
const OF_PACK = /^(?:pack-.*|multi-pack-index.*)$/;

const running = new Map<string, Promise<boolean>>();

/**
 * The objects of a shared repository, for a command that may add some and remove none: git stores new ones as files or
 * as packs, and what exists is in packs, each of which is a read-only mount. With very many packs no new ones can be
 * added; where the existing objects cannot be packed, none at all.
 */
export async function objectMounts(commonDir: string, needs: RepositoryNeeds): Promise<DiskMount[]> {
  const objects = join(commonDir, 'objects');
  const pack = join(objects, 'pack');
  if (!isPlainFolder(objects)) return [];
  if (!isPlainFolder(pack)) await mkdir(pack).catch(() => undefined); // looked at next
  if (!isPlainFolder(pack) || !(await packedOnce(commonDir, needs))) return [mount('read-only', objects)];
  const names = (await readdir(pack)).filter((name) => OF_PACK.test(name));
  const files = names.map((name) => join(pack, name)).filter((path) => identityAt(path) !== undefined);
  const info = join(objects, 'info');
  return [
    mount('writable', objects),
    mount(files.length > MAX_FILES ? 'read-only' : 'writable', pack),
    ...(files.length > MAX_FILES ? [] : files.map((path) => mount('read-only', path))),
    ...(isPlainFolder(info) ? [mount('read-only', info)] : []),
  ];
}

const mount = (kind: DiskMount['kind'], path: string): DiskMount => ({ kind, source: path, target: path });

/** Commands that start at the same time wait for one packing. */
async function packedOnce(commonDir: string, needs: RepositoryNeeds): Promise<boolean> {
  const before = running.get(commonDir);
  if (before) return before;
  const now = packed(commonDir, needs)
    .then(() => true)
    .catch((error: unknown) => {
      needs.ambient.log.warn('sandbox.objects-not-packed', { error });
      return false;
    })
    .finally(() => running.delete(commonDir));
  running.set(commonDir, now);
  return now;
}

/**
 * Moves objects that are files of their own into a pack. Commands can put links into the folders of these files: they are
 * reached by descriptors only, and git reads copies (hard links) that no command reaches.
 */
async function packed(commonDir: string, needs: RepositoryNeeds): Promise<void> {
  const folders = (await readdir(join(commonDir, 'objects'))).filter((name) => FAN_OUT.test(name));
  if (folders.length === 0) return;
  await sweep(commonDir, needs.ambient);
  const staged = await mkdtemp(join(commonDir, STAGED));
  try {
    const ids = (await Promise.all(folders.map((name) => stage(commonDir, name, staged)))).flat();
    if (ids.length === 0) return;
    await mkdir(join(staged, 'pack'));
    await pack(commonDir, staged, { ...needs, ids });
    await publish(commonDir, staged);
    const those = new Set(ids);
    for (const name of folders) await withdraw(commonDir, name, those);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** What a killed server left. */
async function sweep(commonDir: string, ambient: Ambient): Promise<void> {
  const names = (await readdir(commonDir)).filter((name) => name.startsWith(STAGED));
  for (const path of names.map((name) => join(commonDir, name))) {
    const found = await lstat(path).catch(() => undefined);
    if (found && ambient.now() - found.mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Links the objects of one folder into the staged one; returns their names. */
async function stage(commonDir: string, name: string, staged: string): Promise<string[]> {
  const target = join(staged, name);
  const ids = await inFolder(commonDir, `objects/${name}`, async (folder) => {
    const rest = (await readdir(folder)).filter((one) => REST.test(one));
    if (rest.length > 0) await mkdir(target);
    const found: string[] = [];
    for (const one of rest) {
      const copy = join(target, one);
      await link(join(folder, one), copy).catch(() => undefined); // packed or removed meanwhile
      const entry = await lstat(copy).catch(() => undefined);
      if (entry?.isFile()) found.push(name + one);
      else if (entry) await unlink(copy);
    }
    return found;
  });
  return ids ?? [];
}

/** Calls `act` with a folder of the repository by its descriptor; undefined if it is gone or a link. */
async function inFolder<T>(
  commonDir: string,
  path: string,
  act: (folder: string) => Promise<T>,
): Promise<T | undefined> {
  if (!isPlainFolder(join(commonDir, path))) return undefined;
  return withFolderInside(commonDir, path, (folder, realPath) =>
    realPath === path ? act(folder) : Promise.resolve(undefined),
  );
}

async function pack(commonDir: string, staged: string, needs: RepositoryNeeds & { ids: string[] }): Promise<void> {
  const { ambient, environment, ids } = needs;
  const git = await findProgram(environment, 'git');
  if (git === undefined) throw new Error('git is not installed');
  const { exitCode, stderr } = await runProcess({
    ambient,
    environment,
    extraEnvironment: { GIT_DIR: commonDir, GIT_OBJECT_DIRECTORY: staged, GIT_NO_LAZY_FETCH: '1' },
    argv: [git, '-c', 'core.fsmonitor=false', 'pack-objects', '--quiet', join(staged, 'pack', 'pack')],
    cwd: commonDir,
    input: `${ids.join('\n')}\n`,
    timeoutMs: PACK_MS,
    leavesNothing: true,
  });
  if (exitCode !== 0) throw new Error(`git pack-objects: ${textStart(stderr.bytes.toString(), 300)}`);
}

/** A pack counts from its index on: that comes last. */
async function publish(commonDir: string, staged: string): Promise<void> {
  const names = (await readdir(join(staged, 'pack'))).toSorted(
    (one, other) => Number(one.endsWith('.idx')) - Number(other.endsWith('.idx')),
  );
  const isDone = await inFolder(commonDir, 'objects/pack', async (folder) => {
    for (const name of names) await rename(join(staged, 'pack', name), join(folder, name));
    await syncFolder(folder); // what follows removes the only other copy
    return true;
  });
  if (!isDone) throw new Error('the folder of packs was replaced');
}

async function withdraw(commonDir: string, name: string, ids: ReadonlySet<string>): Promise<void> {
  await inFolder(commonDir, `objects/${name}`, async (folder) => {
    for (const one of await readdir(folder)) if (ids.has(name + one)) await unlink(join(folder, one));
  });
  // One with new objects stays.
  await inFolder(commonDir, 'objects', (folder) => rmdir(join(folder, name)).catch(() => undefined));
}
