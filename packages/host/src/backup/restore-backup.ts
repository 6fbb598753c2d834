import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Ambient, checkStore, isLocked, syncFolder } from '@fucina/shared';
import { extract, list } from 'tar';
import {
  BackupError,
  type BackupManifest,
  DATA,
  FORMAT,
  MANIFEST,
  manifest,
  SETTINGS,
  sha256Of,
} from './backup-manifest.ts';

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole backup and compares every file with its hash. Throws BackupError `not-a-backup`, `newer`, `damaged`.
 */
export async function verifyBackup(file: string): Promise<BackupManifest> {
  const facts = await readManifest(file);
  const wanted = new Map(facts.files.map(({ path, sha256 }) => [path, sha256]));
  const found = new Map<string, string>();
  await reading(file, async () => {
    await list({
      file,
      strict: true,
      onReadEntry(entry) {
        const hash = createHash('sha256');
        entry.on('data', (chunk) => hash.update(chunk));
        entry.on('end', () => found.set(plain(entry.path), hash.digest('hex')));
      },
    });
  });
  for (const [path, sha256] of wanted) if (found.get(path) !== sha256) throw new BackupError('damaged', path);
  return facts;
}

export interface RestoreRequest {
  ambient: Ambient;
  file: string;
  dataDir: string;
  settingsDir: string;
}

export interface Restored extends BackupManifest {
  /** Where the data and the settings that were there before are now; undefined when there were none. */
  previousData: string | undefined;
  previousSettings: string | undefined;
}

/**
 * Puts a backup in the place of the data folder and the settings. What was there is moved beside it, never deleted.
 * Throws BackupError: `in-use` while a Fucina uses the folder, and those of `verifyBackup`; then nothing has changed.
 */
export async function restoreBackup({ ambient, file, dataDir, settingsDir }: RestoreRequest): Promise<Restored> {
  const facts = await readManifest(file);
  await assertUnused(dataDir);
  const staging = await folderBeside(dataDir);
  // The settings may be on another disk: only a folder beside them can take their place at once.
  let settings: string | undefined;
  try {
    await unpack(file, facts, staging);
    await mkdir(join(staging, DATA), { recursive: true });
    if (existsSync(join(staging, SETTINGS))) {
      settings = await folderBeside(settingsDir);
      await cp(join(staging, SETTINGS), settings, { recursive: true });
    }
    // The user may have started it while the backup was unpacked.
    await assertUnused(dataDir);
    const suffix = `before-restore-${new Date(ambient.now()).toISOString().replace(/[:.]/g, '-')}`;
    const previousData = await replace(dataDir, join(staging, DATA), suffix);
    try {
      const previousSettings = settings && (await replace(settingsDir, settings, suffix));
      return { ...facts, previousData, previousSettings };
    } catch (error) {
      await takeBack(dataDir, join(staging, DATA), previousData);
      throw error;
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
    if (settings) await rm(settings, { recursive: true, force: true });
  }
}

async function folderBeside(folder: string): Promise<string> {
  await mkdir(dirname(resolve(folder)), { recursive: true });
  return mkdtemp(`${resolve(folder)}.restoring-`);
}

async function readManifest(file: string): Promise<BackupManifest> {
  const chunks: Buffer[] = [];
  let size = 0;
  await reading(file, () =>
    list({
      file,
      strict: true,
      filter: (path) => plain(path) === MANIFEST,
      onReadEntry(entry) {
        entry.on('data', (chunk) => {
          size += chunk.length;
          if (size <= MAX_MANIFEST_BYTES) chunks.push(chunk);
        });
      },
    }),
  );
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new BackupError('not-a-backup', undefined, cause);
  }
  const { data } = manifest.safeParse(parsed);
  if (data) return data;
  const { format } = { format: undefined, ...(parsed as object) } as { format: unknown };
  throw new BackupError(typeof format === 'number' && format > FORMAT ? 'newer' : 'not-a-backup');
}

async function unpack(file: string, { files }: BackupManifest, staging: string): Promise<void> {
  const wanted = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  // Only regular files of the list are written: no links, nothing outside the folder.
  const isWanted = (path: string, type: string | undefined): boolean =>
    wanted.has(plain(path)) && (type === 'File' || type === 'OldFile');
  await reading(file, () =>
    extract({
      file,
      cwd: staging,
      strict: true,
      preserveOwner: false,
      noMtime: true,
      umask: 0o077,
      filter: (path, entry) => isWanted(path, 'type' in entry ? entry.type : undefined),
    }),
  );
  for (const [path, sha256] of wanted) {
    const at = join(staging, path);
    if (!existsSync(at) || (await sha256Of(at)) !== sha256) throw new BackupError('damaged', path);
    if (!path.endsWith('.db')) continue;
    if ((await checkStore(at)).state === 'damaged') throw new BackupError('damaged', path);
    // The check made them; they are empty.
    for (const part of ['-wal', '-shm']) await rm(at + part, { force: true });
  }
}

/** Errors of the archive, as our own. */
async function reading(file: string, read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (cause) {
    if (!existsSync(file)) throw cause;
    throw new BackupError('damaged', undefined, cause);
  }
}

const plain = (path: string): string => path.replace(/^\.\//, '');

async function assertUnused(dataDir: string): Promise<void> {
  const locks = join(dataDir, 'locks');
  const names = existsSync(locks) ? await readdir(locks) : [];
  if (names.some((name) => isLocked(join(locks, name)))) throw new BackupError('in-use', dataDir);
}

/** Returns where the folder that was there is now. After an error it is where it was. */
async function replace(folder: string, by: string, suffix: string): Promise<string | undefined> {
  const hasContent = existsSync(folder) && (await readdir(folder)).length > 0;
  const previous = hasContent ? `${resolve(folder)}.${suffix}` : undefined;
  if (previous !== undefined) await rename(folder, previous);
  else await rm(folder, { recursive: true, force: true });
  try {
    await rename(by, folder);
  } catch (error) {
    if (previous !== undefined) await rename(previous, folder);
    throw error;
  }
  await syncFolder(dirname(resolve(folder)));
  return previous;
}

async function takeBack(folder: string, to: string, previous: string | undefined): Promise<void> {
  await rename(folder, to);
  if (previous !== undefined) await rename(previous, folder);
}
