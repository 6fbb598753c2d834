import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '@fucina/shared/version';
import { cleanText } from '../../clean-text.ts';
import type { CommonFlags } from '../../command-facts.ts';
import { configDir } from '../../config/settings-paths.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { isInteractive } from '../../io.ts';
import { askChoice } from '../../one-shot/ask-choice.ts';
import { readLine } from '../../one-shot/read-line.ts';
import { dataDirOf } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { changesSince, installBelow } from './npm-package.ts';
import { folderBeside, swap, tryOut } from './swap.ts';

export interface Candidate {
  version: string;
  /** What `npm install` takes: a name with a version, or the path of a package. */
  packageSpec(): Promise<string>;
}

export interface InstallRequest {
  flags: CommonFlags;
  terminal: Terminal;
  /** Of the package that runs. */
  folder: string;
  signal: AbortSignal;
}

export interface Installed {
  isInstalled: true;
  /** Of the data, from before the upgrade; undefined when there is none. */
  backup: string | undefined;
}

/** Installs beside the package that runs, asks, tries the new one and puts it in place. An exit code: nothing changed. */
export async function installCandidate(candidate: Candidate, request: InstallRequest): Promise<Installed | ExitCode> {
  const { flags, terminal, folder, signal } = request;
  const { io, err, say } = terminal;
  const { version } = candidate;
  const ambient = await io.ambient('error');
  if (!flags['yes'] && !canAsk(request)) {
    err(`fucina: ${say('upgrade.needs-yes', { version })}`);
    return EXIT.denied;
  }
  const aside = await folderBeside(folder);
  try {
    err(say('upgrade.downloading', { version }));
    const place = { ambient, environment: io.env, cwd: aside, signal };
    const fresh = await installBelow(aside, await candidate.packageSpec(), place);
    await showChanges(fresh, request);
    if (!flags['yes'] && !(await isWanted(request))) {
      err(say('upgrade.left'));
      return signal.aborted ? EXIT.interrupted : EXIT.denied;
    }
    const trial = { ambient, environment: io.env, version };
    await tryOut(fresh, trial);
    const backup = await backUpData(version, request);
    signal.throwIfAborted();
    await swap(folder, fresh, { ...trial, aside });
    return { isInstalled: true, backup };
  } finally {
    // Without a package in place, the previous one is still in there.
    if (existsSync(folder)) await rm(aside, { recursive: true, force: true });
  }
}

function canAsk({ flags, terminal }: InstallRequest): boolean {
  return !flags.json && isInteractive(terminal.io);
}

async function showChanges(fresh: string, { flags, terminal }: InstallRequest): Promise<void> {
  if (flags.json) return;
  const changes = await changesSince(VERSION, fresh);
  if (changes !== '') terminal.out(`\n${cleanText(changes)}\n`);
}

async function isWanted({ terminal, signal }: InstallRequest): Promise<boolean> {
  const offers = { y: terminal.say('upgrade.do-it'), n: terminal.say('upgrade.leave-it') };
  const read = (prompt: string) => readLine(terminal, prompt, signal);
  return (await askChoice(offers, { terminal, readLine: read })) === 'y';
}

/** A newer version may migrate the data, which an older one then refuses. */
async function backUpData(version: string, { flags, terminal }: InstallRequest): Promise<string | undefined> {
  const { io } = terminal;
  const dataDir = await dataDirOf(io, flags);
  if (!existsSync(dataDir)) return undefined;
  const { createBackup, defaultBackupFolder } = await import('@fucina/host');
  const target = join(defaultBackupFolder(dataDir), `before-${version}.tar.gz`);
  await rm(target, { force: true });
  const now = (await io.ambient('error')).now();
  const settings = { version: VERSION, dataDir, settingsDir: configDir(io) };
  return (await createBackup({ now, ...settings, target, hasModels: false })).path;
}
