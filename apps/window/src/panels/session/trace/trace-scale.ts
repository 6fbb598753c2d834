import type { TraceSpan, TraceStep, TurnTrace } from '../../../wire/records.ts';

/** A part of the whole, in percent. */
export interface Bar {
  left: number;
  width: number;
}

/** The length of the time axis: a running turn lasts until now. */
export function totalOf({ durationMs, steps }: TurnTrace, elapsedMs: number): number {
  const last = steps.reduce((most, step) => Math.max(most, step.endMs ?? step.startMs), 0);
  return Math.max(1, last, durationMs ?? elapsedMs);
}

/** Where a span is on the axis; an open one ends at its end. */
export function barOf({ startMs, endMs }: TraceSpan, total: number): Bar {
  const left = (Math.min(startMs, total) / total) * 100;
  return { left, width: (Math.min(endMs ?? total, total) / total) * 100 - left };
}

export const lengthOf = ({ startMs, endMs }: TraceSpan, total: number): number =>
  Math.max(0, (endMs ?? total) - startMs);

/** The time from the first step of a call to its end, with the wait for the user. */
export function wholeOf(step: TraceStep): TraceSpan {
  return { startMs: Math.min(step.startMs, step.userWait?.startMs ?? step.startMs), endMs: step.endMs };
}

/** How long at least one step of the turn itself was of this kind: parallel steps count once. */
export function sumOf(spans: readonly TraceSpan[], total: number): number {
  let sum = 0;
  let until = 0;
  for (const { startMs, endMs } of [...spans].sort((one, other) => one.startMs - other.startMs)) {
    const end = endMs ?? total;
    sum += Math.max(0, end - Math.max(startMs, until));
    until = Math.max(until, end);
  }
  return sum;
}

const isRunTime = ({ outcome, userWait }: TraceStep): boolean =>
  outcome !== 'running' || !userWait || userWait.endMs !== null;

/** Times of the turn's own steps by what they were spent on. */
export function sumsOf({ steps }: TurnTrace, total: number): { model: number; tools: number; user: number } {
  const own = steps.filter(({ level }) => level === 0);
  const ofKind = (kind: TraceStep['kind']) => own.filter((step) => step.kind === kind);
  const waits = own.flatMap(({ userWait }) => userWait ?? []);
  return {
    model: sumOf(ofKind('model'), total),
    tools: sumOf(ofKind('tool').filter(isRunTime), total),
    user: sumOf([...waits, ...ofKind('waiting')], total),
  };
}
