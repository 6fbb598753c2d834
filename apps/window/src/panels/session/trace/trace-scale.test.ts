import { expect, test } from '@jest/globals';
import type { TraceStep, TurnTrace } from '../../../wire/records.ts';
import { barOf, sumOf, sumsOf, totalOf } from './trace-scale.ts';

const step = (facts: Partial<TraceStep>): TraceStep => ({
  kind: 'model',
  name: 'm',
  level: 0,
  startMs: 0,
  endMs: 100,
  outcome: 'succeeded',
  error: null,
  firstOutputMs: null,
  token: null,
  costUsd: null,
  userWait: null,
  toolCallId: null,
  sessionId: null,
  ...facts,
});
const turn = (steps: TraceStep[], durationMs: number | null = 1_000): TurnTrace => ({
  reference: 'giro:1',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs,
  outcome: durationMs === null ? 'running' : 'succeeded',
  error: null,
  steps,
  more: 0,
});

test('a running turn lasts until now', () => {
  expect(totalOf(turn([], null), 700)).toBe(700);
  expect(totalOf(turn([step({ endMs: 900 })], null), 700)).toBe(900);
  expect(totalOf(turn([]), 0)).toBe(1_000);
  expect(totalOf(turn([], 0), 0)).toBe(1);
});

test('an open span ends at the end of the axis', () => {
  expect(barOf({ startMs: 250, endMs: null }, 1_000)).toEqual({ left: 25, width: 75 });
  expect(barOf({ startMs: 250, endMs: 500 }, 1_000)).toEqual({ left: 25, width: 25 });
});

test('parallel steps count once', () => {
  const spans = [
    { startMs: 0, endMs: 100 },
    { startMs: 50, endMs: 80 },
    { startMs: 90, endMs: 200 },
    { startMs: 400, endMs: null },
  ];
  expect(sumOf(spans, 500)).toBe(300);
});

test('times are counted by what they were spent on, without those of sub-agents', () => {
  const tool = { kind: 'tool' as const, startMs: 500, endMs: 600 };
  const steps = [
    step({ endMs: 100 }),
    step({ ...tool, userWait: { startMs: 150, endMs: 450 } }),
    step({ level: 1, startMs: 510, endMs: 590 }),
    step({ kind: 'waiting', startMs: 700, endMs: 800 }),
  ];
  expect(sumsOf(turn(steps), 1_000)).toEqual({ model: 100, tools: 100, user: 400 });
});

test('a call that waits for the user has not run yet', () => {
  const waiting = step({
    kind: 'tool',
    startMs: 100,
    endMs: null,
    outcome: 'running',
    userWait: { startMs: 100, endMs: null },
  });
  expect(sumsOf(turn([waiting], null), 500)).toEqual({ model: 0, tools: 0, user: 400 });
});
