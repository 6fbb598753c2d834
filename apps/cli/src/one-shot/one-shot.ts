import { EMPTY, fold } from '@fucina/conversation';
import type { Host } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import { cleanLine } from '../clean-text.ts';
import type { OutputFormat } from '../config/keys.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openHost } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';
import { type SetupReporter, terminalReporter } from '../worktree-setup.ts';
import { type Approver, createAsker } from './approvals.ts';
import { hasNothingToSend, type StartedTurn, sendNextMessage, startOneShotTurn } from './begin.ts';
import { createAnswerer } from './cards.ts';
import { turnEvents } from './follow-turn.ts';
import type { OneShotRequest } from './one-shot-request.ts';
import { createOutput } from './outputs.ts';
import { createProgress, NO_PROGRESS, type Progress } from './progress.ts';
import { createScreen, type Screen } from './screen.ts';
import { createInterruptHandler, type InterruptHandler } from './stop.ts';
import type { StreamAsker } from './stream-input.ts';
import type { TurnOutput } from './turn-output.ts';
import { type TurnRecord, turnRecord } from './turn-record.ts';
import { type TurnResult, turnExit, turnResult } from './turn-result.ts';

/** Runs a prompt from start to end. */
export async function runOneShot(request: OneShotRequest, terminal: Terminal): Promise<ExitCode> {
  const { io } = terminal;
  const clock = await io.ambient('silent');
  const startedAt = clock.monotonic();
  let host: Host;
  try {
    host = await openHost(io, request.host);
  } catch (error) {
    return failBeforeTurn(error, request, { terminal, clock });
  }
  const stop = createInterruptHandler(terminal);
  try {
    const talk = request.isByLines ? talkByLines : converse;
    const turn = talk(request, { host, terminal, clock, startedAt, stop });
    return await Promise.race([turn, stop.abandoned]);
  } catch (error) {
    return await failBeforeTurn(error, request, { terminal, clock });
  } finally {
    stop.forget();
    if (!stop.isAbandoned()) await host.close();
  }
}

interface TurnContext {
  host: Host;
  terminal: Terminal;
  clock: Ambient;
  startedAt: number;
  stop: InterruptHandler;
}

/** One turn, or one per message of a program. */
async function converse(request: OneShotRequest, context: TurnContext): Promise<ExitCode> {
  const { input } = request;
  const { stop, host, terminal } = context;
  const next = (): Promise<string | undefined> =>
    Promise.race([input?.next() ?? Promise.resolve(undefined), stop.asked().then(() => undefined)]);
  const task = request.task ?? (await next());
  if (stop.isStopped()) return EXIT.interrupted;
  if (hasNothingToSend({ ...request, task })) {
    terminal.err(`fucina: ${terminal.say('no-task')}`);
    return EXIT.usage;
  }
  let started = await startOneShotTurn({ ...request, task }, host.services, reporterOf(request, terminal));
  for (;;) {
    const exit = await takeTurn(request, started, context);
    const message = stop.isStopped() ? undefined : await next();
    if (message === undefined) {
      await host.services.sessions.turns.hooksOver();
      return exit;
    }
    started = await sendNextMessage({ sessionId: started.sessionId, message }, host.services, request);
  }
}

/** One turn per line, until the user quits. */
async function talkByLines(request: OneShotRequest, context: TurnContext): Promise<ExitCode> {
  const { stop, host, terminal } = context;
  const { nextLine } = await import('./line-input.ts');
  let sessionId: string | undefined;
  let message = request.task;
  if (message === undefined) terminal.err(terminal.say('plain.hint'));
  for (;;) {
    message ??= await nextLine(terminal, stop);
    if (message === undefined) {
      if (sessionId !== undefined) await host.services.sessions.turns.hooksOver();
      return EXIT.done;
    }
    try {
      const started: StartedTurn =
        sessionId === undefined
          ? await startOneShotTurn({ ...request, task: message }, host.services, reporterOf(request, terminal))
          : await sendNextMessage({ sessionId, message }, host.services, request);
      sessionId = started.sessionId;
      await takeTurn(request, started, context);
    } catch (error) {
      const { reportFailure } = await import('../failure.ts');
      reportFailure(error, terminal);
    }
    stop.rearm();
    message = undefined;
  }
}

/** How often an answer that violates the schema is returned to the model. */
const MAX_CORRECTIONS = 2;

async function takeTurn(request: OneShotRequest, started: StartedTurn, context: TurnContext): Promise<ExitCode> {
  const { terminal, clock, startedAt } = context;
  const screen = createScreen(terminal.io);
  const folder = started.worktree?.path ?? request.dir;
  const output = createOutput(request, { terminal, screen, folder, newId: clock.newId });
  const progress = showsProgress(request, terminal) ? createProgress(terminal, screen) : NO_PROGRESS;
  const watching: Watching = { request, context, screen, output, progress };
  reportWorktree(started, request, terminal);
  let record = await watchTurn(started, watching);
  let answer = request.schema?.check(record.text);
  for (let left = MAX_CORRECTIONS; answer && 'problems' in answer && isWhole(record) && left > 0; left -= 1) {
    const message = `${answer.problems}\nSend the whole corrected value as your last message, and nothing else.`;
    const next = await sendNextMessage({ ...started, message }, context.host.services, request);
    record = await watchTurn(next, watching, record);
    answer = request.schema?.check(record.text);
  }
  const durationMs = clock.monotonic() - startedAt;
  const result = await turnResult(record, { sessionId: started.sessionId, durationMs, terminal, answer });
  await endTurn({ result, progress, record, request, terminal, output });
  return turnExit(record, result);
}

