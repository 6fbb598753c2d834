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
  /** What must be there now, else it is left alone; null: nothing. */
  expected: { sha256: string; mode?: number | undefined } | null;
  /** What shall be there; null: nothing. Without a mode that of the file it replaces, or a new file's own. */
  wanted: { bytes: Uint8Array; mode?: number | undefined } | null;
  /** Folders that came into being after this moment (epoch ms) go with the last file in them. */
  bornAfter?: number;
}

/** `changed`: something else is there, and it was left alone; `refused`: the system, or a link, does not let us. */
export type Restored = 'done' | 'changed' | 'refused';

/** One file, whole or not at all, on disk when this settles. Nothing outside the root is touched. */
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
    const present = await lstat(file).catch(() => undefined); // nothing there: the ordinary case
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
