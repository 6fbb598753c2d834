import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Contents } from './contents.ts';
import type { StampedFile } from './disk-messages.ts';
import { factsNow } from './facts-now.ts';
import {
  type EarlierFile,
  type FileStamp,
  type FileVersion,
  inspectFile,
  isSameStamp,
  type SeenFile,
  stampOf,
  stampOfEntry,
} from './file-version.ts';

/** What is known of one file: how to detect a change, and its content. */
export interface IndexEntry {
  stamp: FileStamp;
  sha256: string | null;
  /** Its share of the folder's storage limit. */
  keptBytes: number;
  /** First seen while a command that may have changed it was running: its earlier content is unknown. */
  isLate: boolean;
  /** Changed so shortly before it was read that a further change might not alter its times. */
  isRacy: boolean;
}

export interface ChangedFile {
  path: string;
  /** null: it did not exist. */
  before: FileVersion | null;
  /** null: it was deleted. */
  after: FileVersion | null;
}

/** The files of one folder as last seen; the content of small ones is stored. */
export interface FolderIndex {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Records a file without reading it. */
  meet(path: string, stamp: FileStamp, times: MeetingTimes): void;
  /** Records a file that was in git's index until now, as it was; `stamp`: as it is now. */
  assume(path: string, file: EarlierFile, stamp: FileStamp | undefined): void;
  /** Forgets all other files. */
  keepOnly(paths: ReadonlySet<string>): void;
  /** Stores the contents of recorded files, if still unchanged. */
  fill(paths: readonly string[]): Promise<void>;
  /** Reads, stores (up to `maxBytes`) and records the current file; same result as `inspectFile`. */
  note(path: string, maxBytes: number): Promise<SeenFile | null | undefined>;
  /** Whether a file (undefined: none) is surely as recorded, so that `compare` would find nothing. */
  isAsRecorded(path: string, stamp: FileStamp | undefined): boolean;
  /** The file as recorded, with its hash; undefined unless it surely still is. Asks the disk at once. */
  recorded(path: string): FileVersion | undefined;
  /** Stores the contents of files that may have changed, for `compare`: of those that need no closer look. */
  store(files: readonly StampedFile[], comparing: CompareOptions): Promise<StoredFiles>;
  /** Compares one path with the index and updates it. Returns the change, if it is to be reported. */
  compare(path: string, comparing: CompareOptions, stored?: StoredFiles): Promise<ChangedFile | undefined>;
}

/** Epoch ms. */
export interface MeetingTimes {
  /** When the disk was asked, or before. */
  at: number;
  /** Start of the first running command. */
  lateSince: number | undefined;
}

export interface CompareOptions {
  /** Epoch ms: changes since then belong to the command; earlier ones to someone else and are only recorded. */
  since: number;
  /** Records only the changes of others; those of the command are left to be found. */
  isGlance: boolean;
  /** A change of someone else was recorded, made at this time; Infinity when that is not known. */
  onOthers(path: string, at: number): void;
  /** Paths known before this scan, to tell a moved file from a new one. */
  inodes: Pick<ReadonlySet<number>, 'has'>;
}

/** A file whose content was stored, and what the index had recorded then. */
interface StoredFile {
  seen: SeenFile;
  entry: IndexEntry | undefined;
  /** Epoch ms: before it was read. */
  at: number;
}

/** By path. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/** Limits per file and per folder. */
export const MAX_STORED_BYTES = 512 * 1024;
const MAX_STORED_TOTAL = 128 * 1024 * 1024;
/** File system clocks have steps of some milliseconds. */
export const CLOCK_STEP_MS = 10;

