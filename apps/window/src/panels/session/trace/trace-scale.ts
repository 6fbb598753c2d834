import type { TraceSpan, TraceStep, TurnTrace } from '../../../wire/records.ts';

/** A part of the whole, in percent. */
export interface Bar {
  left: number;
  width: number;
}

/** The length of the time axis: a running turn lasts until now. */
export function totalOf({ durataMs, passi }: TurnTrace, elapsedMs: number): number {
  const last = passi.reduce((most, step) => Math.max(most, step.fineMs ?? step.inizioMs), 0);
  return Math.max(1, last, durataMs ?? elapsedMs);
}

/** Where a span is on the axis; an open one ends at its end. */
export function barOf({ inizioMs, fineMs }: TraceSpan, total: number): Bar {
  const left = (Math.min(inizioMs, total) / total) * 100;
  return { left, width: (Math.min(fineMs ?? total, total) / total) * 100 - left };
}

export const lengthOf = ({ inizioMs, fineMs }: TraceSpan, total: number): number =>
  Math.max(0, (fineMs ?? total) - inizioMs);

/** The time from the first step of a call to its end, with the wait for the user. */
export function wholeOf(step: TraceStep): TraceSpan {
  return { inizioMs: Math.min(step.inizioMs, step.attesaUtente?.inizioMs ?? step.inizioMs), fineMs: step.fineMs };
}

/** How long at least one step of the turn itself was of this kind: parallel steps count once. */
export function sumOf(spans: readonly TraceSpan[], total: number): number {
  let sum = 0;
  let until = 0;
  for (const { inizioMs, fineMs } of [...spans].sort((one, other) => one.inizioMs - other.inizioMs)) {
    const end = fineMs ?? total;
    sum += Math.max(0, end - Math.max(inizioMs, until));
    until = Math.max(until, end);
  }
  return sum;
}

const isRunTime = ({ esito, attesaUtente }: TraceStep): boolean =>
  esito !== 'in-corso' || !attesaUtente || attesaUtente.fineMs !== null;

/** Times of the turn's own steps by what they were spent on. */
export function sumsOf({ passi }: TurnTrace, total: number): { model: number; tools: number; user: number } {
  const own = passi.filter(({ livello }) => livello === 0);
  const ofKind = (kind: TraceStep['tipo']) => own.filter(({ tipo }) => tipo === kind);
  const waits = own.flatMap(({ attesaUtente }) => attesaUtente ?? []);
  return {
    model: sumOf(ofKind('modello'), total),
    tools: sumOf(ofKind('strumento').filter(isRunTime), total),
    user: sumOf([...waits, ...ofKind('attesa')], total),
  };
}
