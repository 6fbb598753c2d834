import { describe, expect, test } from '@jest/globals';
import { type JournalEvent, type NewEvent, NO_SPEND, readJournal } from './journal.ts';
import { isQuotedIn } from './quote-check.ts';
import { foldRun } from './run-state.ts';

const at = '2026-01-01T00:00:00.000Z';
const fold = (...events: NewEvent[]) => foldRun(events.map((event) => ({ ...event, at }) as JournalEvent));
const spend = { tokens: 10, searches: 1, pages: 0 };
const plan: NewEvent[] = [
  { type: 'run_started', question: 'Q' },
  { type: 'plan_proposed', title: 'T', plan: [{ question: 'q', queries: ['a'] }], spend },
  { type: 'plan_approved' },
];
const step = { step: 'search-1', kind: 'search' as const, label: 'a' };
const hit = { url: 'https://a.example', title: 'A', snippet: '', publishedAt: null };
const found: NewEvent = { type: 'step_finished', ...step, result: { kind: 'search', hits: [hit] }, spend };
const source = (url: string) => ({
  url,
  title: url,
  publishedAt: null,
  accessedAt: at,
  obtained: 'page' as const,
  sha256: 'x',
});
const read = (number: number): NewEvent => ({
  type: 'step_finished',
  step: `read-${number}`,
  kind: 'read',
  label: '',
  result: { kind: 'read', source: source(`https://${number}.example`) },
  spend: NO_SPEND,
});

describe('the state of a run from its journal', () => {
  test('goes from the plan to the end', () => {
    expect(fold().state).toBe('planning');
    expect(fold(...plan.slice(0, 2)).state).toBe('awaiting_plan_approval');
    expect(fold(...plan).state).toBe('collecting');
    expect(fold(...plan, found)).toMatchObject({ hits: [hit], spend: { tokens: 20, searches: 2 } });
    expect(fold(...plan, { type: 'run_finished', state: 'done' }).state).toBe('done');
    expect(fold(...plan, { type: 'run_finished', state: 'senza-rapporto' }).state).toBe('failed');
  });

  test('counts a finished step once and ignores later events for it', () => {
    const once = fold(...plan, found);
    expect(fold(...plan, found, found, { type: 'step_started', ...step })).toEqual(once);
    expect(fold(...plan, found, { type: 'step_failed', ...step, reason: 'x', spend })).toEqual(once);
  });

  test('marks a running step as interrupted when the run ends', () => {
    expect(fold(...plan, { type: 'step_started', ...step }).steps[0]?.state).toBe('interrupted');
  });

  test('marks it as running while the run is active, unless it was interrupted before the run resumed', () => {
    const live = (...events: NewEvent[]) =>
      foldRun(
        events.map((event) => ({ ...event, at }) as JournalEvent),
        true,
      ).steps[0]?.state;
    expect(live(...plan, { type: 'step_started', ...step })).toBe('running');
    expect(live(...plan, { type: 'step_started', ...step }, { type: 'run_resumed' })).toBe('interrupted');
  });

  test('ignores events that are invalid in the current state', () => {
    expect(fold({ type: 'plan_approved' }).state).toBe('planning');
    expect(fold(...plan, { type: 'plan_proposed', title: 'Other', plan: [], spend }).title).toBe('T');
    const cancelled = fold(...plan, { type: 'run_cancelled' }, found, { type: 'run_resumed' });
    expect(cancelled).toMatchObject({ state: 'cancelled', hits: [] });
  });

  test('pauses and resumes', () => {
    expect(fold(...plan, { type: 'run_pause_requested' }).state).toBe('pause_requested');
    expect(fold(...plan, { type: 'run_pause_requested' }, found).state).toBe('pause_requested');
    expect(fold(...plan, { type: 'run_paused' }).state).toBe('paused');
    expect(fold(...plan, { type: 'run_paused' }, { type: 'run_resumed' }).state).toBe('collecting');
  });

  test('numbers sources in the order they were found', () => {
    const urls = (...events: NewEvent[]) => fold(...plan, ...events).sources.map(({ url }) => url);
    expect(urls(read(2), read(1), read(3))).toEqual(['https://1.example', 'https://2.example', 'https://3.example']);
    expect(urls(read(10), read(9))).toEqual(['https://9.example', 'https://10.example']);
  });

  test('skips malformed lines and counts them', () => {
    const line = JSON.stringify({ type: 'run_started', question: 'Q', at });
    const { events, skipped } = readJournal(`\n${line}\n{"type":"other"}\n\n${line.slice(0, 20)}\n${line}\n`);
    expect([events.length, skipped]).toEqual([2, 2]);
  });
});

describe('quotes checked against a source', () => {
  test.each([
    ['cools slowly and does not crack', true],
    ['COOLS  slowly,\nand does “not” crack', true],
    ['perche il ferro brucia', true],
    ['cools quickly', false],
    ['cools', false],
    ['', false],
  ])('%j: %j', (passage, isThere) => {
    expect(isQuotedIn(passage, 'Steel cools slowly and does not crack. Perché il ferro brucia.')).toBe(isThere);
  });
});