export function createFolderIndex(root: string, contents: Contents, clock: () => number): FolderIndex {
  const entries = new Map<string, IndexEntry>();
  let keptTotal = 0;

  const forget = (path: string): void => {
    keptTotal -= entries.get(path)?.keptBytes ?? 0;
    entries.delete(path);
  };
  const put = (path: string, entry: IndexEntry): void => {
    forget(path);
    keptTotal += entry.keptBytes;
    entries.set(path, entry);
  };
  const isRacy = ({ ctimeMs }: FileStamp, at = clock()): boolean => ctimeMs > at - 2 * CLOCK_STEP_MS;

  const isAsRecorded = (path: string, stamp: FileStamp | undefined): boolean => {
    const entry = entries.get(path);
    if (!entry || !stamp) return !entry && !stamp;
    return isSameStamp(entry.stamp, stamp) && !entry.isRacy && !entry.isLate;
  };

  const take = async (path: string, seen: SeenFile | null | undefined): Promise<void> => {
    forget(path);
    if (!seen) return;
    const { stamp, version, bytes } = seen;
    const isKept = bytes !== undefined && keptTotal + bytes.length <= MAX_STORED_TOTAL;
    if (isKept) await contents.keep(bytes);
    const keptBytes = isKept ? stamp.size : 0;
    put(path, { stamp, sha256: version.sha256, keptBytes, isLate: false, isRacy: isRacy(stamp) });
  };
  const takeStored = (path: string, { seen: { stamp, version }, at }: StoredFile): void =>
    put(path, { stamp, sha256: version.sha256, keptBytes: stamp.size, isLate: false, isRacy: isRacy(stamp, at) });

  /** Those that fit into the folder's share of the storage. */
  const fitting = (files: readonly StampedFile[]): StampedFile[] => {
    let total = keptTotal;
    return files.filter(({ path, stamp: { size } }) => {
      const more = size - (entries.get(path)?.keptBytes ?? 0);
      if (size > MAX_STORED_BYTES || total + more > MAX_STORED_TOTAL) return false;
      total += more;
      return true;
    });
  };
  const keepCarefully = async (path: string, stamp: FileStamp): Promise<string | undefined> => {
    const seen = await inspectFile(root, path, MAX_STORED_BYTES);
    return seen?.bytes && isSameStamp(seen.stamp, stamp) ? contents.keep(seen.bytes) : undefined;
  };

  return {
    entries,
    async note(path, maxBytes) {
      const seen = await inspectFile(root, path, maxBytes);
      await take(path, seen);
      return seen;
    },
    meet(path, stamp, { at, lateSince }) {
      const isLate = lateSince !== undefined && stamp.ctimeMs >= lateSince;
      put(path, { stamp, sha256: null, keptBytes: 0, isLate, isRacy: isRacy(stamp, at) });
    },
    assume(path, { sha256, sizeBytes, isExecutable }, stamp) {
      const mode = modeOf(stamp?.mode, isExecutable);
      put(path, { stamp: { ...NO_STAMP, size: sizeBytes, mode }, sha256, keptBytes: 0, isLate: false, isRacy: true });
    },
    keepOnly(paths) {
      for (const path of entries.keys()) if (!paths.has(path)) forget(path);
    },
    async fill(paths) {
      const met = new Map<string, IndexEntry>();
      for (const path of paths) {
        const entry = entries.get(path);
        if (entry) met.set(path, entry);
      }
      const files = fitting([...met].map(([path, { stamp }]) => ({ path, stamp })));
      const kept = await contents.keepFiles(root, files);
      for (const [place, { path, stamp }] of files.entries()) {
        const sha256 = kept[place] ?? (await keepCarefully(path, stamp));
        const entry = met.get(path);
        if (sha256 && entry && entries.get(path) === entry) put(path, { ...entry, sha256, keptBytes: stamp.size });
      }
    },
    async store(all, { since, isGlance }) {
      const at = clock();
      const files = fitting(all.filter(({ stamp }) => !(isGlance && stamp.ctimeMs >= since)));
      const recorded = files.map(({ path }) => entries.get(path));
      const kept = await contents.keepFiles(root, files);
      return new Map(
        files.flatMap(({ path, stamp }, place): [string, StoredFile][] => {
          const sha256 = kept[place];
          if (!sha256) return [];
          const version = { sha256, sizeBytes: stamp.size, mode: stamp.mode };
          return [[path, { seen: { stamp, version }, entry: recorded[place], at }]];
        }),
      );
    },
    isAsRecorded,
    recorded(path) {
      const entry = entries.get(path);
      const isSure = entry?.sha256 && isAsRecorded(path, stampOfEntry(factsNow(join(root, path), false)));
      return isSure ? knownVersion(entry) : undefined;
    },
    async compare(path, comparing, storedFiles) {
      const { since, isGlance } = comparing;
      const entry = entries.get(path);
      const stored = storedFiles?.get(path);
      // Recorded anew since it was stored: it is looked at again.
      const isStored = stored !== undefined && stored.entry === entry;
      const stamp = isStored ? stored.seen.stamp : await stampOf(root, path);
      if (isAsRecorded(path, stamp)) return undefined;
      // Read before deciding whose change it is: it may change in between.
      const seen = isStored ? stored.seen : await inspectFile(root, path, MAX_STORED_BYTES);
      const now = seen === undefined ? stamp : seen?.stamp;
      // A file that is being truncated has its new size before its new times.
      const isBeingWritten = now?.ctimeMs === entry?.stamp.ctimeMs && now?.size !== entry?.stamp.size;
      const isOurs = now ? now.ctimeMs >= since || isBeingWritten : await wasTakenSince(root, path, since);
      if (isGlance && isOurs) return undefined;
      const before = entry && !entry.isLate ? knownVersion(entry) : firstVersion(now, entry ? { since } : comparing);
      // Only the permissions changed: the content is the same.
      if (before?.sha256 === null && entry?.isLate === false && now && isSameContent(entry.stamp, now)) {
        before.sha256 = seen?.version.sha256 ?? null;
      }
      if (isStored) takeStored(path, stored);
      else await take(path, seen);
      const after = seen?.version ?? null;
      const isSame = before !== null && before.sha256 !== null && before.sha256 === after?.sha256;
      if (!isOurs) comparing.onOthers(path, now?.ctimeMs ?? Number.POSITIVE_INFINITY);
      const isReported = isOurs && (before || after) && !(isSame && before.mode === after?.mode);
      return isReported ? { path, before, after } : undefined;
    },
  };
}

