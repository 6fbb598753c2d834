import { constants } from 'node:fs';
import { lstat, open, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  createFolderInside,
  PathError,
  syncFolder,
  systemCode,
  withFolderInside,
  writeFileAtomically,
} from '@fucina/shared';
import { type FileVersion, inspectFile, MAX_HASHED_BYTES } from './file-version.ts';

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

/** Restores one file, all or nothing; on disk when this resolves. Nothing outside the root is touched. */
export async function restoreFile(root: string, restoring: RestoreRequest): Promise<Restored> {
  const { path, expected, wanted } = restoring;
  try {
    const present = await inspectFile(root, path, MAX_HASHED_BYTES);
    if (present === undefined) return 'changed';
    if (!isExpected(present?.version ?? null, expected)) return 'changed';
    if (!wanted) {
      if (present) await remove(root, restoring);
    } else if (present?.bytes?.equals(wanted.bytes)) {
      await setMode(root, path, wanted.mode ?? present.version.mode);
    } else {
      await write(root, path, { ...wanted, mode: wanted.mode ?? present?.version.mode });
    }
    return 'done';
  } catch (error) {
    if (error instanceof PathError) return 'refused';
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

async function write(
  root: string,
  path: string,
  { bytes, mode }: NonNullable<RestoreRequest['wanted']>,
): Promise<void> {
  const parent = parentOf(path);
  if (parent) await createFolderInside(root, parent, { recursive: true });
  await withFolderInside(root, parent, async (folder) => {
    const file = join(folder, basename(path));
    const present = await lstat(file).catch(() => undefined); // missing: the usual case
    if (present && !present.isFile()) throw new PathError('not-a-file', path);
    await writeFileAtomically(file, bytes, { mode: 0o666, ...(mode !== undefined && { exactMode: mode }) });
  });
}

async function setMode(root: string, path: string, mode: number): Promise<void> {
  await withFolderInside(root, parentOf(path), async (folder) => {
    const handle = await open(join(folder, basename(path)), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
  });
}

async function remove(root: string, { path, bornAfter }: RestoreRequest): Promise<void> {
  await withFolderInside(root, parentOf(path), async (folder) => {
    await unlink(join(folder, basename(path)));
    await syncFolder(folder);
  });
  if (bornAfter !== undefined) await removeEmptied(root, parentOf(path), bornAfter);
}

async function removeEmptied(root: string, path: string, bornAfter: number): Promise<void> {
  for (let folder = path; folder; folder = parentOf(folder)) {
    const isGone = await withFolderInside(root, parentOf(folder), async (parent) => {
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
