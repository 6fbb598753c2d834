import {
  type Ambient,
  captureOutput,
  type EditorCommand,
  type EditorTerminal,
  type EditorTerminals,
  type ProcessOutcome,
  type RunningProcess,
} from '@fucina/shared';
import { createAddedText } from './added-text.ts';
import type { OutputRecorder } from './output-recorder.ts';

export interface EditorRun {
  terminals: EditorTerminals;
  command: Omit<EditorCommand, 'outputBytes'>;
  recorder: OutputRecorder;
  onText(text: string): void;
  signal?: AbortSignal | undefined;
}

type StartedCommand = Pick<RunningProcess, 'done' | 'seen' | 'stop'>;

/** After this time a killed command counts as ended, even if the editor does not report it. */
const KILLED_MS = 2000;
const KEEP_BYTES = 1024 * 1024;
/** Time limit for an editor to open a terminal. */
const CREATE_MS = 10_000;
const ANSWER_MS = 5000;
/** Interval between reads of the output; grows with it, because each read returns all of it. */
const LOOK_MS = 100;
const CHARS_PER_LOOK_MS = 1000;

interface Exit {
  exitCode: number | null;
  signal: string | null;
  /** False: the editor never reported it. */
  isKnown: boolean;
}

const UNKNOWN_EXIT: Exit = { exitCode: null, signal: null, isKnown: false };

/** Runs a command in a terminal of the editor; undefined when the editor opens none. */
export async function startInEditor(ambient: Ambient, run: EditorRun): Promise<StartedCommand | undefined> {
  const { terminals, command, signal } = run;
  if (signal?.aborted) return undefined;
  const creating = terminals.create({ ...command, outputBytes: KEEP_BYTES });
  const answer = await first(ambient, {
    promise: creating.then((terminal) => ({ terminal })),
    waitMs: CREATE_MS,
    signal,
  });
  if (answer && !signal?.aborted) return answer.terminal && follow(ambient, answer.terminal, run);
  void creating.then((late) => late?.release()).catch(() => undefined);
  // It may have started in the editor: it is not run again.
  return signal?.aborted ? undefined : notStarted();
}

function notStarted(): StartedCommand {
  const nothing = captureOutput(0).result();
  const seen = () => ({ stdout: nothing, stderr: nothing });
  const outcome: ProcessOutcome = {
    exitCode: null,
    signal: null,
    ...seen(),
    durationMs: 0,
    ending: 'not-started',
    problem: 'the editor did not open a terminal',
  };
  return { done: Promise.resolve(outcome), seen, stop: () => Promise.resolve() };
}

function follow(ambient: Ambient, terminal: EditorTerminal, run: EditorRun): StartedCommand {
  const { recorder, onText, signal } = run;
  const startedAt = ambient.monotonic();
  const captures = { stdout: captureOutput(KEEP_BYTES), stderr: captureOutput(0) };
  const added = createAddedText();
  const seen = () => ({ stdout: captures.stdout.result(), stderr: captures.stderr.result() });
  const killed = new AbortController();
  let isOver = false;
  const kill = (): void => {
    if (isOver || killed.signal.aborted) return;
    killed.abort();
    void terminal.kill().catch(() => undefined); // it is released anyway
  };
  signal?.addEventListener('abort', kill, { once: true });

  const ended = terminal.exit().then(
    ({ exitCode, signal: endedBy }): Exit => ({ exitCode, signal: endedBy, isKnown: true }),
    (error: unknown): Exit => {
      ambient.log.warn('command.editor-lost', { error });
      return UNKNOWN_EXIT;
    },
  );
  const look = async (): Promise<number> => {
    const now = await answered(ambient, terminal.output());
    if (!now) return 0;
    const text = added.of(now.text, now.isCut);
    if (text === '') return now.text.length;
    const bytes = Buffer.from(text);
    captures.stdout.push(bytes);
    onText(text);
    await recorder.write(bytes, 'stdout');
    return now.text.length;
  };
  const watch = async (): Promise<ProcessOutcome> => {
    const over = endOf(ambient, ended, killed.signal);
    let exit = await first(ambient, { promise: over, waitMs: LOOK_MS });
    while (!exit) {
      const pause = Math.round((await look()) / CHARS_PER_LOOK_MS);
      exit = await first(ambient, { promise: over, waitMs: Math.max(LOOK_MS, pause) });
    }
    isOver = true;
    await look();
    signal?.removeEventListener('abort', kill);
    await answered(ambient, terminal.release());
    return {
      exitCode: exit.exitCode,
      signal: exit.signal as ProcessOutcome['signal'],
      ...seen(),
      durationMs: Math.round(ambient.monotonic() - startedAt),
      ending: killed.signal.aborted || !exit.isKnown ? 'stopped' : 'exit',
    };
  };
  const done = watch();
  const stop = async (): Promise<void> => {
    kill();
    await done;
  };
  return { done, seen, stop };
}

/** The end of the command; for a killed one with a time limit. */
async function endOf(ambient: Ambient, ended: Promise<Exit>, killed: AbortSignal): Promise<Exit> {
  const isKilled = new Promise((resolve) => killed.addEventListener('abort', resolve, { once: true }));
  await Promise.race([ended, isKilled]);
  return (await first(ambient, { promise: ended, waitMs: KILLED_MS })) ?? UNKNOWN_EXIT;
}

/** Undefined when the editor fails or does not answer. */
function answered<Answer>(ambient: Ambient, asked: Promise<Answer>): Promise<Answer | undefined> {
  const promise = asked.catch((): undefined => undefined);
  return first(ambient, { promise, waitMs: ANSWER_MS });
}

interface Wait<Answer> {
  promise: Promise<Answer>;
  waitMs: number;
  signal?: AbortSignal | undefined;
}

/** Undefined when the time limit or the signal comes first. */
async function first<Answer>(ambient: Ambient, { promise, waitMs, signal }: Wait<Answer>): Promise<Answer | undefined> {
  let cancel = (): void => undefined;
  let onAbort = (): void => undefined;
  const over = new Promise<undefined>((resolve) => {
    cancel = ambient.timer(waitMs, () => resolve(undefined));
    onAbort = () => resolve(undefined);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
