import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ChangedFile, FileHistory, FileVersion, FolderChanges } from '../src/undo/file-history.ts';

/** The port on a small real folder: everything is read before and after a command; contents stay in memory. */
export function folderHistory(unrecorded?: (changes: readonly ChangedFile[]) => Partial<FolderChanges>): FileHistory {
  const contents = new Map<string, Buffer>();
  const look = (folder: string, path: string): FileVersion | null | undefined => {
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!stats) return null;
    if (!stats.isFile()) return undefined;
    const bytes = readFileSync(join(folder, path));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    contents.set(sha256, bytes);
    return { sha256, sizeBytes: bytes.length, mode: stats.mode & 0o777 };
  };
  const snapshot = (folder: string): Map<string, FileVersion> => {
    const found = new Map<string, FileVersion>();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
      const version = entry.isFile() && !OURS.test(path) ? look(folder, path) : undefined;
      if (version) found.set(path, version);
    }
    return found;
  };

  return {
    capture: async () => undefined,
    command(folder) {
      let before = snapshot(folder);
      return {
        async look() {
          const after = snapshot(folder);
          const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
          const changes = paths
            .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
            .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
          before = after;
          return { changes, omitted: 0, isPartial: false, contested: [], ...unrecorded?.(changes) };
        },
        end: () => undefined,
      };
    },
    note: async (folder, path) => look(folder, path),
    look: async (folder, path) => look(folder, path),
    read: async (sha256) => contents.get(sha256),
    secure: async () => true,
    async restore(folder, { path, expected, wanted }) {
      const present = look(folder, path);
      if (present === undefined || present?.sha256 !== expected?.sha256) return 'changed';
      const file = join(folder, path);
      if (!wanted) {
        rmSync(file, { force: true });
        return 'done';
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, wanted.bytes);
      if (wanted.mode !== undefined) chmodSync(file, wanted.mode);
      return 'done';
    },
    sweep: async () => 0,
  };
}

const OURS = /^(?:sessions\.db|locks\/|blobs\/)/;
