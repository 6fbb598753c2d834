import type { Ambient } from '@fucina/shared';
import type { Contents } from './contents.ts';
import type { DiskThread } from './disk-thread.ts';
import { type FileListing, type FileSource, MAX_CHANGES, openFileSource, type SnapshotOf } from './file-source.ts';
import { type FileStamp, stampOfEntry } from './file-version.ts';
import { type ChangedFile, CLOCK_STEP_MS, createFolderIndex, type FolderIndex } from './folder-index.ts';
import type { ListFiles } from './remembered-listing.ts';
import { sideBySide } from './side-by-side.ts';

/** Changes of a command, by path. */
export interface FolderChanges {
  changes: readonly ChangedFile[];
  /** Changed files above the limit. */
  omitted: number;
  /** There may be changes that are not known: the folder has more files than are watched, or none of it is. */
  isPartial: boolean;
  /** Files that changed while the command ran, perhaps by someone else: they are not among its changes. */
  contested: readonly string[];
}

export const NOTHING_KNOWN: FolderChanges = { changes: [], omitted: 0, isPartial: true, contested: [] };

/** A command that may change files. */
export interface FolderCommand {
  /** Changes since it started, or since the last scan. */
  look(): Promise<FolderChanges>;
  /** The command has ended. */
  end(): void;
}

/** Detects what commands change in one folder by scanning before and after; no watch stays open in between. */
export interface FolderWatch {
  readonly index: FolderIndex;
  readonly isBusy: boolean;
  /** Scans everything, later only changes, and stores small files; resolves when done, never rejects. */
  capture(): Promise<void>;
  command(): FolderCommand;
}

/** Files whose content is stored before a command; of others, it is not known afterwards. */
const MAX_STORED_FILES = 20_000;
/** More would only wait for the four threads of the system's pool. */
const SIDE_BY_SIDE = 16;
/** Files stored by one request to the thread, which others may wait for. */
const STORED_AT_ONCE = 256;
/** A folder scanned this recently is not scanned again before a command. */
const FRESH_MS = 50;

/** Of files that are not known, none was there before. */
const ANY = { has: () => true };

interface RunningCommand {
  since: number;
  contested: Set<string>;
}

interface WatchNeeds {
  ambient: Ambient;
  root: string;
  contents: Contents;
  disk: DiskThread;
  listFiles: ListFiles;
  snapshotOf?: SnapshotOf | undefined;
  /** Settings of git that name files to ignore, and such files, outside every project. */
  gitSettings: readonly string[];
  signal: AbortSignal;
}

