import { createHash } from 'node:crypto';
import { readdir, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Ambient, systemCode } from '@fucina/shared';
import { createBackupInThread } from './backup-in-thread.ts';
import {
  type BackupPeriod,
  type BackupSchedule,
  type BackupScheduleView,
  readBackupSchedule,
  saveBackupProgress,
} from './backup-schedule.ts';

export interface ScheduledBackupsNeeds {
  ambient: Ambient;
  /** Of this Fucina. */
  version: string;
  dataDir: string;
}

const FIRST_MS = 60_000;
const LOOK_MS = 10 * 60_000;
const RETRY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const PERIODS: Readonly<Record<BackupPeriod, number>> = { daily: DAY_MS, weekly: 7 * DAY_MS };
/** The end of a name. */
const TIME = /^[\dT-]+\.tar\.gz$/;

/** Disposing of it stops the backup in progress, which is due again. */
export interface ScheduledBackups extends AsyncDisposable {
  /** Makes one now, unless one is being made. The places are those of a backup that no schedule names. */
  start(places: Pick<BackupSchedule, 'folder' | 'settingsDir'>): void;
  isRunning(): boolean;
}

/** Makes the backups that are due while the server runs. */
export function startScheduledBackups(needs: ScheduledBackupsNeeds): ScheduledBackups {
  const { ambient } = needs;
  const stop = new AbortController();
  let isMaking = false;
  let running: Promise<void> = Promise.resolve();
  let cancel = ambient.timer(FIRST_MS, look);

  /** One after the other. */
  function run(make: () => Promise<void>): void {
    running = running
      .then(() => (stop.signal.aborted ? undefined : make()))
      .catch((error: unknown) => ambient.log.warn('backup.schedule-failed', { error }));
  }
  async function make(request: MakeRequest): Promise<void> {
    isMaking = true;
    try {
      await makeNoted(request, needs, stop.signal);
    } finally {
      isMaking = false;
    }
  }
  function look(): void {
    run(async () => {
      const view = await readBackupSchedule(needs.dataDir);
      if (view.schedule && isDue(view, view.schedule.every, ambient.now())) await make({ ...view.schedule });
    });
    void running.then(() => {
      if (!stop.signal.aborted) cancel = ambient.timer(LOOK_MS, look);
    });
  }

  return {
    start(places) {
      if (isMaking) return;
      isMaking = true;
      run(async () => make((await readBackupSchedule(needs.dataDir).catch(() => undefined))?.schedule ?? places));
    },
    isRunning: () => isMaking,
    async [Symbol.asyncDispose]() {
      stop.abort();
      cancel();
      await running;
    },
  };
}

type MakeRequest = Pick<BackupSchedule, 'folder' | 'settingsDir'> & Partial<Pick<BackupSchedule, 'keep'>>;

async function makeNoted(request: MakeRequest, needs: ScheduledBackupsNeeds, signal: AbortSignal): Promise<void> {
  const { ambient, dataDir } = needs;
  try {
    await makeOne(request, needs, signal);
    await saveBackupProgress(dataDir, { doneAt: ambient.now(), failure: null });
  } catch (error) {
    if (signal.aborted) return;
    ambient.log.warn('backup.scheduled-failed', { error });
    const failure = { at: ambient.now(), code: systemCode(error) ?? (error instanceof Error ? error.name : 'Error') };
    const doneAt = await readBackupSchedule(dataDir).then(
      (view) => view.doneAt,
      () => null,
    );
    await saveBackupProgress(dataDir, { doneAt, failure });
  }
}

/** A time in the future is of a clock that was wrong. */
function isDue({ doneAt, failure }: BackupScheduleView, every: BackupPeriod, now: number): boolean {
  const isPast = (at: number, ms: number): boolean => at > now || now - at >= ms;
  if (failure && !isPast(failure.at, RETRY_MS)) return false;
  return doneAt === null || isPast(doneAt, PERIODS[every]);
}

/** Without `keep` no older one is removed. */
async function makeOne(request: MakeRequest, needs: ScheduledBackupsNeeds, signal: AbortSignal): Promise<void> {
  const { folder, settingsDir, keep } = request;
  const { ambient, version, dataDir } = needs;
  const now = ambient.now();
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const target = join(folder, `${await prefixOf(dataDir)}${time}.tar.gz`);
  const bytes = await createBackupInThread({ now, version, dataDir, settingsDir, target, hasModels: false }, signal);
  ambient.log.info('backup.scheduled-done', { bytes });
  if (keep === undefined) return;
  for (const name of (await backupsOf(folder, dataDir)).slice(0, -keep)) await rm(join(folder, name), { force: true });
}

/** The path of the newest scheduled backup of a data folder; undefined when there is none, or it cannot be found. */
export async function newestBackup(dataDir: string): Promise<string | undefined> {
  try {
    const { schedule } = await readBackupSchedule(dataDir);
    if (!schedule) return undefined;
    const last = (await backupsOf(schedule.folder, dataDir)).at(-1);
    return last && join(schedule.folder, last);
  } catch {
    // A damaged schedule, or a folder that is not mounted: the backup adds to a message about something else.
    return undefined;
  }
}

/** The names of its scheduled backups, oldest first. */
async function backupsOf(folder: string, dataDir: string): Promise<string[]> {
  const own = await prefixOf(dataDir);
  return (await readdir(folder)).filter((name) => name.startsWith(own) && TIME.test(name.slice(own.length))).sort();
}

const prefixOf = async (dataDir: string): Promise<string> => `fucina-scheduled-${await markOf(dataDir)}-`;

/** Tells the backups of data folders apart that share a folder, also a folder that several computers share. */
async function markOf(dataDir: string): Promise<string> {
  return createHash('sha256')
    .update(`${hostname()}\0${await realpath(dataDir)}`)
    .digest('hex')
    .slice(0, 8);
}
