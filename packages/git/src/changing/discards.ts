import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createFolderInside,
  PathError,
  readEntry,
  removeEntry,
  systemCode,
  withExactFolder,
  withFolderHandle,
  writeFileAtomically,
} from '@fucina/shared';
import * as z from 'zod';
import { gitError } from '../errors.ts';
import { type RepositoryState, readState } from '../reading/status.ts';
import { type AsideFolder, makeAside } from '../repository/aside-folder.ts';
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
  folder: AsideFolder;
  storedAs(path: string): string | undefined;
  /** Default: a discard, which is listed. */
  kind?: DiscardRecord['kind'];
}

/** A copy of one file, for a discard of a part of it. */
export async function copyBeforeDiscard({ root, gitDir }: Repository, path: string): Promise<BeforeDiscard> {
  const folder = await makeAside(gitDir);
  try {
    await copyRaw(root, path, join(folder.path, '0'));
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return { folder, storedAs: () => '0' };
}

/** Copies of the files that changes of other work trees replace. GIT_OUTPUT_TOO_LARGE when they could not be stored. */
export async function copyBeforePick({ root, gitDir }: Repository, paths: readonly string[]): Promise<BeforeDiscard> {
  const folder = await makeAside(gitDir);
  const names = new Map<string, string>();
  const before: BeforeDiscard = { folder, storedAs: (path) => names.get(path), kind: 'pick' };
  try {
    for (const [at, path] of paths.entries())
      if (await copyRawEntry(root, path, join(folder.path, String(at)))) names.set(path, String(at));
    if (!(await fits(before, paths))) throw gitError('GIT_OUTPUT_TOO_LARGE', { reason: 'undo' });
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return before;
}

/** Puts copies back in place. */
export async function putBack({ root }: Repository, before: BeforeDiscard, paths: readonly string[]): Promise<void> {
  try {
    for (const path of paths) {
      const stored = before.storedAs(path);
      if (stored === undefined) await removeRaw(root, path);
      else await placeRaw(root, path, join(before.folder.path, stored));
    }
    await before.folder.remove();
  } finally {
    await before.folder.close();
  }
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
    if (systemCode(error) === undefined && !(error instanceof PathError)) throw error;
  }
  await before.folder.remove();
  return id;
}

async function fits({ folder, storedAs }: BeforeDiscard, paths: readonly string[]): Promise<boolean> {
  const stored = paths.map(storedAs).filter((name) => name !== undefined);
  const sizes = await Promise.all(stored.map(async (name) => (await lstat(join(folder.path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0) <= MAX_BYTES;
}

/** Nothing where the git folder is on another disk than the files: they are not moved there. */
async function addRecord(
  { root, gitDir }: Repository,
  { folder, storedAs, kind = 'discard' }: BeforeDiscard,
  paths: readonly string[],
): Promise<string | undefined> {
  if (folder.parent !== gitDir) return undefined;
  const entries: Entry[] = [];
  for (const path of paths) entries.push({ path, stored: storedAs(path) ?? null, after: await rawHash(root, path) });
  await writeRecord(folder.path, { entries, kind });
  await createFolderInside(gitDir, FOLDER, { recursive: true });
  return inRecords(gitDir, async (records) => {
    const names = await recordNames(records);
    const next = String(Number(names[0] ?? 0) + 1).padStart(8, '0');
    await folder.moveTo(join(records, next));
    for (const old of names.slice(MAX_RECORDS - 1)) await dropRecord(records, old);
    return next;
  });
}

/** Calls `act` with the folder of records by its handle: a link in its place leads nowhere (PathError). */
const inRecords = <T>(gitDir: string, act: (records: string) => Promise<T>): Promise<T> =>
  withExactFolder(gitDir, FOLDER, act);

const writeRecord = (folder: string, content: DiscardRecord): Promise<void> =>
  writeFileAtomically(join(folder, RECORD), JSON.stringify(content));

/** Newest first: discards of files inside the folder. */
export async function readDiscards(place: GitFolder): Promise<StoredDiscard[]> {
  const { gitDir } = place.repository;
  return unlessMissing(
    inRecords(gitDir, async (records) => {
      const found = await Promise.all(
        (await recordNames(records)).map(async (id) => {
          const one = await readRecord(place, records, id);
          if (one?.kind !== 'discard') return [];
          return [{ id, at: one.at, paths: one.entries.map(({ path }) => pathShown(place, path)) }];
        }),
      );
      return found.flat();
    }),
    [],
  );
}

/** Missing also means: behind a link. */
async function unlessMissing<T>(found: Promise<T>, otherwise: T): Promise<T> {
  return found.catch((error: unknown) => {
    if (isMissingError(error)) return otherwise;
    throw error;
  });
}

const isMissingError = (error: unknown): boolean =>
  error instanceof PathError || ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '');

/** NOT_FOUND when it is not stored. What changed since is skipped. */
export async function undoDiscard(place: GitFolder, id: string): Promise<UndoneDiscard> {
  const { gitDir } = place.repository;
  const undone = await unlessMissing(
    inRecords(gitDir, async (records) =>
      (await recordNames(records)).includes(id) ? undo(place, records, id) : undefined,
    ),
    undefined,
  );
  if (!undone) throw gitError('NOT_FOUND', { reason: 'discard-gone' });
  const shown = (list: readonly Entry[]): string[] => list.map(({ path }) => pathShown(place, path));
  return { restored: shown(undone.restored), skipped: shown(undone.skipped), state: await readState(place) };
}

async function undo(
  place: GitFolder,
  records: string,
  id: string,
): Promise<{ restored: Entry[]; skipped: Entry[] } | undefined> {
  const { root } = place.repository;
  const [restored, skipped]: [Entry[], Entry[]] = [[], []];
  const isFound = await withFolderHandle(join(records, id), async (folder) => {
    const found = await recordIn(place, folder);
    for (const one of found?.entries ?? []) {
      const isUnchanged = (await rawHash(root, one.path)) === one.after;
      if (!isUnchanged || !(await restore(root, one, folder))) skipped.push(one);
      else restored.push(one);
    }
    if (found && skipped.length > 0) await writeRecord(folder, { entries: skipped, kind: found.kind });
    return found !== undefined;
  });
  if (!isFound) return undefined;
  if (skipped.length === 0) await dropRecord(records, id);
  return { restored, skipped };
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

async function recordNames(records: string): Promise<string[]> {
  const names = await readdir(records);
  return names
    .filter((name) => /^\d{8}$/.test(name))
    .sort()
    .reverse();
}

/** With the time it was stored (epoch ms). */
async function readRecord(
  place: GitFolder,
  records: string,
  id: string,
): Promise<(DiscardRecord & { at: number }) | undefined> {
  const found = withFolderHandle(join(records, id), async (folder) => {
    const one = await recordIn(place, folder);
    return one && { ...one, at: Math.round((await lstat(join(folder, RECORD))).mtimeMs) };
  });
  return unlessMissing(found, undefined);
}

/** Undefined unless it is well-formed and all of its files are inside the folder. */
async function recordIn(place: GitFolder, folder: string): Promise<DiscardRecord | undefined> {
  try {
    const found = record.parse(JSON.parse(String(await readEntry(join(folder, RECORD), MAX_RECORD_BYTES))));
    return found.entries.every(({ path }) => insideFolder(place, readable(path)) !== undefined) ? found : undefined;
  } catch {
    return undefined;
  }
}

const pathShown = (place: GitFolder, path: string): string => insideFolder(place, readable(path)) ?? readable(path);

/** A link is deleted itself. */
async function dropRecord(records: string, id: string): Promise<void> {
  await removeEntry(join(records, id));
}
