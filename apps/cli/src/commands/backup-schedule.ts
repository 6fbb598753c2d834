import { resolve } from 'node:path';
import type { BackupScheduleView } from '@fucina/host';
import { cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { configDir } from '../config/settings-paths.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { localTime } from '../local-time.ts';
import { dataDirOf } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';

/** Sets when the running server makes backups, or shows it. */
export async function schedule(flags: CommonFlags, [when]: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const { BACKUP_PERIODS, defaultBackupFolder, isInDataFolder, KEPT_BACKUPS, readBackupSchedule, saveBackupSchedule } =
    await import('@fucina/host');
  const dataDir = resolve(io.cwd, await dataDirOf(io, flags));
  const read = () => readBackupSchedule(dataDir).catch(() => undefined);
  const every = BACKUP_PERIODS.find((period) => period === when);
  const hasChoice = flags['to'] !== undefined || flags['keep'] !== undefined;
  if ((every === undefined && when !== 'off' && when !== undefined) || (hasChoice && every === undefined)) {
    err(`fucina: ${say('backup.schedule-usage')}`);
    return EXIT.usage;
  }
  if (every) {
    const before = (await read())?.schedule;
    const chosen = typeof flags['to'] === 'string' ? resolve(io.cwd, flags['to']) : undefined;
    const folder = chosen ?? before?.folder ?? defaultBackupFolder(dataDir);
    if (isInDataFolder(dataDir, folder)) {
      err(`fucina: ${say('backup.schedule-in-data', { path: cleanText(folder) })}`);
      return EXIT.usage;
    }
    const keep = typeof flags['keep'] === 'number' ? flags['keep'] : (before?.keep ?? KEPT_BACKUPS);
    await saveBackupSchedule(dataDir, { every, folder, keep, settingsDir: resolve(io.cwd, configDir(io)) });
  } else if (when === 'off') await saveBackupSchedule(dataDir, undefined);
  const view = await read();
  if (view) return show(view, flags, terminal);
  err(`fucina: ${say('backup.schedule-damaged')}`);
  return EXIT.failed;
}

function show({ schedule: chosen, doneAt, failure }: BackupScheduleView, flags: CommonFlags, terminal: Terminal) {
  const { say, out } = terminal;
  if (flags.json) {
    const { every = 'off', folder = null, keep = null } = chosen ?? {};
    out(JSON.stringify({ every, folder, keep, doneAt, failure }));
    return EXIT.done;
  }
  if (!chosen) out(say('backup.schedule-off'));
  else out(say(`backup.schedule-${chosen.every}`, { folder: cleanText(chosen.folder), keep: chosen.keep }));
  if (doneAt !== null) out(say('backup.schedule-done', { date: localTime(doneAt) }));
  if (chosen && failure) {
    out(say('backup.schedule-failed', { date: localTime(failure.at), code: cleanText(failure.code) }));
  }
  return EXIT.done;
}