export function createFolderWatch(needs: WatchNeeds): FolderWatch {
  const { ambient, root, contents, disk, signal } = needs;
  const index = createFolderIndex(root, contents, () => ambient.now());
  const running = new Set<RunningCommand>();
  let isReady = false;
  let working = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();

  /** One scan at a time, in order. */
  const inOrder = <Result>(look: () => Promise<Result>, fallback: Result): Promise<Result> => {
    working += 1;
    const result = last
      .then(() => (signal.aborted ? fallback : look()))
      .catch((error: unknown) => {
        if (!signal.aborted) ambient.log.warn('history.look-failed', { error });
        return fallback;
      })
      .finally(() => {
        working -= 1;
        lookedAt = ambient.monotonic();
      });
    last = result;
    return result;
  };
  let opened: Promise<FileSource> | undefined;
  const source = (): Promise<FileSource> => (opened ??= openFileSource(needs));
  const stampsOf = async (paths: readonly string[]): Promise<(FileStamp | undefined)[]> => {
    const facts = await disk.facts(paths.map((path) => `${root}/${path}`));
    return facts.map(stampOfEntry);
  };

  const lookAtAll = async (): Promise<void> => {
    const { paths } = await (await source()).begin(signal);
    const at = ambient.now();
    const stamps = await stampsOf(paths);
    const starts = [...running].map(({ since }) => since);
    const times = { at, lateSince: starts.length > 0 ? Math.min(...starts) : undefined };
    for (const [place, path] of paths.entries()) {
      const stamp = stamps[place];
      if (stamp && !index.entries.has(path)) index.meet(path, stamp, times);
    }
    isReady = true;
    const stored = paths.slice(0, MAX_STORED_FILES);
    for (let from = 0; from < stored.length; from += STORED_AT_ONCE) {
      signal.throwIfAborted();
      await index.fill(stored.slice(from, from + STORED_AT_ONCE));
    }
  };
  const doubtful = async (paths: readonly string[]): Promise<{ path: string; stamp: FileStamp | undefined }[]> => {
    const stamps = await stampsOf(paths);
    return paths.flatMap((path, at) => {
      const stamp = stamps[at];
      return index.isAsRecorded(path, stamp) ? [] : [{ path, stamp }];
    });
  };
  /** All that may have changed, with what is known of it. */
  const listed = async (): Promise<Pick<FileListing, 'paths' | 'isCut'>> => {
    const { paths, isCut, earlier } = await (await source()).list(signal);
    const assumed = [...earlier].filter(([path]) => !index.entries.has(path));
    const stamps = await stampsOf(assumed.map(([path]) => path));
    for (const [at, [path, file]] of assumed.entries()) index.assume(path, file, stamps[at]);
    return { paths: [...new Set([...index.entries.keys(), ...paths])], isCut };
  };
  /** The change may be one of these commands'. */
  const contest = (path: string, at: number): void => {
    for (const one of running) if (at >= one.since) one.contested.add(path);
  };
  const compare = async (all: readonly string[], since: number, isGlance: boolean): Promise<ChangedFile[]> => {
    const files = await doubtful(all);
    if (files.length === 0) return [];
    const { knowsAll } = await source();
    const inodes = knowsAll ? ANY : new Set([...index.entries.values()].map(({ stamp }) => stamp.ino));
    const comparing = { since, isGlance, inodes, onOthers: contest };
    const changes: ChangedFile[] = [];
    for (let from = 0; from < files.length; from += STORED_AT_ONCE) {
      const some = files.slice(from, from + STORED_AT_ONCE);
      const there = some.flatMap(({ path, stamp }) => (stamp ? [{ path, stamp }] : []));
      const stored = await index.store(there, comparing);
      const act = async (path: string): Promise<void> => {
        const change = await index.compare(path, comparing, stored);
        if (change) changes.push(change);
      };
      const paths = some.map(({ path }) => path);
      await sideBySide(paths, { act, most: SIDE_BY_SIDE, signal });
    }
    return changes.sort((one, other) => (one.path < other.path ? -1 : 1));
  };
  const lookAfter = async (one: RunningCommand): Promise<FolderChanges> => {
    const { paths, isCut } = await listed();
    const changes = await compare(paths, one.since, false);
    for (const { path } of changes) {
      contest(path, index.entries.get(path)?.stamp.ctimeMs ?? Number.POSITIVE_INFINITY);
      one.contested.delete(path);
    }
    const contested = [...one.contested].sort();
    one.contested.clear();
    const omitted = Math.max(0, changes.length - MAX_CHANGES);
    return { changes: changes.slice(0, MAX_CHANGES), omitted, isPartial: isCut, contested };
  };
  /** Changes of others are recorded; those of a running command are left to be found. */
  const lookAround = async (): Promise<void> => {
    if (running.size > 0) {
      const since = Math.min(ambient.now() - CLOCK_STEP_MS, ...[...running].map((one) => one.since));
      await compare((await listed()).paths, since, true);
      return;
    }
    // Whatever changed until now is someone else's; a command may start meanwhile.
    const since = ambient.now();
    const { paths, isNew } = await (await source()).begin(signal);
    await compare([...new Set([...index.entries.keys(), ...paths])], since, true);
    if (isNew && running.size === 0) index.keepOnly(new Set(paths));
  };
  const capture = (): Promise<void> => inOrder(() => (isReady ? lookAround() : lookAtAll()), undefined);

  const commandOf = (one: RunningCommand): FolderCommand => ({
    look: () => inOrder(() => lookAfter(one), NOTHING_KNOWN),
    end: () => void running.delete(one),
  });

  return {
    index,
    get isBusy() {
      return working > 0 || running.size > 0;
    },
    capture,
    command() {
      const one = { since: ambient.now() - CLOCK_STEP_MS, contested: new Set<string>() };
      running.add(one);
      // Changes made while the command starts are recorded here, so that they are not attributed to the command.
      const isFresh = working === 0 && ambient.monotonic() - lookedAt < FRESH_MS;
      if (!isReady) void capture();
      else if (!isFresh) void inOrder(() => compare([...index.entries.keys()], one.since, true), []);
      return commandOf(one);
    },
  };
}
