import { join } from 'node:path';
import type { AnswerPart, ModelEvent, VendorValue } from '@fucina/shared';
import { MAX_VENDOR_VALUE, openDatabase } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { finish } from '../testing.ts';

const vendor = (data: string): VendorValue => ({ provider: 'maker', model: 'thinker', data: JSON.stringify({ data }) });

/** Reasoning, text, reasoning without words, text and two calls, each with a value but the second text. */
const ANSWER: ModelEvent[] = [
  { type: 'reasoning', delta: 'One' },
  { type: 'reasoning', delta: ' thought.' },
  { type: 'reasoning-end', vendor: vendor('signed') },
  { type: 'text', delta: 'Look' },
  { type: 'text', delta: 'ing.' },
  { type: 'text-end', vendor: vendor('phase') },
  { type: 'reasoning-end', vendor: vendor('redacted') },
  { type: 'text', delta: 'And there.' },
  { type: 'text-end' },
  { type: 'tool-start', id: 'c1', name: 'leggi' },
  { type: 'tool-start', id: 'c2', name: 'leggi' },
  { type: 'tool-arguments', id: 'c2', delta: '{"percorso":"b.ts"}' },
  { type: 'tool-arguments', id: 'c1', delta: '{"percorso":"a.ts"}' },
  { type: 'tool-end', id: 'c1', vendor: vendor('first call') },
  { type: 'tool-end', id: 'c2', vendor: vendor('second call') },
  finish('tool-calls'),
];
const PARTS: AnswerPart[] = [
  { type: 'reasoning', text: 'One thought.', vendor: vendor('signed') },
  { type: 'text', text: 'Looking.', vendor: vendor('phase') },
  { type: 'reasoning', text: '', vendor: vendor('redacted') },
  { type: 'text', text: 'And there.' },
  { type: 'call', id: 'c1', name: 'read', arguments: '{"path":"a.ts"}', vendor: vendor('first call') },
  { type: 'call', id: 'c2', name: 'read', arguments: '{"path":"b.ts"}', vendor: vendor('second call') },
];

const lastAnswers = ({ model }: TestSessions): unknown[] =>
  (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'assistant');

test('an answer goes back in its order with what its vendor added: in its turn, the next, after a restart, in a copy', async () => {
  await using setup = await testSessions([{ events: ANSWER }]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  expect(lastAnswers(setup)).toEqual([{ role: 'assistant', parts: PARTS }]);
  const next = { role: 'assistant', parts: [{ type: 'text', text: 'done' }] };
  await setup.sessions.turns.resume(id, { message: 'again' });
  await setup.sessions.turns.settled(id);
  expect(lastAnswers(setup)).toEqual([{ role: 'assistant', parts: PARTS }, next]);
  await using later = await setup.reopen();
  const copy = await later.sessions.branches.fork(id);
  for (const session of [id, copy.sessionId]) {
    await later.sessions.turns.resume(session, { message: 'after' });
    await later.sessions.turns.settled(session);
    expect(lastAnswers(later)).toEqual([{ role: 'assistant', parts: PARTS }, next, next]);
  }
});

test('each part of a text is a message of its own, so that what is shown is in order', async () => {
  await using setup = await testSessions([{ events: ANSWER }]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const shown = (await setup.events(id)).flatMap((event) => {
    if (event.type === 'TextMessageContent' || event.type === 'ReasoningMessageContent') return [event.delta];
    return event.type === 'ToolCallStart' ? [event.toolCallId] : [];
  });
  expect(shown.slice(0, 6)).toEqual(['One', ' thought.', 'Look', 'ing.', 'And there.', 'c1']);
  const starts = (await setup.events(id)).flatMap((event) =>
    event.type === 'TextMessageStart' ? [event.messageId] : [],
  );
  expect(new Set(starts).size).toBe(3);
});

test.each([
  ['of the limit is kept', MAX_VENDOR_VALUE, 1],
  ['one character beyond it is dropped, and the answer goes on', MAX_VENDOR_VALUE + 1, 0],
])('a value %s', async (_name, length, count) => {
  const data = 'x'.repeat(length);
  const value = { provider: 'maker', model: 'thinker', data };
  await using setup = await testSessions([
    {
      events: [
        { type: 'reasoning', delta: 'hm' },
        { type: 'reasoning-end', vendor: value },
        { type: 'text', delta: 'a' },
        finish('stop'),
      ],
    },
  ]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  await setup.sessions.turns.resume(id, { message: 'again' });
  await setup.sessions.turns.settled(id);
  const [answer] = lastAnswers(setup) as { parts: AnswerPart[] }[];
  expect(answer?.parts.filter((part) => part.vendor)).toHaveLength(count);
  expect(answer?.parts.at(-1)).toEqual({ type: 'text', text: 'a' });
});

test('a session of an older version opens with its signatures, whose model is not known', async () => {
  await using setup = await testSessions([{ events: ANSWER }]);
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  await setup.sessions[Symbol.asyncDispose]();
  const db = openDatabase(join(setup.dir, 'sessions.db'), { migrations: MIGRATIONS });
  db.exec(`ALTER TABLE vendor_values DROP COLUMN model;
    ALTER TABLE vendor_values RENAME COLUMN part_id TO message_id;
    ALTER TABLE vendor_values RENAME TO proofs;
    PRAGMA user_version = 7;`);
  db.close();
  await using later = await setup.reopen();
  await later.sessions.turns.resume(id, { message: 'after' });
  await later.sessions.turns.settled(id);
  const [answer] = lastAnswers(later) as { parts: AnswerPart[] }[];
  expect(answer?.parts[0]?.vendor).toEqual({ provider: 'maker', model: '', data: '{"data":"signed"}' });
});
