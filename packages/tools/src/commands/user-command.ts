import { isAbsolute } from 'node:path';
import type { WriteReach } from '@fucina/shared';
import { createLiveOutput } from '../live-output.ts';
import type { ToolsNeeds } from '../needs.ts';
import type { Enforcement, Sandbox } from '../sandbox/sandbox.ts';
import { refusalMessage } from './foreground.ts';
import { printed, unreportedRefusals } from './result-text.ts';
import type { CommandRunner } from './runner.ts';

/** A command line the user typed. */
export interface UserCommand {
  sessionId: string;
  /** Names its kept output. */
  commandId: string;
  command: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Where the one before ended; the session's folder when that is gone. */
  cwd: string;
  writes: WriteReach;
  signal: AbortSignal;
  /** Live output, cleaned and bounded. */
  onText(text: string): void;
}

export interface UserCommandEnd {
  /** Null after a signal, or when it never started. */
  exitCode: number | null;
  /** Where the next one begins. */
  cwd: string;
  enforcement: Enforcement;
  /** The system's code when it could not be started. */
  problem?: string;
}

/** What shells answer for a command they may not run. */
const NOT_RUN = 126;

export async function runUserCommand(
  { ambient, runner, sandbox }: ToolsNeeds & { runner: CommandRunner; sandbox: Sandbox },
  { cwd: wanted, onText, signal, ...job }: UserCommand,
): Promise<UserCommandEnd> {
  const isThere = (path: string): Promise<boolean> => sandbox.isFolder(path, job);
  const cwd = (await isThere(wanted)) ? wanted : job.folder;
  const live = createLiveOutput(ambient, onText);
  const running = await runner
    .start({ ...job, cwd, tellsPlace: true, onText: live.write }, signal)
    .catch(refusalMessage);
  if (typeof running === 'string') {
    live.write(`${running}\n`);
    live.end();
    return { exitCode: NOT_RUN, cwd, enforcement: 'none' };
  }
  const { exitCode, report, problem, stdout, stderr } = await running.done;
  const { stdout: out, stderr: err } = printed({ stdout, stderr });
  for (const sentence of unreportedRefusals(running.refusals(), out + err)) live.write(`${sentence}\n`);
  live.end();
  const told = placeIn(report) ?? cwd;
  return {
    exitCode,
    cwd: (await isThere(told)) ? told : job.folder,
    enforcement: running.enforcement,
    ...(problem !== undefined && { problem }),
  };
}

/** The last whole word of the shell: a path, a newline and a zero. Whatever else a command wrote there is passed over. */
function placeIn(report: Buffer | undefined): string | undefined {
  const words = report?.toString('utf8').split('\0').slice(0, -1) ?? [];
  const path = words.at(-1)?.replace(/\n$/, '');
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
