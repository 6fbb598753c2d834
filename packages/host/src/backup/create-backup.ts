import { type Dirent, existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { copyDatabase, syncFolder, systemCode } from '@fucina/shared';
import { create } from 'tar';
import {
  BackupError,
  type BackupFile,
  type BackupManifest,
  DATA,
  FORMAT,
  MANIFEST,
  SETTINGS,
  sha256Of,
} from './backup-manifest.ts';

export interface BackupRequest {
  /** Milliseconds since the epoch. */
  now: number;
  /** Of this Fucina. */
  version: string;
  dataDir: string;
  /** The folder of the settings files; it may be missing. */
  settingsDir: string;
  /** The file to write; it must not exist. */
  target: string;
  /** Also the files of local models, which can be downloaded again. */
  hasModels: boolean;
  /** Ends it before the next file; then nothing of it remains. */
  signal?: AbortSignal | undefined;
}

export interface Backup extends BackupManifest {
  /** Absolute. */
  path: string;
  /** Of the file. */
  archiveBytes: number;
}

/** For backups that nobody named a folder for: beside the data folder, which a restore moves aside. */
export const defaultBackupFolder = (dataDir: string): string => `${resolve(dataDir)}-backups`;

/**
 * What is not data: what is made anew, downloaded again, belongs to running processes or opens doors. Worktrees belong to
 * their repositories; `browser` and `desktop` hold profiles of browsers.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'browser',
  'desktop',
  'damaged',
  'engine-library',
  'favicons',
  'git-indexes',
  'instance-id',
  'launcher-token',
  'locks',
  'open.html',
  'reserve',
  'running-server.json',
  'sandbox',
  'tmp',
  'tools',
  'updates',
  'worktrees',
]);
const MODELS = 'models';
const PART_OF_STORE = /\.db-(wal|shm|journal)$/;
const UNFINISHED = /^engine-library\.new-/;

/**
 * Writes a backup of the data folder and the settings, also while Fucina works: each store is copied as of one moment.
 * Keys and tokens are not in it. Throws BackupError `exists`, and the signal's reason.
 */
export async function createBackup(request: BackupRequest): Promise<Backup> {
  const target = resolve(request.target);
  if (existsSync(target)) throw new BackupError('exists', target);
  await mkdir(dirname(target), { recursive: true });
  // In the data folder: files that never change are linked instead of copied.
  await mkdir(join(request.dataDir, 'tmp'), { recursive: true, mode: 0o700 });
  const staging = await mkdtemp(join(request.dataDir, 'tmp', 'backup-'));
  const partial = `${target}.partial`;
  try {
    await collect(request, staging);
    const manifest = await describe(request, staging);
    await writeFile(join(staging, MANIFEST), JSON.stringify(manifest, null, 2));
    const paths = [MANIFEST, ...manifest.files.map(({ path }) => path)];
    await create(
      {
        file: partial,
        cwd: staging,
        gzip: true,
        portable: true,
        noDirRecurse: true,
        mode: 0o600,
        filter: () => !request.signal?.aborted,
      },
      paths.map(asPath),
    );
    request.signal?.throwIfAborted();
    await chmod(partial, 0o600);
    await rename(partial, target);
    await syncFolder(dirname(target));
    return { ...manifest, path: target, archiveBytes: (await stat(target)).size };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(partial, { force: true });
  }
}

/** A leading `@` would name an archive to include. */
const asPath = (path: string): string => `./${path}`;

async function collect({ dataDir, settingsDir, hasModels, signal }: BackupRequest, staging: string): Promise<void> {
  const isData = (name: string): boolean =>
    !LEFT_OUT.has(name) && !UNFINISHED.test(name) && (hasModels || name !== MODELS);
  const take = async (): Promise<void> => {
    for (const path of await filesBelow(dataDir, isData)) {
      signal?.throwIfAborted();
      if (!path.endsWith('.db') && !PART_OF_STORE.test(path))
        await takeFile(join(dataDir, path), join(staging, DATA, path));
    }
  };
  // Stores name files: those from before the copy of the stores, and those that came meanwhile.
  await take();
  for (const name of (await readdir(dataDir)).filter((one) => one.endsWith('.db'))) {
    signal?.throwIfAborted();
    await mkdir(join(staging, DATA), { recursive: true });
    await copyDatabase(join(dataDir, name), join(staging, DATA, name));
  }
  await take();
  // On macOS both are in one folder.
  if (resolve(settingsDir) === resolve(dataDir)) return;
  for (const path of await filesBelow(settingsDir, (name) => !name.endsWith('.lock'))) {
    await takeFile(join(settingsDir, path), join(staging, SETTINGS, path));
  }
}

/** Regular files by path; links are not followed. */
async function filesBelow(folder: string, isTaken: (topLevel: string) => boolean, below = ''): Promise<string[]> {
  const entries: Dirent[] = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return []; // deleted meanwhile
    throw error;
  });
  const found: string[] = [];
  for (const entry of entries) {
    if (below === '' && !isTaken(entry.name)) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, isTaken, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

async function takeFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    // A file that is rewritten in place would change in the backup: only those named after their content never are.
    if (/^[0-9a-f]{64}$/.test(basename(from))) await link(from, to);
    else await copyFile(from, to);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' || code === 'ENOENT') return;
    if (code !== 'EXDEV' && code !== 'EPERM') throw error;
    await copyFile(from, to);
  }
}

async function describe({ now, version, hasModels, signal }: BackupRequest, staging: string): Promise<BackupManifest> {
  const files: BackupFile[] = [];
  for (const path of (await filesBelow(staging, () => true)).sort()) {
    signal?.throwIfAborted();
    const file = join(staging, path);
    files.push({ path, bytes: (await stat(file)).size, sha256: await sha256Of(file) });
  }
  return { format: FORMAT, version, createdAt: new Date(now).toISOString(), hasModels, files };
}
