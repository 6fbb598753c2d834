import { join } from 'node:path';
import { type Ambient, isWithin } from '@fucina/shared';
import { createContents } from './contents.ts';
import { createDiskThread } from './disk-thread.ts';
import type { SnapshotOf } from './file-source.ts';
import { type FileVersion, inspectFile, MAX_HASHED_BYTES } from './file-version.ts';
import { createFolderWatch, type FolderCommand, type FolderWatch, NOTHING_KNOWN } from './folder-watch.ts';
import type { ListFiles } from './remembered-listing.ts';
import { type Restored, type RestoreRequest, restoreFile } from './restore.ts';

/**
 * Contents of files before they were changed, so that a change can be reverted: stored by SHA-256 in the data folder,
 * never in the user's own. Folders are absolute real paths; other paths are relative to them.
 */
export interface FileHistory extends AsyncDisposable {
  /** Scans the folder in the background. Resolves when the index is current; never rejects. */
  capture(folder: string): Promise<void>;
  /** Call when a command that may change files in the folder starts. */
  command(folder: string): FolderCommand;
  /** The current file, its content stored up to 8 MiB. Null: missing; undefined: not a readable file. */
  note(folder: string, path: string): Promise<FileVersion | null | undefined>;
  /** The same without storing; contents up to 32 MiB are read for their hash. */
  look(folder: string, path: string): Promise<FileVersion | null | undefined>;
  /** Undefined when it is not, or no longer, stored. */
  read(sha256: string): Promise<Buffer | undefined>;
  /** Stores the current content, up to 32 MiB, durably: false when it cannot be read whole. */
  secure(folder: string, path: string): Promise<boolean>;
  restore(folder: string, restoring: RestoreRequest): Promise<Restored>;
  /**
   * Deletes contents that no journal or folder in use refers to, expired ones, and those above the limit. Only one
   * process may do this.
   */
  sweep(isReferenced: (sha256: string) => boolean): Promise<number>;
}

export interface HistoryNeeds {
  ambient: Ambient;
  dataDir: string;
  /** A folder that contains the home or our own data is not scanned. */
  homeDir: string;
  listFiles: ListFiles;
  /** Absent: folders are compared by their lists of files. */
  snapshotOf?: SnapshotOf;
  /** Git's own settings, which may name files to ignore in every project, and such files. */
  gitSettings: readonly string[];
}

const MAX_OWN_BYTES = 8 * 1024 * 1024;
const MAX_CACHED_FOLDERS = 4;
const NO_COMMAND: FolderCommand = { look: async () => NOTHING_KNOWN, end: () => undefined };

export function createFileHistory(needs: HistoryNeeds): FileHistory {
  const { ambient, dataDir, homeDir } = needs;
  const closing = new AbortController();
  const disk = createDiskThread({ ambient, signal: closing.signal });
  const contents = createContents({ ambient, folder: join(dataDir, 'blobs', 'files', 'history'), disk });
  const watches = new Map<string, FolderWatch>();

  const watchOf = (folder: string): FolderWatch => {
    const watch =
      watches.get(folder) ?? createFolderWatch({ ...needs, root: folder, contents, disk, signal: closing.signal });
    watches.delete(folder);
    watches.set(folder, watch);
    const idle = [...watches].filter(([, { isBusy }]) => !isBusy).map(([path]) => path);
    for (const path of idle.slice(0, Math.max(0, watches.size - MAX_CACHED_FOLDERS)))
      if (path !== folder) watches.delete(path);
    return watch;
  };
  const isTooWide = (folder: string): boolean => isWithin(folder, homeDir) || isWithin(folder, dataDir);

  return {
    capture: async (folder) => (isTooWide(folder) ? undefined : watchOf(folder).capture()),
    command: (folder) => (isTooWide(folder) ? NO_COMMAND : watchOf(folder).command()),
    async note(folder, path) {
      const seen = await watchOf(folder).index.note(path, MAX_OWN_BYTES);
      return seen && seen.version;
    },
    async look(folder, path) {
      const known = watches.get(folder)?.index.recorded(path);
      if (known) return known;
      const seen = await inspectFile(folder, path, 0);
      return seen && seen.version;
    },
    read: contents.read,
    async secure(folder, path) {
      const seen = await inspectFile(folder, path, MAX_HASHED_BYTES);
      if (seen?.bytes) await contents.secure(seen.bytes);
      return seen?.bytes !== undefined;
    },
    async restore(folder, restoring) {
      const restored = await restoreFile(folder, restoring);
      await watchOf(folder).index.note(restoring.path, MAX_OWN_BYTES);
      return restored;
    },
    sweep(isReferenced) {
      const inUse = new Set([...watches.values()].flatMap(({ index }) => [...index.entries.values()].map(hashOf)));
      return contents.sweep((sha256) => inUse.has(sha256) || isReferenced(sha256));
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      watches.clear();
    },
  };
}

function hashOf({ sha256 }: { sha256: string | null }): string | null {
  return sha256;
}
