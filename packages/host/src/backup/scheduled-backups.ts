import { readdir, rm } from 'node:fs/promises';
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
const OURS = /^fucina-scheduled-[\dT-]+\.tar\.gz$/;

/** Makes the backups that are due while the server runs. Disposing of it stops the one in progress, which is due again. */
export function startScheduledBackups(needs: ScheduledBackupsNeeds): AsyncDisposable {
  const { ambient } = needs;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let cancel = ambient.timer(FIRST_MS, look);

  function look(): void {
    running = makeIfDue(needs, stop.signal)
      .catch((error: unknown) => ambient.log.warn('backup.schedule-failed', { error }))
      .finally(() => {
        if (!stop.signal.aborted) cancel = ambient.timer(LOOK_MS, look);
      });
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      cancel();
      await running;
    },
  };
}

async function makeIfDue(needs: ScheduledBackupsNeeds, signal: AbortSignal): Promise<void> {
  const { ambient, dataDir } = needs;
  const view = await readBackupSchedule(dataDir);
  if (!view.schedule || !isDue(view, view.schedule.every, ambient.now())) return;
  try {
    await make(view.schedule, needs, signal);
    await saveBackupProgress(dataDir, { doneAt: ambient.now(), failure: null });
  } catch (error) {
    if (signal.aborted) return;
    ambient.log.warn('backup.scheduled-failed', { error });
    const failure = { at: ambient.now(), code: systemCode(error) ?? (error instanceof Error ? error.name : 'Error') };
    await saveBackupProgress(dataDir, { doneAt: view.doneAt, failure });
  }
}

/** A time in the future is of a clock that was wrong. */
function isDue({ doneAt, failure }: BackupScheduleView, every: BackupPeriod, now: number): boolean {
  const isPast = (at: number, ms: number): boolean => at > now || now - at >= ms;
  if (failure && !isPast(failure.at, RETRY_MS)) return false;
  return doneAt === null || isPast(doneAt, PERIODS[every]);
}

async function make(
  { folder, settingsDir, keep }: BackupSchedule,
  needs: ScheduledBackupsNeeds,
  signal: AbortSignal,
): Promise<void> {
  const { ambient, version, dataDir } = needs;
  const now = ambient.now();
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const target = join(folder, `fucina-scheduled-${time}.tar.gz`);
  const bytes = await createBackupInThread({ now, version, dataDir, settingsDir, target, hasModels: false }, signal);
  ambient.log.info('backup.scheduled-done', { bytes });
  const older = (await readdir(folder)).filter((name) => OURS.test(name)).sort();
  for (const name of older.slice(0, -keep)) await rm(join(folder, name), { force: true });
}
