import { existsSync } from 'node:fs';
import { type BlockedPath, type BlockedPaths, SandboxRefusal } from '@fucina/sandbox';
import {
  type BackgroundCause,
  NOT_ADMITTED,
  type ProcessOutcome,
  type ToolContext,
  type ToolResult,
} from '@fucina/shared';
import { cutMiddle } from '../cut.ts';
import { EXCERPT_CHARS, MAX_BACKGROUND, OUTPUT_CHARS } from '../limits.ts';
import { createLiveOutput } from '../live-output.ts';
import { failure } from '../located-path.ts';
import type { ToolsNeeds } from '../needs.ts';
import { roomIn } from '../result-room.ts';
import { printed, resultText } from './result-text.ts';
import type { CommandRunner, RunningCommand } from './runner.ts';

export interface ForegroundCommand {
  command: string;
  timeoutMs: number;
  /**
   * At its time limit it continues in the background, or is stopped otherwise. The user may move it there at any time.
   */
  leavesAtLimit: boolean;
  /** The model requests the background from the start. */
  leavesAtOnce?: boolean;
}

export interface ForegroundNeeds extends ToolsNeeds {
  runner: CommandRunner;
  blockedPaths: Pick<BlockedPaths, 'find'>;
}

/** Long enough to notice that a background command fails at once. */
const FIRST_LOOK_MS = 1000;

/** Runs a command of the model: resolves when it has ended, or when it continues in the background. */
export async function runForModel(
  { ambient, runner, blockedPaths }: ForegroundNeeds,
  { command, timeoutMs, leavesAtLimit, leavesAtOnce = false }: ForegroundCommand,
  context: ToolContext,
): Promise<ToolResult> {
  const { sessionId, toolCallId, folder, writes, background, signal } = context;
  // A background command must not depend on an editor that may be closed.
  const terminals = leavesAtOnce ? undefined : context.terminals;
  const hasRoom =
    runner.list(sessionId).filter(({ outcome, isBackground }) => isBackground && !outcome).length < MAX_BACKGROUND;
  if (leavesAtOnce && !background) return failure('This session cannot run commands in the background. Run it here.');
  if (leavesAtOnce && !hasRoom) {
    return failure(`${MAX_BACKGROUND} commands run in the background already. End one, or run this one here.`);
  }
  const live = createLiveOutput(ambient, context.progress);
  const ender = new AbortController();
  const onAbort = (): void => ender.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const { traceparent } = context;
  const place = { sessionId, folder, cwd: folder, writes, terminals };
  const job = { ...place, commandId: toolCallId, command, traceparent, onText: live.write };
  const running = await runner.start(job, ender.signal).catch(refusalMessage);
  if (typeof running === 'string') return failure(running);

  const end = await firstEnd(running, {
    timer: (ms, act) => ambient.timer(ms, act),
    asked: background?.asked,
    timeoutMs,
    lookMs: leavesAtOnce ? FIRST_LOOK_MS : undefined,
  });
  live.end();
  const leaves =
    background !== null && end !== 'over' && (end !== 'timeout' || (leavesAtLimit && hasRoom)) && !signal.aborted;
  if (leaves) {
    signal.removeEventListener('abort', onAbort);
    running.isBackground = true;
    background.letGo({
      cause: end,
      ended: running.done.then(({ exitCode }) => exitCode),
      stop: () => void running.stop(),
    });
    return answer(running, context, {
      heading: leaving(end, { id: toolCallId, timeoutMs }),
      durationMs: ambient.monotonic() - running.startedAt,
    });
  }
  if (end !== 'over') await running.stop();
  signal.removeEventListener('abort', onAbort);
  const outcome = await running.done;
  const isLate = end === 'timeout' && outcome.ending === 'stopped';
  return answer(running, context, {
    heading: heading(isLate ? { ...outcome, ending: 'timeout' } : outcome, { timeoutMs, folder }),
    outcome,
    blocked: await blockedBy(blockedPaths, { running, outcome, sessionId, folder }),
  });
}

/** What the sandbox blocked for a failed command. */
async function blockedBy(
  paths: Pick<BlockedPaths, 'find'>,
  {
    running,
    outcome,
    ...place
  }: { running: RunningCommand; outcome: ProcessOutcome; sessionId: string; folder: string },
): Promise<readonly BlockedPath[]> {
  if (running.enforcement === 'none' || isSuccess(outcome)) return [];
  const { stdout, stderr } = printed(outcome);
  return paths.find({ ...place, output: `${stdout}\n${stderr}` });
}

