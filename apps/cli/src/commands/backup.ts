import { resolve } from 'node:path';
import type * as Host from '@fucina/host';
import { systemCode } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import { cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { configDir } from '../config/settings-paths.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { dataDirOf } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';
import type { Words } from '../words/index.ts';
import { sizeOf } from './domains/local-progress.ts';

/** Writes a backup of all data and settings, also while a server is running. */
export async function backUp(flags: CommonFlags, [file]: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const now = (await io.ambient('error')).now();
  const day = new Date(now).toISOString().slice(0, 10);
  return reporting(terminal, async ({ createBackup }) => {
    const backup = await createBackup({
      now,
      version: VERSION,
      dataDir: await dataDirOf(io, flags),
      settingsDir: configDir(io),
      target: resolve(io.cwd, file ?? `fucina-${day}.tar.gz`),
      hasModels: flags['models'] === true,
    });
    const { files, ...facts } = backup;
    if (flags.json) out(JSON.stringify({ ...facts, files: files.length }));
    else
      out(
        say('backup.created', {
          path: cleanText(backup.path),
          files: files.length,
          size: sizeOf(backup.archiveBytes),
        }),
      );
  });
}

/** Compares every file of a backup with its hash. Exit 1 when one differs. */
export async function verify(flags: CommonFlags, [file = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  return reporting(terminal, async ({ verifyBackup }) => {
    const { files, createdAt, version, hasModels } = await verifyBackup(resolve(io.cwd, file));
    if (flags.json) out(JSON.stringify({ createdAt, version, hasModels, files: files.length }));
    else out(say('backup.verified', { files: files.length, date: createdAt, version }));
  });
}

/** Puts a backup in the place of the data and the settings, which are moved aside. */
export async function restore(flags: CommonFlags, [file = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const ambient = await io.ambient('error');
  return reporting(terminal, async ({ restoreBackup }) => {
    const restored = await restoreBackup({
      ambient,
      file: resolve(io.cwd, file),
      dataDir: await dataDirOf(io, flags),
      settingsDir: configDir(io),
    });
    const { files, previousData, previousSettings, createdAt, version } = restored;
    if (flags.json) {
      out(JSON.stringify({ createdAt, version, files: files.length, previousData, previousSettings }));
      return;
    }
    out(say('backup.restored', { files: files.length, date: createdAt }));
    for (const path of [previousData, previousSettings]) {
      if (path !== undefined) out(say('backup.previous', { path: cleanText(path) }));
    }
    out(say('backup.keys'));
  });
}

const PROBLEMS: Readonly<Record<Host.BackupError['problem'], keyof Words>> = {
  'not-a-backup': 'backup.not-a-backup',
  newer: 'backup.newer',
  damaged: 'backup.damaged',
  exists: 'backup.exists',
  'in-use': 'backup.in-use',
};

async function reporting({ say, err }: Terminal, act: (host: typeof Host) => Promise<void>): Promise<ExitCode> {
  const host = await import('@fucina/host');
  try {
    await act(host);
    return EXIT.done;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      err(`fucina: ${say('backup.missing')}`);
      return EXIT.usage;
    }
    if (!(error instanceof host.BackupError)) throw error;
    err(`fucina: ${say(PROBLEMS[error.problem], { path: cleanText(error.path ?? '') })}`);
    return error.problem === 'in-use' ? EXIT.busy : EXIT.failed;
  }
}
