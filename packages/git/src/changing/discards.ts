import { lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin, readRegularFile, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import { gitError } from '../errors.ts';
import { type RepositoryState, readState } from '../reading/status.ts';
import { type GitFolder, insideFolder } from '../repository/git-folder.ts';
import { readable } from '../repository/paths.ts';
import { copyRaw, copyRawEntry, placeRaw, rawHash, removeEmptyAbove, removeRaw } from '../repository/raw-files.ts';
import type { Repository } from '../repository/repository.ts';

/**
 * What a discard removed, or changes of other work trees replaced, stays in the repository's git folder, so that the
 * newest can be undone. Anyone may have written that folder: a record is used only if every path in it is inside the work
 * tree.
 */

const FOLDER = 'fucina-discarded';
const RECORD = 'record.json';
const MAX_RECORDS = 20;
const MAX_BYTES = 256 * 1024 ** 2;
/** Of the list of files: some 100 bytes each, and nothing limits their number. */
const MAX_RECORD_BYTES = 256 * 1024 ** 2;

/** A path of the work tree as git stores it, one character for each byte. */
const rawPath = z
  .string()
  .refine((path) =>
    path.split('/').every((segment) => !['', '.', '..'].includes(segment) && segment.toLowerCase() !== '.git'),
  );
const entry = z.object({
  path: rawPath,
  /** Name of the file beside the record; null if there was none. */
  stored: z.string().regex(/^\d+$/).nullable(),
  /** `rawHash` right after the discard. */
  after: z.string().nullable(),
});
const record = z.object({ entries: z.array(entry).min(1), kind: z.enum(['discard', 'pick']).default('discard') });
type Entry = z.infer<typeof entry>;
type DiscardRecord = z.infer<typeof record>;

/** A discard that can be undone. */
export interface StoredDiscard {
  id: string;
  /** Epoch ms. */
  at: number;
  /** Relative to the folder. */
  paths: string[];
}

export interface UndoneDiscard {
  restored: string[];
  /** Changed since the discard, so left as they are; they can be undone later. */
  skipped: string[];
  state: RepositoryState;
}

/** Files before they are discarded. */
export interface BeforeDiscard {
  /** Absolute path, in the git folder. */
  folder: string;
  storedAs(path: string): string | undefined;
  /** Default: a discard, which is listed. */
  kind?: DiscardRecord['kind'];
}

/** A copy of one file, for a discard of a part of it. */
export async function copyBeforeDiscard({ root, gitDir }: Repository, path: string): Promise<BeforeDiscard> {
  const folder = await mkdtemp(join(gitDir, 'fucina-aside-'));
  await copyRaw(root, path, join(folder, '0'));
  return { folder, storedAs: () => '0' };
}

/** Copies of the files that changes of other work trees replace. GIT_OUTPUT_TOO_LARGE when they could not be stored. */
export async function copyBeforePick({ root, gitDir }: Repository, paths: readonly string[]): Promise<BeforeDiscard> {
  const folder = await mkdtemp(join(gitDir, 'fucina-aside-'));
  const names = new Map<string, string>();
  const before: BeforeDiscard = { folder, storedAs: (path) => names.get(path), kind: 'pick' };
  try {
    for (const [at, path] of paths.entries())
      if (await copyRawEntry(root, path, join(folder, String(at)))) names.set(path, String(at));
    if (!(await fits(before, paths))) throw gitError('GIT_OUTPUT_TOO_LARGE', { reason: 'undo' });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return before;
}

/** Puts copies back in place. */
export async function putBack({ root }: Repository, before: BeforeDiscard, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stored = before.storedAs(path);
    if (stored === undefined) await removeRaw(root, path);
    else await placeRaw(root, path, join(before.folder, stored));
  }
  await rm(before.folder, { recursive: true, force: true });
}

/**
 * Stores what was discarded at these paths; drops it if it is nothing, too large, or cannot be stored. Its id, if it is
 * stored.
 */
export async function storeDiscard(
  { repository }: GitFolder,
  before: BeforeDiscard,
  paths: readonly string[],
): Promise<string | undefined> {
  let id: string | undefined;
  try {
    if (paths.length > 0 && (await fits(before, paths))) id = await addRecord(repository, before, paths);
  } catch (error) {
    // The files are discarded, as asked: a full or read-only disk only means that there is no undo.
    if (systemCode(error) === undefined) throw error;
  }
  await rm(before.folder, { recursive: true, force: true });
  return id;
}

async function fits({ folder, storedAs }: BeforeDiscard, paths: readonly string[]): Promise<boolean> {
  const stored = paths.map(storedAs).filter((name) => name !== undefined);
  const sizes = await Promise.all(stored.map(async (name) => (await lstat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES;
}

/** Nothing where the git folder is on another disk than the files: they are not moved there. */
async function addRecord(
  { root, gitDir }: Repository,
  { folder, storedAs, kind = 'discard' }: BeforeDiscard,
  paths: readonly string[],
): Promise<string | undefined> {
  if (!isWithin(gitDir, folder)) return undefined;
  const entries: Entry[] = [];
  for (const path of paths) entries.push({ path, stored: storedAs(path) ?? null, after: await rawHash(root, path) });
  await writeRecord(folder, { entries, kind });
  const names = await recordNames(gitDir);
  const next = String(Number(names[0] ?? 0) + 1).padStart(8, '0');
  await mkdir(join(gitDir, FOLDER), { recursive: true });
  await rename(folder, join(gitDir, FOLDER, next));
  for (const old of names.slice(MAX_RECORDS - 1)) await dropRecord(gitDir, old);
  return next;
}

const writeRecord = (folder: string, content: DiscardRecord): Promise<void> =>
  writeFileAtomically(join(folder, RECORD), JSON.stringify(content));

/** Newest first: discards of files inside the folder. */
export async function readDiscards(place: GitFolder): Promise<StoredDiscard[]> {
  const { gitDir } = place.repository;
  const found = await Promise.all(
    (await recordNames(gitDir)).map(async (id) => {
      const found = await readRecord(place, id);
      if (found?.kind !== 'discard') return [];
      const { entries } = found;
      const at = Math.round((await stat(join(gitDir, FOLDER, id, RECORD))).mtimeMs);
      return [{ id, at, paths: entries.map(({ path }) => pathShown(place, path)) }];
    }),
  );
  return found.flat();
}

/** NOT_FOUND when it is not stored. What changed since is skipped. */
export async function undoDiscard(place: GitFolder, id: string): Promise<UndoneDiscard> {
  const { root, gitDir } = place.repository;
  const found = (await recordNames(gitDir)).includes(id) ? await readRecord(place, id) : undefined;
  if (!found) throw gitError('NOT_FOUND', { reason: 'discard-gone' });
  const { entries, kind } = found;
  const folder = join(gitDir, FOLDER, id);
  const restored: Entry[] = [];
  const skipped: Entry[] = [];
  for (const one of entries) {
    const isUnchanged = (await rawHash(root, one.path)) === one.after;
    if (!isUnchanged || !(await restore(root, one, folder))) skipped.push(one);
    else restored.push(one);
  }
  if (skipped.length === 0) await dropRecord(gitDir, id);
  else await writeRecord(folder, { entries: skipped, kind });
  const shown = (list: readonly Entry[]): string[] => list.map(({ path }) => pathShown(place, path));
  return { restored: shown(restored), skipped: shown(skipped), state: await readState(place) };
}

/** False where a folder or a link is in the way. */
async function restore(root: string, { path, stored }: Entry, folder: string): Promise<boolean> {
  try {
    if (stored !== null) await placeRaw(root, path, join(folder, stored));
    else {
      await removeRaw(root, path);
      await removeEmptyAbove(root, path, '');
    }
    return true;
  } catch (error) {
    if (['ELOOP', 'ENOTDIR', 'EISDIR', 'ENOENT', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

async function recordNames(gitDir: string): Promise<string[]> {
  const names = await readdir(join(gitDir, FOLDER)).catch(() => []);
  return names
    .filter((name) => /^\d{8}$/.test(name))
    .sort()
    .reverse();
}

/** Undefined unless it is well-formed and all of its files are inside the folder. */
async function readRecord(place: GitFolder, id: string): Promise<DiscardRecord | undefined> {
  try {
    const bytes = await readRegularFile(join(place.repository.gitDir, FOLDER, id, RECORD), MAX_RECORD_BYTES);
    const found = record.parse(JSON.parse(String(bytes)));
    return found.entries.every(({ path }) => insideFolder(place, readable(path)) !== undefined) ? found : undefined;
  } catch {
    return undefined;
  }
}

const pathShown = (place: GitFolder, path: string): string => insideFolder(place, readable(path)) ?? readable(path);

async function dropRecord(gitDir: string, id: string): Promise<void> {
  await rm(join(gitDir, FOLDER, id), { recursive: true, force: true });
}