const isSuccess = ({ ending, exitCode }: ProcessOutcome): boolean => ending === 'exit' && exitCode === 0;

/** The message for a command that may not run. */
export function refusalMessage(error: unknown): string {
  if (error instanceof SandboxRefusal) return error.message;
  throw error;
}

type End = BackgroundCause | 'over';

interface Watch {
  timer(ms: number, act: () => void): () => void;
  asked: AbortSignal | undefined;
  timeoutMs: number;
  lookMs: number | undefined;
}

/** Whichever comes first: its end, the user's action, its time limit. */
async function firstEnd(running: RunningCommand, { timer, asked, timeoutMs, lookMs }: Watch): Promise<End> {
  let cancel = (): void => undefined;
  let onAsked = (): void => undefined;
  const limit = new Promise<End>((resolve) => {
    cancel = timer(lookMs ?? timeoutMs, () => resolve(lookMs === undefined ? 'timeout' : 'model'));
    onAsked = () => resolve('user');
    if (asked?.aborted) onAsked();
    asked?.addEventListener('abort', onAsked);
  });
  const end = await Promise.race([running.done.then((): End => 'over'), limit]);
  cancel();
  asked?.removeEventListener('abort', onAsked);
  return end;
}

function answer(
  running: RunningCommand,
  context: ToolContext,
  {
    heading: words,
    outcome,
    durationMs,
    blocked = [],
  }: { heading: string; outcome?: ProcessOutcome; durationMs?: number; blocked?: readonly BlockedPath[] },
): ToolResult {
  const text = printed(outcome ?? running.seen());
  const controlWrites = outcome === undefined ? [] : running.takeControlWrites();
  const isFailed = outcome !== undefined && !isSuccess(outcome);
  const facts = {
    heading: words,
    room: roomIn(context, OUTPUT_CHARS),
    id: running.id,
    isContained: running.enforcement !== 'none',
    isFailed,
    notices: running.notices(),
    blocked: blocked.map(({ sentence }) => sentence),
  };
  const hiddenReads = [...new Set(blocked.flatMap(({ opens }) => opens ?? []))];
  return {
    content: resultText(text, facts),
    ...(isFailed && { isError: true }),
    ...(controlWrites.length > 0 && { controlWrites }),
    ...(hiddenReads.length > 0 && { hiddenReads }),
    command: {
      command: running.command,
      cwd: running.cwd,
      stdout: cutMiddle(text.stdout, EXCERPT_CHARS).text,
      stderr: cutMiddle(text.stderr, EXCERPT_CHARS).text,
      exitCode: outcome?.exitCode ?? null,
      durationMs: Math.round(outcome?.durationMs ?? durationMs ?? 0),
      enforcement: running.enforcement,
    },
  };
}

function leaving(cause: BackgroundCause, { id, timeoutMs }: { id: string; timeoutMs: number }): string {
  const how = `Look at it or end it as a background command, id ${id}. Its output so far:`;
  switch (cause) {
    case 'model':
      return `It runs in the background. ${how}`;
    case 'user':
      return `The user moved it to the background, where it continues to run. ${how}`;
    case 'timeout':
      return `It did not end within ${timeoutMs / 1000} s and runs on in the background. ${how}`;
  }
}

const CHANGED =
  'The command was not run: files of its sandbox were replaced while it was created. Nothing has happened; try again.';

const goneFolder = (folder: string): string =>
  `The command was not run: the folder of this session, ${folder}, no longer exists. Nothing can run until it is back; tell the user.`;

function heading(
  { ending, exitCode, signal, problem, durationMs }: ProcessOutcome,
  { timeoutMs, folder }: { timeoutMs: number; folder: string },
): string {
  const seconds = (durationMs / 1000).toFixed(1);
  switch (ending) {
    case 'not-started':
      if (problem === NOT_ADMITTED) return CHANGED;
      if (problem === 'ENOENT' && !existsSync(folder)) return goneFolder(folder);
      return `The command could not be started (${problem ?? 'unknown'}).`;
    case 'timeout':
      return `Stopped: it did not end within ${timeoutMs / 1000} s. Its output so far:`;
    case 'stopped':
    case 'output-limit':
      return `Stopped after ${seconds} s. Its output so far:`;
    case 'exit':
      return exitCode === null
        ? `Ended by ${signal ?? 'a signal'} after ${seconds} s.`
        : `Exit code ${exitCode} (${seconds} s).`;
  }
}
