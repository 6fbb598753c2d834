import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Ambient, capturedText, type Environment, runProcess, systemCode } from '@fucina/shared';
import { cleanLine } from '../../clean-text.ts';
import { programIn } from './installation.ts';
import { UpgradeProblem } from './upgrade-problem.ts';

export interface TryOut {
  ambient: Ambient;
  environment: Environment;
  /** What the program must call itself. */
  version: string;
}

const ANSWER_MS = 60_000;
const DETAIL_CHARACTERS = 300;

/** A folder beside the package, on the same disk: a rename moves between them. */
export async function folderBeside(folder: string): Promise<string> {
  try {
    return await mkdtemp(join(dirname(folder), '.fucina-upgrade-'));
  } catch (cause) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(systemCode(cause) ?? '')) throw cause;
    throw new UpgradeProblem('upgrade.problem-not-writable', { params: { folder: dirname(folder) }, cause });
  }
}

/** Starts the program in a folder: its version, and its readiness report on an empty data folder. */
export async function tryOut(folder: string, { ambient, environment, version }: TryOut): Promise<void> {
  const empty = await mkdtemp(join(dirname(folder), '.fucina-try-'));
  const answer = async (...args: string[]): Promise<string> => {
    const argv = programIn(folder, args);
    const ended = await runProcess({ ambient, argv, cwd: empty, environment, timeoutMs: ANSWER_MS });
    const output = capturedText(ended.stdout);
    if (output.includes(version)) return output;
    const detail = cleanLine(capturedText(ended.stderr) || output || ended.ending, DETAIL_CHARACTERS);
    throw new UpgradeProblem('upgrade.problem-no-answer', { params: { version, detail } });
  };
  try {
    await answer('--version');
    await answer('doctor', '--json', '--data-dir', join(empty, 'data'), '--key-store', 'memory');
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

/**
 * Puts the package in `fresh` in the place of the one in `folder`. The old one is deleted once the new one answered
 * there, and put back when it did not. `aside` is an existing folder beside both.
 */
export async function swap(
  folder: string,
  fresh: string,
  { aside, ...trial }: TryOut & { aside: string },
): Promise<void> {
  const previous = join(aside, 'previous');
  await rename(folder, previous);
  try {
    await rename(fresh, folder);
    await tryOut(folder, trial);
  } catch (cause) {
    await rename(folder, join(aside, 'failed')).catch(() => undefined);
    await rename(previous, folder);
    const detail = cause instanceof UpgradeProblem ? (cause.params['detail'] ?? '') : (systemCode(cause) ?? '');
    throw new UpgradeProblem('upgrade.problem-rolled-back', { params: { version: trial.version, detail }, cause });
  }
}
