import { expect, test } from '@jest/globals';
import type { SessionRow } from '../../wire/records.ts';
import { attentionSince, seenOf } from './attention.ts';

const row = (facts: Partial<SessionRow> = {}): SessionRow =>
  ({
    sessionId: 's',
    parentId: null,
    isConcluded: false,
    isInterrupted: false,
    waitsForApproval: false,
    waitsForQuestion: false,
    waitsForPlan: false,
    waitsForDescendant: false,
    closingReason: null,
    lastAnswerAt: null,
    ...facts,
  }) as SessionRow;

const done = { isConcluded: true, closingReason: 'finished' };
const kinds = (before: SessionRow[], after: SessionRow[]) =>
  attentionSince(seenOf(before), after).map(({ kind }) => kind);

test.each([
  ['waits for an approval', {}, { waitsForApproval: true }, ['waiting']],
  ['waits for an answer', {}, { waitsForQuestion: true }, ['waiting']],
  ['still waits', { waitsForPlan: true }, { waitsForPlan: true }, []],
  ['finishes', {}, done, ['finished']],
  ['finishes after it waited', { waitsForApproval: true }, done, ['finished']],
  ['runs out of rounds', {}, { isConcluded: true, closingReason: 'step-limit' }, ['finished']],
  ['fails', {}, { isConcluded: true, closingReason: 'error' }, ['failed']],
  ['is interrupted', {}, { isInterrupted: true }, ['failed']],
  ['is stopped by the user', {}, { isConcluded: true, closingReason: 'stopped' }, []],
  ['begins a turn', done, {}, []],
  ['stays finished', done, done, []],
  ['has a whole turn between two readings', done, { ...done, lastAnswerAt: '2026-01-01' }, ['finished']],
  ['waits for an agent below it', {}, { waitsForDescendant: true }, []],
])('a session that %s is reported as expected', (_title, before, after, expected) => {
  expect(kinds([row(before)], [row(after)])).toEqual(expected);
});

test('an agent of another session is reported while it waits, not when it ends', () => {
  expect(kinds([row({ parentId: 'p' })], [row({ parentId: 'p', ...done })])).toEqual([]);
  expect(kinds([row({ parentId: 'p' })], [row({ parentId: 'p', waitsForApproval: true })])).toEqual(['waiting']);
});

test('a session that appears is reported when it already waits or has finished', () => {
  expect(kinds([], [row()])).toEqual([]);
  expect(kinds([], [row(done)])).toEqual(['finished']);
  expect(kinds([], [row({ waitsForApproval: true })])).toEqual(['waiting']);
});
