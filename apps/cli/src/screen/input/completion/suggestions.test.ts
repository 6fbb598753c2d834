import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Candidate } from './candidate.ts';
import { createSuggestions } from './suggestions.ts';
import { type Trigger, triggerAt } from './trigger.ts';

const at = (text: string): Trigger | undefined => triggerAt(text, text.length);

test('runs one search at a time and skips all but the latest query', async () => {
  const asked: string[] = [];
  const answers: ((found: readonly Candidate[]) => void)[] = [];
  const suggestions = createSuggestions({
    changed: () => undefined,
    candidates: ({ query }) => {
      asked.push(query);
      return new Promise((resolve) => answers.push(resolve));
    },
  });
  for (const text of ['@a', '@ab', '@abc']) suggestions.follow(at(text));
  expect(asked).toEqual(['a']);
  answers[0]?.([{ text: 'a', label: 'a' }]);
  await turn();
  expect([asked, suggestions.list()]).toEqual([['a', 'abc'], undefined]);
  answers[1]?.([{ text: 'abc', label: 'abc' }]);
  await turn();
  expect(suggestions.current()?.text).toBe('abc');
  suggestions.follow(at('@abcd'));
  expect([suggestions.current(), suggestions.list()?.candidates.length]).toEqual([undefined, 1]);
  suggestions.close();
  answers[2]?.([{ text: 'late', label: 'late' }]);
  await turn();
  expect(suggestions.list()).toBeUndefined();
});

test('a failed search gives no suggestions', async () => {
  const suggestions = createSuggestions({
    changed: () => undefined,
    candidates: () => Promise.reject(new Error('no')),
  });
  suggestions.follow(at('/a'));
  await turn();
  expect(suggestions.list()).toBeUndefined();
});

test.each([
  ['/mo', { kind: 'command', query: 'mo', from: 0, to: 3 }],
  ['/model oll', { kind: 'argument', command: 'model', query: 'oll', from: 7, to: 10 }],
  ['see @src/a', { kind: 'file', query: 'src/a', from: 4, to: 10 }],
  ['see @"a b', { kind: 'file', query: 'a b', from: 4, to: 9 }],
  ['(@x', { kind: 'file', query: 'x', from: 1, to: 3 }],
  ['mail me@example.com', undefined],
  ['and /or', undefined],
  ['two\n@lines', { kind: 'file', query: 'lines', from: 4, to: 10 }],
])('%j', (text, expected) => expect(at(text)).toEqual(expected));
