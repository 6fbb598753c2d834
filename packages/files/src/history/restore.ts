import { constants } from 'node:fs';
import { lstat, open, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  createFolderInside,
  PathError,
  readEntry,
  syncFolder,
  systemCode,
  withExactFolder,
  withFolderInside,
  writeFileAtomically,
} from '@fucina/shared';
import { type FileVersion, inspectFile, MAX_HASHED_BYTES, versionOf } from './file-version.ts';

export interface RestoreRequest {
  path: string;
  /** The expected current content, otherwise the file is left alone; null: no file. */
  expected: { sha256: string; mode?: number | undefined } | null;
  /**
   * The content to restore; null: no file. Without a mode it keeps that of the replaced file, or the default of a new
   * file.
   */
  wanted: { bytes: Uint8Array; mode?: number | undefined } | null;
  /** Folders created after this moment (epoch ms) are removed with their last file. */
  bornAfter?: number;
}

/** `changed`: the content was different, and was left alone; `refused`: the system, or a link, prevents it. */
export type Restored = 'done' | 'changed' | 'refused';

/**
 * Restores one file, all or nothing; on disk when this resolves. Nothing outside the root is touched, and inside it only
 * the file that was looked at, whatever becomes of the names meanwhile.
 */
export async function restoreFile(root: string, restoring: RestoreRequest): Promise<Restored> {
  const { expected, wanted } = restoring;
  try {
    const path = await realPathOf(root, restoring.path);
    const present = await inspectFile(root, path, MAX_HASHED_BYTES);
    if (present === undefined) return 'changed';
    if (!isExpected(present?.version ?? null, expected)) return 'changed';
    const file: RealFile = { root, path, expected };
    if (!wanted) {
      if (present) await remove(file, restoring.bornAfter);
    } else if (present?.bytes?.equals(wanted.bytes)) {
      await setMode(file, wanted.mode ?? present.version.mode);
    } else {
      await write(file, { ...wanted, mode: wanted.mode ?? present?.version.mode });
    }
    return 'done';
  } catch (error) {
    if (error instanceof PathError) return 'refused';
    throw error;
  }
}

interface RealFile {
  root: string;
  /** Without links in it when it was looked at. */
  path: string;
  expected: RestoreRequest['expected'];
}

/** The user may have links between folders of the project. A folder that is missing has none. */
async function realPathOf(root: string, path: string): Promise<string> {
  try {
    const parent = await withFolderInside(root, parentOf(path), async (_folder, real) => real);
    return parent === '' ? basename(path) : `${parent}/${basename(path)}`;
  } catch (error) {
    if (error instanceof PathError && error.problem === 'missing') return path;
    throw error;
  }
}

function isExpected(present: FileVersion | null, expected: RestoreRequest['expected']): boolean {
  if (!present || !expected) return present === expected;
  return present.sha256 === expected.sha256 && (expected.mode === undefined || expected.mode === present.mode);
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}

/** What the file is, asked for in its open folder: its path may have changed since. */
async function refuseOther(folder: string, { path, expected }: RealFile): Promise<void> {
  const file = join(folder, basename(path));
  const present = await lstat(file).catch(() => undefined); // missing: the usual case
  if (!present && !expected) return;
  const bytes = await readEntry(file, MAX_HASHED_BYTES);
  const version = present && bytes && versionOf(bytes, present.mode & 0o777);
  if (!version || !isExpected(version, expected)) throw new PathError('not-a-file', path);
}

async function write(file: RealFile, { bytes, mode }: NonNullable<RestoreRequest['wanted']>): Promise<void> {
  const { root, path } = file;
  const parent = parentOf(path);
  if (parent) await createFolderInside(root, parent, { recursive: true });
  await withExactFolder(root, parent, async (folder) => {
    await refuseOther(folder, file);
    const options = { mode: 0o666, ...(mode !== undefined && { exactMode: mode }) };
    await writeFileAtomically(join(folder, basename(path)), bytes, options);
  });
}

async function setMode({ root, path }: RealFile, mode: number): Promise<void> {
  await withExactFolder(root, parentOf(path), async (folder) => {
    const handle = await open(join(folder, basename(path)), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
  });
}

async function remove(file: RealFile, bornAfter: number | undefined): Promise<void> {
  const { root, path } = file;
  await withExactFolder(root, parentOf(path), async (folder) => {
    await refuseOther(folder, file);
    await unlink(join(folder, basename(path)));
    await syncFolder(folder);
  });
  if (bornAfter !== undefined) await removeEmptied(root, parentOf(path), bornAfter);
}

async function removeEmptied(root: string, path: string, bornAfter: number): Promise<void> {
  for (let folder = path; folder; folder = parentOf(folder)) {
    const isGone = await withExactFolder(root, parentOf(folder), async (parent) => {
      const place = join(parent, basename(folder));
      const facts = await lstat(place);
      if (!facts.isDirectory() || facts.birthtimeMs < bornAfter) return false;
      return rmdir(place).then(
        () => true,
        (error: unknown) => {
          if (systemCode(error) === 'ENOTEMPTY' || systemCode(error) === 'EEXIST') return false;
          throw error;
        },
      );
    });
    if (!isGone) return;
  }
}
