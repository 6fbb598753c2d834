import { readdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Ambient,
  type ControlWrite,
  isLocked,
  namesIn,
  type ProcessLock,
  removeTree,
  systemCode,
  tryLock,
  writeFileAtomically,
} from '@fucina/shared';
import type { ApprovedContent } from './approved-contents.ts';

/** What is known of a running command, for the process that finds it after a crash of this one. */
export interface RunningRecord {
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Identities of the control files that were there before it. */
  known: readonly string[];
  approved: readonly ApprovedContent[];
  /** Paths at the root that only the user can replace. */
  replaceable: readonly string[];
  /** Removed from the folder, and not yet passed to the user. */
  found: readonly ControlWrite[];
  /** No command runs: only `found` counts. */
  isOver?: boolean;
}

export interface LostRecord extends RunningRecord {
  /** When the command was last known to run, by the file system's clock (epoch ms). */
  aliveAt: number;
}

/**
 * One small file for each running command, in a folder of this process. Whatever is found in the folder of a process
 * that no longer lives is left from a crash.
 */
export interface RunningRecords {
  /** Absolute path of the new record. */
  begin(record: RunningRecord): Promise<string>;
  change(file: string, record: RunningRecord): Promise<void>;
  /** It still runs. */
  touch(file: string): Promise<void>;
  end(file: string): Promise<void>;
  /** Of processes that ended without `end`; the second function forgets them. */
  lost(): Promise<{ records: readonly LostRecord[]; forget(): Promise<void> }>;
  /** What is left in the process's own folder (`found` that nobody asked about) is for the next process. */
  close(): Promise<void>;
}

const LOCK = 'lock';
const NEW_MS = 60_000;

export function createRunningRecords(ambient: Ambient, dir: string): RunningRecords {
  const own = join(dir, ambient.newId());
  let lock: ProcessLock | undefined;
  let count = 0;
  const change: RunningRecords['change'] = (file, record) => writeFileAtomically(file, JSON.stringify(record));
  return {
    async begin(record) {
      lock ??= tryLock(join(own, LOCK)); // creates the folder
      const file = join(own, `${++count}.json`);
      // Without fsync: it is for the end of this process, not of the computer, and a command must not wait for the disk.
      await writeFile(file, JSON.stringify(record), { mode: 0o600 });
      return file;
    },
    change,
    async touch(file) {
      const now = ambient.now() / 1000;
      await utimes(file, now, now);
    },
    async end(file) {
      await unlink(file).catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
      });
    },
    async lost() {
      const folders = (await namesIn(dir)).map((name) => join(dir, name)).filter((folder) => folder !== own);
      const records: LostRecord[][] = [];
      const ended: string[] = [];
      for (const folder of folders) {
        // A new one, of a process that starts, has no lock for a moment.
        const isNew = ambient.now() - (await stat(folder)).mtimeMs < NEW_MS;
        const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
        if ((isNew && files.length === 0) || isLocked(join(folder, LOCK))) continue;
        ended.push(folder);
        records.push(await recordsIn(ambient, folder));
      }
      return {
        records: records.flat(),
        async forget() {
          for (const folder of ended) await removeTree(folder);
        },
      };
    },
    async close() {
      if (!lock) return;
      lock.release();
      lock = undefined;
      if ((await readdir(own)).every((name) => name === LOCK)) await removeTree(own);
    },
  };
}

async function recordsIn(ambient: Ambient, folder: string): Promise<LostRecord[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const read = files.map(async (file): Promise<LostRecord[]> => {
    try {
      const record = JSON.parse(await readFile(file, 'utf8')) as RunningRecord;
      return [{ ...record, aliveAt: (await stat(file)).mtimeMs }];
    } catch (error) {
      ambient.log.warn('sandbox.record-unreadable', { error });
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}
