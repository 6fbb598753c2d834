import { expect, test } from '@jest/globals';
import type { SessionRow } from '../../wire/records.ts';
import { attentionSince, seenOf } from './attention.ts';

const row = (facts: Partial<SessionRow> = {}): SessionRow =>
  ({
    sessionId: 's',
    padreId: null,
    conclusa: false,
    interrotta: false,
    inAttesaApprovazione: false,
    inAttesaDomanda: false,
    inAttesaPiano: false,
    inAttesaDiscendente: false,
    motivoChiusura: null,
    ultimaRispostaAlle: null,
    ...facts,
  }) as SessionRow;

const done = { conclusa: true, motivoChiusura: 'fine-lavoro' };
const kinds = (before: SessionRow[], after: SessionRow[]) =>
  attentionSince(seenOf(before), after).map(({ kind }) => kind);

test.each([
  ['waits for an approval', {}, { inAttesaApprovazione: true }, ['waiting']],
  ['waits for an answer', {}, { inAttesaDomanda: true }, ['waiting']],
  ['still waits', { inAttesaPiano: true }, { inAttesaPiano: true }, []],
  ['finishes', {}, done, ['finished']],
  ['finishes after it waited', { inAttesaApprovazione: true }, done, ['finished']],
  ['runs out of rounds', {}, { conclusa: true, motivoChiusura: 'giri-finiti' }, ['finished']],
  ['fails', {}, { conclusa: true, motivoChiusura: 'errore' }, ['failed']],
  ['is interrupted', {}, { interrotta: true }, ['failed']],
  ['is stopped by the user', {}, { conclusa: true, motivoChiusura: 'fermata' }, []],
  ['begins a turn', done, {}, []],
  ['stays finished', done, done, []],
  ['has a whole turn between two readings', done, { ...done, ultimaRispostaAlle: '2026-01-01' }, ['finished']],
  ['waits for an agent below it', {}, { inAttesaDiscendente: true }, []],
])('a session that %s is reported as expected', (_title, before, after, expected) => {
  expect(kinds([row(before)], [row(after)])).toEqual(expected);
});

test('an agent of another session is reported while it waits, not when it ends', () => {
  expect(kinds([row({ padreId: 'p' })], [row({ padreId: 'p', ...done })])).toEqual([]);
  expect(kinds([row({ padreId: 'p' })], [row({ padreId: 'p', inAttesaApprovazione: true })])).toEqual(['waiting']);
});

test('a session that appears is reported when it already waits or has finished', () => {
  expect(kinds([], [row()])).toEqual([]);
  expect(kinds([], [row(done)])).toEqual(['finished']);
  expect(kinds([], [row({ inAttesaApprovazione: true })])).toEqual(['waiting']);
});
