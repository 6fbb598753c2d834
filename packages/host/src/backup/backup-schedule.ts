import { readFile, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { once, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';

export const BACKUP_PERIODS = ['daily', 'weekly'] as const;
export type BackupPeriod = (typeof BACKUP_PERIODS)[number];

const schedule = once(() =>
  z.object({
    every: z.enum(BACKUP_PERIODS),
    /** Where the backups are written, absolute. */
    folder: z.string().refine(isAbsolute),
    /** The folder of the settings files, absolute. */
    settingsDir: z.string().refine(isAbsolute),
    /** How many scheduled backups remain. */
    keep: z.int().min(1).max(999),
  }),
);
/** The user's choice. */
export type BackupSchedule = z.infer<ReturnType<typeof schedule>>;

const progress = once(() =>
  z.object({
    /** Of the last backup that succeeded; ms since the epoch. */
    doneAt: z.number().nullable(),
    failure: z.object({ at: z.number(), code: z.string() }).nullable(),
  }),
);
/** What the server did about it. */
export type BackupProgress = z.infer<ReturnType<typeof progress>>;

export interface BackupScheduleView extends BackupProgress {
  /** Undefined when there is none. */
  schedule: BackupSchedule | undefined;
}

const CHOICE = 'backup-schedule.json';
/** Another file: the command line writes the choice while the server writes this. */
const PROGRESS = 'backup-progress.json';
const NOTHING_YET: BackupProgress = { doneAt: null, failure: null };

/** Throws when the choice cannot be read or is damaged. */
export async function readBackupSchedule(dataDir: string): Promise<BackupScheduleView> {
  const chosen = await readText(join(dataDir, CHOICE));
  const noted = await readText(join(dataDir, PROGRESS));
  return {
    schedule: chosen === undefined ? undefined : schedule().parse(JSON.parse(chosen)),
    ...((noted === undefined ? undefined : progress().safeParse(parsed(noted)).data) ?? NOTHING_YET),
  };
}

/** Undefined: no backups from now on. Those that were made remain. */
export async function saveBackupSchedule(dataDir: string, chosen: BackupSchedule | undefined): Promise<void> {
  if (chosen) await writeFileAtomically(join(dataDir, CHOICE), `${JSON.stringify(schedule().parse(chosen))}\n`);
  else await rm(join(dataDir, CHOICE), { force: true });
}

export async function saveBackupProgress(dataDir: string, noted: BackupProgress): Promise<void> {
  await writeFileAtomically(join(dataDir, PROGRESS), `${JSON.stringify(noted)}\n`);
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
