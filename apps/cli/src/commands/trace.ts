import { messageReference } from '@fucina/conversation/reader';
import type { TracedStep, TracedTurn } from '@fucina/host';
import { cleanLine } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { duration } from '../duration.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { withHost } from '../open-host.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const NAME_WIDTH = 40;
const DEFAULT_COLUMNS = 80;
/** What the times, the name and a fact take of a line. */
const OTHER_COLUMNS = 56;
/** Of `59 min 59 s`. */
const TIME_WIDTH = 11;
const MIN_BAR = 12;
const MAX_BAR = 60;

/** What a turn spent its time on, as a waterfall: the latest turn, or the one with this number. */
export async function traceSession(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, err, say } = terminal;
  const number = flags.turn === undefined ? undefined : Number(flags.turn);
  const trace = await withHost(io, flags, async ({ services: { sessions } }) => {
    const turns = await sessions.turnTimes(id);
    const turn = number === undefined ? turns.at(-1) : turns[number - 1];
    return turn && sessions.turnTrace(id, messageReference(turn.seq));
  });
  if (!trace) {
    err(`fucina: ${say('trace.no-turn')}`);
    return EXIT.usage;
  }
  if (flags.json) {
    out(JSON.stringify({ trace }));
    return EXIT.done;
  }
  const now = (await io.ambient('error')).now();
  for (const line of waterfall(trace, now, terminal)) out(line);
  return EXIT.done;
}

function* waterfall(trace: TracedTurn, now: number, terminal: Terminal): Generator<string> {
  const { say, style, io } = terminal;
  const end = trace.end ?? now;
  const total = Math.max(1, end - trace.start);
  const outcome = say(`trace.${trace.outcome}`);
  yield `${style.bold(duration(total))} ${style.muted([outcome, trace.error ?? ''].filter(Boolean).join(' · '))}`;
  if (!trace.steps.length) yield style.muted(say('trace.none'));
  const width = (io.stdout.columns ?? DEFAULT_COLUMNS) - OTHER_COLUMNS;
  const axis = { start: trace.start, end, total, cells: Math.min(MAX_BAR, Math.max(MIN_BAR, width)) };
  const cells = trace.steps.map((step) => [
    { text: duration(Math.max(0, firstOf(step) - trace.start)).padStart(TIME_WIDTH), paint: style.muted },
    { text: duration((step.end ?? end) - firstOf(step)).padStart(TIME_WIDTH) },
    { text: barOf(step, axis), paint: step.outcome === 'failed' ? style.danger : style.accent },
    { text: `${'  '.repeat(step.depth)}${cleanLine(nameOf(step, terminal), NAME_WIDTH)}` },
    { text: factsOf(step, end, terminal), paint: step.error ? style.danger : style.muted },
  ]);
  yield* columns(cells);
  if (trace.omitted) yield style.muted(say('trace.more', { count: String(trace.omitted) }));
}

const firstOf = ({ start, wait }: TracedStep): number => Math.min(start, wait?.start ?? start);

interface Axis {
  start: number;
  end: number;
  total: number;
  cells: number;
}

/** `░` waiting for the user, `▒` until the first output of a model, `█` the rest. */
function barOf(step: TracedStep, axis: Axis): string {
  const bar = Array.from({ length: axis.cells }, () => ' ');
  const draw = (sign: string, from: number, to: number): void => {
    const cell = (at: number) => Math.floor(((at - axis.start) / axis.total) * axis.cells);
    const first = Math.min(axis.cells - 1, Math.max(0, cell(from)));
    bar.fill(sign, first, Math.max(first + 1, cell(to)));
  };
  const { kind, start, end = axis.end, wait, firstOutputAt } = step;
  const isWaiting = wait !== undefined && wait.end === undefined;
  if (!isWaiting) draw(kind === 'wait' ? '░' : '█', start, end);
  if (firstOutputAt !== undefined && firstOutputAt > start) draw('▒', start, firstOutputAt);
  if (wait) draw('░', wait.start, wait.end ?? axis.end);
  return bar.slice(0, axis.cells).join('');
}

function nameOf({ kind, name }: TracedStep, { say }: Terminal): string {
  if (kind === 'model') return name || say('trace.model');
  return kind === 'tool' ? name : say(`trace.${kind}`);
}

function factsOf({ tokens, wait, error, outcome, agentId }: TracedStep, end: number, { say }: Terminal): string {
  const waited = wait && say('trace.waited', { time: duration((wait.end ?? end) - wait.start) });
  const used = tokens && say('usage.tokens', { input: String(tokens.input), output: String(tokens.output) });
  const failed = error ?? (outcome === 'done' ? undefined : say(`trace.${outcome}`));
  return [used, waited, agentId, failed && cleanLine(failed, NAME_WIDTH)].filter(Boolean).join(' · ');
}
