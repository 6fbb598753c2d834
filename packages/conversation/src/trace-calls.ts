import { callGroups } from './call-order.ts';
import type { TraceStep } from './trace-step.ts';

/** What says when the calls of a turn began and ended. */
export interface TracedCalls {
  steps: TraceStep[];
  /** The model call that is open. */
  model: TraceStep | undefined;
  /** When the last of its answer arrived. */
  lastOutputAt: number;
  /** All calls of the latest answer of the model, in its order. Those of an external agent are not among them. */
  answer: TraceStep[];
}

/**
 * A call is announced while the model still writes. It begins after that, after the calls that run before it, and after
 * the user's answer. Undefined if it has not begun.
 */
export function begunAt(tracer: TracedCalls, step: TraceStep): number | undefined {
  const { start, wait } = step;
  const before = tracer.steps.findLast(({ kind, end }) => kind === 'model' && end !== undefined)?.end ?? start;
  const begun = Math.max(start, before, wait?.end ?? wait?.start ?? start);
  if (wait || !tracer.answer.includes(step)) return begun;
  // The receipt of the model call may be stored a little after the calls began.
  if (tracer.model && !tracer.answer.some(hasRun)) return undefined;
  const ends = callsBefore(tracer, step).map(({ end }) => end ?? Number.POSITIVE_INFINITY);
  const after = Math.max(begun, ...ends);
  return after === Number.POSITIVE_INFINITY ? undefined : after;
}

const hasRun = ({ wait, start, end }: TraceStep): boolean => wait !== undefined || (end !== undefined && end > start);

/** The calls of the answer that end before this one begins. */
function callsBefore({ answer }: TracedCalls, step: TraceStep): readonly TraceStep[] {
  const groups = callGroups(answer);
  return groups
    .slice(
      0,
      groups.findIndex((group) => group.includes(step)),
    )
    .flat();
}

/** The receipt of a call may be stored a little after its end, but never after its tools began. */
export function clampModel(tracer: TracedCalls, { start }: TraceStep): void {
  const before = tracer.steps.findLast((step) => step.kind === 'model' && step.end !== undefined);
  if (before?.end !== undefined && before.end > start && tracer.lastOutputAt <= start) before.end = start;
}

/** The result of a call is stored a little after the model was asked with it. */
export function endBy(call: TraceStep, at: number): void {
  const late = (call.end ?? at) - at;
  if (late > 0) Object.assign(call, { start: call.start - late, end: at });
}
