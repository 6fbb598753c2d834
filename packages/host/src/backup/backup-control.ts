import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { commonError, type Environment, isWithin, settingsFolder } from '@fucina/shared';
import {
  type BackupPeriod,
  type BackupProgress,
  type BackupScheduleView,
  readBackupSchedule,
  saveBackupSchedule,
} from './backup-schedule.ts';
import { defaultBackupFolder } from './create-backup.ts';
import type { ScheduledBackups } from './scheduled-backups.ts';

export interface BackupChoice {
  every: BackupPeriod | 'off';
  /** Absolute, outside the data folder. */
  folder: string;
  /** How many backups of this data folder remain. */
  keep: number;
}

export interface BackupView extends BackupChoice, BackupProgress {
  /** One is being made. */
  isRunning: boolean;
}

/** The backups that the running server makes. */
export interface BackupControl {
  view(): Promise<BackupView>;
  /** QUERY_INVALID (`backup-folder-relative`, `backup-folder-in-data`, `backup-folder-unusable`). */
  choose(choice: BackupChoice): Promise<BackupView>;
  /** Starts one, unless one is being made. Its end is in the view. */
  start(): Promise<BackupView>;
}

export interface BackupControlNeeds {
  /** Absolute. */
  dataDir: string;
  environment: Environment;
  backups: ScheduledBackups | undefined;
}

export const KEPT_BACKUPS = 7;

export function createBackupControl({ dataDir, environment, backups }: BackupControlNeeds): BackupControl {
  const settingsDir = (): string => resolve(settingsFolder(environment, environment.HOME ?? homedir()));

  async function view(): Promise<BackupView> {
    const { schedule, doneAt, failure } = await readOrDamaged(dataDir);
    return {
      every: schedule?.every ?? 'off',
      folder: schedule?.folder ?? defaultBackupFolder(dataDir),
      keep: schedule?.keep ?? KEPT_BACKUPS,
      doneAt,
      failure,
      isRunning: backups?.isRunning() ?? false,
    };
  }

  return {
    view,
    async choose({ every, folder, keep }) {
      if (every === 'off') await saveBackupSchedule(dataDir, undefined);
      else {
        await assertUsable(dataDir, folder);
        const before = (await readOrDamaged(dataDir)).schedule?.settingsDir;
        await saveBackupSchedule(dataDir, { every, folder, keep, settingsDir: before ?? settingsDir() });
      }
      return view();
    },
    async start() {
      backups?.start({ folder: (await view()).folder, settingsDir: settingsDir() });
      return view();
    },
  };
}

/** A restore moves the data folder aside, with everything in it. */
export function isInDataFolder(dataDir: string, folder: string): boolean {
  return isWithin(resolve(dataDir), resolve(folder));
}

async function assertUsable(dataDir: string, folder: string): Promise<void> {
  if (!isAbsolute(folder)) throw commonError('QUERY_INVALID', { reason: 'backup-folder-relative' });
  if (isInDataFolder(dataDir, folder)) throw commonError('QUERY_INVALID', { reason: 'backup-folder-in-data' });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw commonError('QUERY_INVALID', { reason: 'backup-folder-unusable', cause });
  }
}

/** A choice that cannot be read counts as none, and is reported as a failure. */
async function readOrDamaged(dataDir: string): Promise<BackupScheduleView> {
  try {
    return await readBackupSchedule(dataDir);
  } catch {
    return { schedule: undefined, doneAt: null, failure: { at: 0, code: 'SCHEDULE_DAMAGED' } };
  }
}
