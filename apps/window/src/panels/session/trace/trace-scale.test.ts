import { expect, test } from '@jest/globals';
import type { TraceStep, TurnTrace } from '../../../wire/records.ts';
import { barOf, sumOf, sumsOf, totalOf } from './trace-scale.ts';

const step = (facts: Partial<TraceStep>): TraceStep => ({
  tipo: 'modello',
  nome: 'm',
  livello: 0,
  inizioMs: 0,
  fineMs: 100,
  esito: 'riuscito',
  errore: null,
  primoOutputMs: null,
  token: null,
  costoUsd: null,
  attesaUtente: null,
  toolCallId: null,
  sessionId: null,
  ...facts,
});
const turn = (passi: TraceStep[], durataMs: number | null = 1_000): TurnTrace => ({
  riferimento: 'giro:1',
  iniziatoAlle: '2026-01-01T00:00:00.000Z',
  durataMs,
  esito: durataMs === null ? 'in-corso' : 'riuscito',
  errore: null,
  passi,
  altri: 0,
});

test('a running turn lasts until now', () => {
  expect(totalOf(turn([], null), 700)).toBe(700);
  expect(totalOf(turn([step({ fineMs: 900 })], null), 700)).toBe(900);
  expect(totalOf(turn([]), 0)).toBe(1_000);
  expect(totalOf(turn([], 0), 0)).toBe(1);
});

test('an open span ends at the end of the axis', () => {
  expect(barOf({ inizioMs: 250, fineMs: null }, 1_000)).toEqual({ left: 25, width: 75 });
  expect(barOf({ inizioMs: 250, fineMs: 500 }, 1_000)).toEqual({ left: 25, width: 25 });
});

test('parallel steps count once', () => {
  const spans = [
    { inizioMs: 0, fineMs: 100 },
    { inizioMs: 50, fineMs: 80 },
    { inizioMs: 90, fineMs: 200 },
    { inizioMs: 400, fineMs: null },
  ];
  expect(sumOf(spans, 500)).toBe(300);
});

test('times are counted by what they were spent on, without those of sub-agents', () => {
  const tool = { tipo: 'strumento' as const, inizioMs: 500, fineMs: 600 };
  const steps = [
    step({ fineMs: 100 }),
    step({ ...tool, attesaUtente: { inizioMs: 150, fineMs: 450 } }),
    step({ livello: 1, inizioMs: 510, fineMs: 590 }),
    step({ tipo: 'attesa', inizioMs: 700, fineMs: 800 }),
  ];
  expect(sumsOf(turn(steps), 1_000)).toEqual({ model: 100, tools: 100, user: 400 });
});

test('a call that waits for the user has not run yet', () => {
  const waiting = step({
    tipo: 'strumento',
    inizioMs: 100,
    fineMs: null,
    esito: 'in-corso',
    attesaUtente: { inizioMs: 100, fineMs: null },
  });
  expect(sumsOf(turn([waiting], null), 500)).toEqual({ model: 0, tools: 0, user: 400 });
});
