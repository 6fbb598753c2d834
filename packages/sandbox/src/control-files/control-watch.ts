import { type Ambient, type ControlWrite, createKeyedQueue, type KeyedQueue, once } from '@fucina/shared';
import { type ApprovedContents, createApprovedContents } from './approved-contents.ts';
import type { ControlFolder } from './control-folders.ts';
import { type ControlGuard, type GuardNeeds, guardControlFiles } from './control-guard.ts';
import { recoverControlFiles } from './control-recovery.ts';
import { createRunningRecords, type RunningRecord, type RunningRecords } from './running-records.ts';

/** The guard of one command, which also looks while it runs, and leaves a record of it for the case of a crash. */
export interface WatchedGuard extends Pick<ControlGuard, 'settle'> {
  /**
   * The command was started: reports what it wrote while it runs, removed from the folder. `lookSoon` does not wait any
   * longer for its end: it runs in the background.
   */
  begin(report: (writes: readonly ControlWrite[]) => void): { lookSoon(): void };
}

/** Guards of the control files of all folders. */
export interface ControlWatch {
  guard(wanted: Omit<GuardNeeds, 'ambient' | 'approved'>): Promise<WatchedGuard>;
  /**
   * Runs an act that the user allowed and that writes files: guards of the same folder wait for it. The contents that
   * `contentsOf` names are the user's from then on.
   */
  allow<T>(folder: string, act: () => Promise<T>, contentsOf: (result: T) => readonly AllowedContent[]): Promise<T>;
  /** At the first call, looks after what commands left when their process was killed. Never rejects. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** Relative to the folder, `/`-separated. */
export interface AllowedContent {
  path: string;
  content: string;
}

export interface ControlWatchNeeds {
  ambient: Ambient;
  /** Absolute: records of running commands. */
  dir: string;
  look(folder: string): Promise<readonly ControlFolder[]>;
  /** A rule of the user lets commands write this path, relative to the folder. */
  isOpened(folder: string, path: string): boolean;
}

/** A command that ends soon is looked after at its end only: what it makes may be half done before. */
const FIRST_LOOK_MS = 10_000;
const LOOK_MS = 1_000;
/** Looks take at most one part of so many of the time. */
const SHARE = 50;
const MAX_LOOK_MS = 10_000;
/** After a crash commands end at once: what is changed later is the user's. */
const AFTER_CRASH_MS = FIRST_LOOK_MS + MAX_LOOK_MS + 10_000;

export function createControlWatch(needs: ControlWatchNeeds): ControlWatch {
  const { ambient } = needs;
  const records = createRunningRecords(ambient, needs.dir);
  const approved = createApprovedContents();
  const inFolder = createKeyedQueue();
  const running = new Set<Watched>();
  const recovered = once(() =>
    recoverControlFiles({ ...needs, records, approved, graceMs: AFTER_CRASH_MS }).catch((error: unknown) => {
      ambient.log.error('sandbox.crash-unchecked', { error });
      return undefined;
    }),
  );
  return {
    async guard(wanted) {
      const { folder } = wanted;
      const guard = await guardControlFiles({ ...wanted, ambient, approved });
      const watched = watch({ ambient, records, approved, inFolder, running, folder }, guard);
      return {
        begin: watched.begin,
        settle: async () => [...((await (await recovered())?.take(folder)) ?? []), ...(await watched.end())],
      };
    },
    allow: (folder, act, contentsOf) =>
      inFolder(folder, async () => {
        const result = await act();
        const contents = contentsOf(result);
        for (const { path, content } of contents) approved.add(folder, path, content);
        const others = contents.length === 0 ? [] : [...running].filter((one) => one.folder === folder);
        await Promise.all(others.map((one) => one.note()));
        return result;
      }),
    recover: async () => void (await recovered()),
    close: () => records.close(),
  };
}

interface Watching {
  ambient: Ambient;
  records: RunningRecords;
  approved: ApprovedContents;
  inFolder: KeyedQueue;
  /** Those that have begun and not ended. */
  running: Set<Watched>;
  folder: string;
}

interface Watched extends Pick<WatchedGuard, 'begin'> {
  folder: string;
  /** Writes its record anew. */
  note(): Promise<void>;
  end(): Promise<readonly ControlWrite[]>;
}

function watch({ ambient, records, approved, inFolder, running, folder }: Watching, guard: ControlGuard): Watched {
  const found = new Map<string, ControlWrite>();
  let file: string | undefined;
  let last: Promise<void> = Promise.resolve();
  let cancel: (() => void) | undefined;
  let isOver = false;
  const record = (): RunningRecord => ({
    folder,
    known: [...guard.known],
    replaceable: guard.replaceable,
    approved: approved.of(folder),
    found: [...found.values()],
  });
  const noted = (act: () => Promise<void>): Promise<void> => {
    last = last.then(act).catch((error: unknown) => ambient.log.warn('sandbox.record-not-written', { error }));
    return last;
  };
  const note = (): Promise<void> =>
    noted(async () => (file === undefined ? undefined : records.change(file, record())));
  const look = async (report: (writes: readonly ControlWrite[]) => void): Promise<void> => {
    const start = ambient.monotonic();
    const writes = await inFolder(folder, guard.look);
    for (const write of writes) found.set(write.path, write);
    if (writes.length > 0) report(writes);
    if (writes.length > 0) await note();
    else await noted(async () => (file === undefined ? undefined : records.touch(file)));
    plan(report, Math.min(MAX_LOOK_MS, Math.max(LOOK_MS, (ambient.monotonic() - start) * SHARE)));
  };
  const plan = (report: (writes: readonly ControlWrite[]) => void, ms: number): void => {
    cancel?.();
    cancel = isOver ? undefined : ambient.timer(ms, () => void look(report));
  };
  const self: Watched = {
    folder,
    note,
    begin(report) {
      running.add(self);
      void noted(async () => void (file = await records.begin(record())));
      plan(report, FIRST_LOOK_MS);
      return { lookSoon: () => plan(report, LOOK_MS) };
    },
    async end() {
      isOver = true;
      running.delete(self);
      cancel?.();
      const writes = await inFolder(folder, guard.settle);
      await noted(async () => (file === undefined ? undefined : records.end(file)));
      return writes;
    },
  };
  return self;
}
