import type { SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createLastWords } from './last-words.ts';

const said = (...deltas: string[]): SessionEvent[] => [
  { type: 'TextMessageStart', messageId: 'm', role: 'assistant' } as SessionEvent,
  ...deltas.map((delta): SessionEvent => ({ type: 'TextMessageContent', messageId: 'm', delta })),
];

function wordsAfter(...events: SessionEvent[]) {
  const words = createLastWords();
  events.forEach((event, at) => words.apply(event, at));
  return words;
}

test('the last line is the last one with text, also while it streams and across messages', () => {
  expect(wordsAfter(...said('First\nSec', 'ond li')).line()).toBe('Second li');
  expect(wordsAfter(...said('Done:\n```\n', '---\n  \n')).line()).toBe('Done:');
  expect(wordsAfter(...said('One'), ...said('')).line()).toBe('One');
  expect(wordsAfter(...said(`${'x'.repeat(500)}`, 'y')).line()).toBe('x'.repeat(300));
});

test('a new turn has no line, tool or end yet', () => {
  const started: SessionEvent = { type: 'RunStarted', threadId: 't', runId: 'r' };
  const call: SessionEvent = { type: 'ToolCallStart', toolCallId: 'c', toolCallName: 'shell' };
  const words = wordsAfter(started, ...said('One'), call);
  expect([words.line(), words.tool(), words.startedAt(), words.endedAt()]).toEqual(['One', 'shell', 0, null]);
  words.apply({ type: 'RunFinished', threadId: 't', runId: 'r' } as SessionEvent, 9);
  expect([words.line(), words.tool(), words.endedAt()]).toEqual(['One', null, 9]);
  words.apply(started, 10);
  expect([words.line(), words.tool(), words.startedAt(), words.endedAt()]).toEqual([null, null, 10, null]);
});
