import type { Host, Services } from '@fucina/host';
import type { Ambient, OperatingMode, ReasoningChoice, SelectablePermissionLevel, SessionEvent } from '@fucina/shared';
import type { OutputFormat } from '../config/keys.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type HostChoice, openHost } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';
import { type Asker, createAsker } from './approvals.ts';
import { createOutput } from './outputs.ts';
import { createProgress, type Progress, SILENT } from './progress.ts';
import { createScreen } from './screen.ts';
import { createTurnRecord, recordEvent, type TurnRecord } from './turn-record.ts';
import { type TurnResult, turnExit, turnResult } from './turn-result.ts';

/** One turn, from the assignment to the last word. */
export interface OneShotRequest {
  /** Absent only when an interrupted turn is resumed. */
  task: string | undefined;
  /** Absolute. */
  dir: string;
  model: string | undefined;
  level: SelectablePermissionLevel | undefined;
  mode: OperatingMode | undefined;
  /** What would be asked is denied. */
  isUnattended: boolean;
  testCommand: string | undefined;
  effort: ReasoningChoice['effort'];
  resume: string | undefined;
  format: OutputFormat;
  isQuiet: boolean;
  host: HostChoice;
}

export async function runOneShot(request: OneShotRequest, terminal: Terminal): Promise<ExitCode> {
  const { io } = terminal;
  const clock = await io.ambient('silent');
  const startedAt = clock.monotonic();
  let host: Host;
  try {
    host = await openHost(io, request.host);
  } catch (error) {
    return failBeforeTurn(error, request, terminal);
  }
  const stop = createStop(terminal);
  try {
    const turn = takeTurn(request, { host, terminal, clock, startedAt, stop });
    return await Promise.race([turn, stop.abandoned]);
  } catch (error) {
    return await failBeforeTurn(error, request, terminal);
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
  stop: Stop;
}

async function takeTurn(request: OneShotRequest, context: TurnContext): Promise<ExitCode> {
  const { host, terminal, clock, startedAt, stop } = context;
  const { services } = host;
  const screen = createScreen(terminal.io);
  const output = createOutput(request.format, { terminal, screen, isQuiet: request.isQuiet });
  const progress = showsProgress(request, terminal) ? createProgress(terminal, screen) : SILENT;
  const asker = createAsker({ terminal, screen, isUnattended: request.isUnattended });
  const record = createTurnRecord();

  const { sessionId, after } = await beginTurn(request, services);
  stop.onStop(() => void services.sessions.turns.stop(sessionId));
  const answer = createAnswerer({ services, asker, sessionId });
  for await (const { event, json } of turnEvents(services, sessionId, after)) {
    recordEvent(record, event);
    output.push(event, json);
    progress.push(event);
    answer(event);
  }
  await services.sessions.turns.settled(sessionId);
  const result = await turnResult(record, { sessionId, durationMs: clock.monotonic() - startedAt, terminal });
  return endTurn({ record, result, progress, request, terminal, say: () => output.end(result) });
}

interface EndOfTurn {
  record: TurnRecord;
  result: TurnResult;
  progress: Progress;
  request: OneShotRequest;
  terminal: Terminal;
  say(): void;
}

async function endTurn({ record, result, progress, request, terminal, say }: EndOfTurn): Promise<ExitCode> {
  say();
  if (result.error && request.format === 'text') {
    const { printFailure } = await import('../failure.ts');
    printFailure(result.error, terminal);
  }
  progress.end(record, result);
  return turnExit(record);
}

function showsProgress({ isQuiet, format }: OneShotRequest, { io }: Terminal): boolean {
  if (isQuiet || format === 'stream-json') return false;
  return format === 'text' || io.stderr.isTTY === true;
}

/** The session runs when this returns; `after` is where its turn begins. */
async function beginTurn(
  request: OneShotRequest,
  { sessions, providers, startSession }: Services,
): Promise<{ sessionId: string; after: number }> {
  const { task, dir, model, level, mode, testCommand, effort, resume } = request;
  const reasoning = effort && { effort };
  if (resume === undefined) {
    // Loads what the call will need while the folder is looked at.
    if (model) providers.warm(model).catch(() => undefined);
    const settings = { model, reasoning, permissions: level, mode };
    return { ...(await startSession({ folder: dir, message: task ?? '', testCommand, ...settings })), after: 0 };
  }
  const { lastSeq } = await sessions.read(resume);
  const patch = {
    ...(model && { model }),
    ...(reasoning && { reasoning }),
    ...(level && { permissions: level }),
    ...(mode && { mode }),
  };
  if (Object.keys(patch).length) await sessions.changeSettings(resume, patch);
  await sessions.turns.resume(resume, { message: task });
  return { sessionId: resume, after: lastSeq };
}

/** The events of one turn, to its last. A reader left behind begins again where it was. */
async function* turnEvents(
  { sessions }: Services,
  sessionId: string,
  after: number,
): AsyncGenerator<{ event: SessionEvent; json: string }> {
  const over = new AbortController();
  let seen = after;
  try {
    for (;;) {
      for await (const item of sessions.follow(sessionId, seen, over.signal)) {
        for (const { seq, json } of item.kind === 'events' ? item.events : []) {
          seen = seq;
          const event = JSON.parse(json) as SessionEvent;
          yield { event, json };
          if (event.type === 'RunFinished' || event.type === 'RunError') return;
        }
      }
    }
  } finally {
    over.abort();
  }
}

/** Puts requests for leave to the person while events go on. */
function createAnswerer({ services, asker, sessionId }: { services: Services; asker: Asker; sessionId: string }) {
  const { sessions } = services;
  const open = new Map<string, AbortController>();

  const put = async (requestId: string, action: Record<string, unknown>, signal: AbortSignal): Promise<void> => {
    const folder = await sessions.folderOf(sessionId);
    const before = await presentText(services, sessionId, action);
    const leave = await asker.ask({ action, folder, before, signal });
    if (signal.aborted) return;
    const tool = leave.isGiven ? leave.wholeSession : undefined;
    if (tool) {
      await sessions.changeSettings(sessionId, { mergedToolPermissions: { [tool]: 'always' }, keepsDenied: true });
    }
    await sessions.requests.approve(sessionId, { requestId, isApproved: leave.isGiven });
  };

  return (event: SessionEvent): void => {
    if (event.type === 'ApprovalResolved') open.get(event.requestId)?.abort();
    if (event.type !== 'ApprovalRequested') return;
    const closing = new AbortController();
    open.set(event.requestId, closing);
    put(event.requestId, event.azione, closing.signal).catch((error: unknown) => {
      // Closed while it was being answered: its ApprovalResolved says how. Else a request left open would hold the turn.
      if ((error as { code?: string }).code !== 'APPROVAL_NOT_PENDING') void sessions.turns.stop(sessionId);
    });
  };
}

/** The file's text as it is now: null when it does not exist, undefined when it cannot be shown. */
async function presentText(
  { sessionFiles }: Services,
  sessionId: string,
  { percorso, contenuto }: Record<string, unknown>,
): Promise<string | null | undefined> {
  if (typeof percorso !== 'string' || typeof contenuto !== 'string') return undefined;
  try {
    return (await sessionFiles.preview(sessionId, percorso)).text;
  } catch (error) {
    return (error as { code?: string }).code === 'FILE_NOT_FOUND' ? null : undefined;
  }
}

interface Stop {
  /** What the first interruption does; at once when it came before. */
  onStop(act: () => void): void;
  /** Settles at the second interruption. */
  abandoned: Promise<ExitCode>;
  isAbandoned(): boolean;
  forget(): void;
}

function createStop({ io, say, err }: Terminal): Stop {
  let count = 0;
  let act: (() => void) | undefined;
  let abandon: (code: ExitCode) => void = () => undefined;
  const abandoned = new Promise<ExitCode>((resolve) => (abandon = resolve));
  const forget = io.onInterrupt(() => {
    count += 1;
    if (count > 1) return abandon(EXIT.interrupted);
    if (io.stderr.isTTY) err(`\n${say('turn.stopping')}`);
    act?.();
  });
  return {
    onStop(stop) {
      act = stop;
      if (count) stop();
    },
    abandoned,
    isAbandoned: () => count > 1,
    forget,
  };
}

/** A session that could not begin: machine formats get their one object all the same. */
async function failBeforeTurn(error: unknown, { format }: OneShotRequest, terminal: Terminal): Promise<ExitCode> {
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
  terminal.out(JSON.stringify(format === 'json' ? result : { type: 'result', ...result }));
  return exitOf(known);
}