const NO_STAMP: FileStamp = { mtimeMs: 0, ctimeMs: 0, birthtimeMs: 0, size: 0, ino: 0, mode: 0 };

/** Git knows one bit of the permissions; the others are taken to be as they are now. */
function modeOf(now: number | undefined, isExecutable: boolean): number {
  if (now === undefined) return isExecutable ? 0o755 : 0o644;
  if (isExecutable === ((now & 0o100) !== 0)) return now;
  return isExecutable ? now | 0o111 : now & ~0o111;
}

function isSameContent(one: FileStamp, other: FileStamp): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino;
}

function knownVersion({ stamp, sha256 }: IndexEntry): FileVersion {
  return { sha256, sizeBytes: stamp.size, mode: stamp.mode };
}

/** An unknown path is new, unless the file is older than the command and did not come from a known path. */
function firstVersion(
  stamp: FileStamp | undefined,
  { since, inodes }: Pick<CompareOptions, 'since'> & Partial<CompareOptions>,
): FileVersion | null {
  if (!stamp || stamp.birthtimeMs === 0 || stamp.birthtimeMs >= since || inodes?.has(stamp.ino)) return null;
  return { sha256: null, sizeBytes: stamp.size, mode: stamp.mode };
}

/** A deleted file has no times; its nearest existing folder has. */
async function wasTakenSince(root: string, path: string, since: number): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const facts = await lstat(join(root, folder)).catch(() => undefined); // deleted too: try its parent
    if (facts) return facts.ctimeMs >= since;
    if (folder === '.') return false;
  }
}
