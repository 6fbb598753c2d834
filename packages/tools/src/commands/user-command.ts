import { isAbsolute } from 'node:path';
import type { Enforcement, Sandbox } from '@fucina/sandbox';
import type { WriteReach } from '@fucina/shared';
import { createLiveOutput } from '../live-output.ts';
import type { ToolsNeeds } from '../needs.ts';
import { refusalMessage } from './foreground.ts';
import { printed, unreportedNotices } from './result-text.ts';
import type { CommandRunner } from './runner.ts';

/** A command line the user typed. */
export interface UserCommand {
  sessionId: string;
  /** Id of its stored output. */
  commandId: string;
  command: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Final directory of the previous command; the session's folder when that is gone. */
  cwd: string;
  writes: WriteReach;
  signal: AbortSignal;
  /** Live output, cleaned and limited. */
  onText(text: string): void;
}

export interface UserCommandEnd {
  /** Null after a signal, or when it never started. */
  exitCode: number | null;
  /** Working directory of the next one. */
  cwd: string;
  enforcement: Enforcement;
  /** The system's error code when the start failed. */
  problem?: string;
}

/** Exit codes of shells for a command that may not run. */
const NOT_RUN = 126;

export async function runUserCommand(
  { ambient, runner, sandbox }: ToolsNeeds & { runner: CommandRunner; sandbox: Sandbox },
  { cwd: wanted, onText, signal, ...job }: UserCommand,
): Promise<UserCommandEnd> {
  const isThere = (path: string): Promise<boolean> => sandbox.isFolder(path, job);
  const cwd = (await isThere(wanted)) ? wanted : job.folder;
  const live = createLiveOutput(ambient, onText);
  const running = await runner
    .start({ ...job, cwd, reportsPlace: true, onText: live.write }, signal)
    .catch(refusalMessage);
  if (typeof running === 'string') {
    live.write(`${running}\n`);
    live.end();
    return { exitCode: NOT_RUN, cwd, enforcement: 'none' };
  }
  const { exitCode, report, problem, stdout, stderr } = await running.done;
  const { stdout: out, stderr: err } = printed({ stdout, stderr });
  for (const sentence of unreportedNotices(running.notices(), out + err)) live.write(`${sentence}\n`);
  live.end();
  const reported = placeIn(report) ?? cwd;
  return {
    exitCode,
    cwd: (await isThere(reported)) ? reported : job.folder,
    enforcement: running.enforcement,
    ...(problem !== undefined && { problem }),
  };
}

/** The shell's last complete report: a path, a newline and a zero byte. Anything else written there is ignored. */
function placeIn(report: Buffer | undefined): string | undefined {
  const words = report?.toString('utf8').split('\0').slice(0, -1) ?? [];
  const path = words.at(-1)?.replace(/\n$/, '');
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