/** Failures are reported also to those who want nothing else. */
function reporterOf({ isQuiet }: OneShotRequest, terminal: Terminal): SetupReporter {
  const reporter = terminalReporter(terminal);
  if (!isQuiet) return reporter;
  return {
    write: () => undefined,
    report: (key, params) => void (key !== 'worktrees.setup-running' && reporter.report(key, params)),
  };
}

const BRANCH_WIDTH = 200;

function reportWorktree({ worktree }: StartedTurn, { isQuiet }: OneShotRequest, { say, err }: Terminal): void {
  if (!worktree || isQuiet) return;
  const { name, state, path } = worktree;
  err(say('worktrees.using', { name, branch: cleanLine(state?.branch ?? '-', BRANCH_WIDTH), path }));
}

/** Whether a turn ended by itself. */
function isWhole({ ending }: TurnRecord): boolean {
  return ending?.isError === false;
}

interface Watching {
  request: OneShotRequest;
  context: TurnContext;
  screen: Screen;
  output: TurnOutput;
  progress: Progress;
}

async function watchTurn(
  { sessionId, after }: StartedTurn,
  watching: Watching,
  corrected?: TurnRecord,
): Promise<TurnRecord> {
  const { request, context, screen, output, progress } = watching;
  const { services } = context.host;
  const stopTurn = (): void => void services.sessions.turns.stop(sessionId);
  context.stop.onStop(stopTurn);
  request.input?.onStop(stopTurn);
  const terminalAsker = createAsker({ terminal: context.terminal, screen, isUnattended: request.isUnattended });
  const asker = request.input ? withAgentNames(request.input.asker, output) : terminalAsker;
  const answer = createAnswerer({ services, asker, sessionId });
  let conversation = EMPTY;
  let deniedToAgents = 0;
  let stopAnswering: (() => void) | undefined;
  try {
    for await (const { event, json } of turnEvents(services, sessionId, after)) {
      conversation = fold(conversation, [event]);
      output.push(event, json);
      progress.push(conversation, event);
      answer(conversation);
      if (!conversation.hasAgents || stopAnswering) continue;
      const { answerAgents } = await import('./agent-cards.ts');
      const denied = (): void => void (deniedToAgents += 1);
      stopAnswering = answerAgents({ services, asker, sessionId, ambient: context.clock, denied });
    }
  } finally {
    stopAnswering?.();
  }
  await services.sessions.turns.settled(sessionId);
  const record = turnRecord(conversation, corrected);
  return { ...record, denials: record.denials + deniedToAgents };
}

/** A program does not see events of sub-agents: their requests are separate records. */
function withAgentNames(asker: StreamAsker, output: TurnOutput): Approver {
  const approver: Approver = {
    ...asker,
    forAgent(asking) {
      output.ask?.(asking);
      return approver;
    },
  };
  return approver;
}

interface EndOfTurn {
  record: TurnRecord;
  result: TurnResult;
  progress: Progress;
  request: OneShotRequest;
  terminal: Terminal;
  output: TurnOutput;
}

/** These say on standard output what went wrong. */
const HAS_ERROR_IN_OUTPUT: ReadonlySet<OutputFormat> = new Set(['json', 'stream-json', 'github']);

async function endTurn({ record, result, progress, request, terminal, output }: EndOfTurn): Promise<void> {
  output.end(result);
  if (result.error && !HAS_ERROR_IN_OUTPUT.has(request.format)) {
    const { printFailure } = await import('../failure.ts');
    printFailure(result.error, terminal);
  }
  progress.end(record, result);
}

function showsProgress({ isQuiet, format }: OneShotRequest, { io }: Terminal): boolean {
  if (isQuiet || format === 'stream-json') return false;
  return format !== 'json' || io.stderr.isTTY === true;
}

/** A session that could not start: machine formats still get their one object. */
async function failBeforeTurn(
  error: unknown,
  request: OneShotRequest,
  { terminal, clock }: Pick<TurnContext, 'terminal' | 'clock'>,
): Promise<ExitCode> {
  const { format } = request;
  const { asAppError, exitOf, factsOf, reportFailure } = await import('../failure.ts');
  const known = asAppError(error);
  if (!known || format === 'text') return reportFailure(error, terminal);
  const result: TurnResult = {
    sessionId: null,
    outcome: 'error',
    text: '',
    usage: null,
    turns: 0,
    changes: [],
    denials: 0,
    durationMs: 0,
    error: factsOf(known, terminal),
  };
  const screen = createScreen(terminal.io);
  createOutput(request, { terminal, screen, folder: request.dir, newId: clock.newId }).end(result);
  return HAS_ERROR_IN_OUTPUT.has(format) ? exitOf(known) : reportFailure(error, terminal);
}
