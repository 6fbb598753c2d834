import type { BudgetView } from '@fucina/host';
import { expect, test } from '@jest/globals';
import { translatorFor } from '../../words/index.ts';
import type { Notice } from '../workbench.ts';
import { type AfterTurnNeeds, createAfterTurn } from './after-turn.ts';

const STATE = { level: 'within', scope: 'session', unit: 'usd', spent: 0.9, limit: 1 } as BudgetView['state'];
const ANSWER = { kind: 'text', key: 'a' } as never;

function screen(own: Partial<Pick<AfterTurnNeeds, 'suggestsTitles'>> = {}) {
  const reported: Notice[] = [];
  const named: string[] = [];
  const now = { sessionId: 'one' as string | undefined, turn: 1, items: [ANSWER], state: STATE };
  const afterTurn = createAfterTurn({
    terminal: { say: translatorFor('en') },
    conversation: {
      sessionId: () => now.sessionId,
      state: () => ({ turn: now.turn, items: now.items }),
      tell: (notice) => void reported.push(notice),
    },
    services: Promise.resolve({
      usage: { budget: () => ({ state: now.state }) as BudgetView },
      sessionTitles: {
        async suggest(sessionId: string) {
          named.push(sessionId);
          throw new Error('the model is away');
        },
      },
    } as never),
    suggestsTitles: own.suggestsTitles ?? true,
    signal: new AbortController().signal,
    failed: (error) => {
      throw error;
    },
  });
  return { now, reported, named, afterTurn };
}

test('warns once when the budget is nearly used up, and again when it is reached', async () => {
  const one = screen();
  await one.afterTurn();
  expect(one.reported).toEqual([]);
  one.now.state = { ...STATE, level: 'warning' };
  await one.afterTurn();
  await one.afterTurn();
  one.now.state = { ...STATE, level: 'stopped', spent: 1.2 };
  await one.afterTurn();
  expect(one.reported).toEqual([
    { tone: 'warning', body: 'Budget almost used up: this session $0.90 of $1.00.' },
    { tone: 'danger', body: expect.stringMatching(/^Budget reached: this session \$1\.20 of \$1\.00\./) },
  ]);
});

test('asks for a title once, after the first answer of a new conversation', async () => {
  const one = screen();
  one.now.items = [];
  await one.afterTurn();
  expect(one.named).toEqual([]);
  one.now.items = [ANSWER];
  await one.afterTurn();
  await one.afterTurn();
  one.now.turn = 2;
  one.now.sessionId = 'other';
  await one.afterTurn();
  expect(one.named).toEqual(['one']);
});

test('asks for no title when that is turned off, and does nothing without a conversation', async () => {
  const one = screen({ suggestsTitles: false });
  await one.afterTurn();
  one.now.sessionId = undefined;
  one.now.state = { ...STATE, level: 'warning' };
  await one.afterTurn();
  expect([one.named, one.reported]).toEqual([[], []]);
});
