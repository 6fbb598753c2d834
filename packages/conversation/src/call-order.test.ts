import { expect, test } from '@jest/globals';
import { type Conversation, EMPTY, findItem } from './conversation.ts';
import type { SessionEvent } from './events.ts';
import { fold } from './fold.ts';

const START: SessionEvent = { type: 'RunStarted', threadId: 's', runId: 'r', input: { message: 'Go' } };
const called = (toolCallId: string, toolCallName: string, parentMessageId?: string): SessionEvent => ({
  type: 'ToolCallStart',
  toolCallId,
  toolCallName,
  ...(parentMessageId !== undefined && { parentMessageId }),
  startedAtMs: 1_000,
});
const result = (toolCallId: string, durationMs = 0): SessionEvent => ({
  type: 'ToolCallResult',
  messageId: 'm',
  toolCallId,
  content: 'done',
  role: 'tool',
  durationMs,
});

let sequence = 0;
const after = (before: Conversation, ...events: readonly SessionEvent[]): Conversation =>
  fold(
    before,
    events.map((event) => ({ ...event, sequence: (sequence += 1) })),
  );
const queued = ({ items }: Conversation) =>
  items.flatMap((item) => (item.kind === 'tool' && item.isQueued ? [item.key] : []));
const startOf = (conversation: Conversation, key: string) => findItem(conversation, 'tool', key)?.startedAt;

test('calls that run one at a time wait for those before them, and reads do not', () => {
  const reads = after(EMPTY, START, called('a', 'leggi', 'm'), called('b', 'cerca', 'm'));
  expect(queued(reads)).toEqual([]);
  const all = after(reads, called('c', 'shell', 'm'), called('d', 'mcp__x__y', 'm'), called('e', 'leggi', 'm'));
  expect(queued(all)).toEqual(['c', 'd', 'e']);
  const first = after(all, result('b', 300));
  expect(queued(first)).toEqual(['c', 'd', 'e']);
  const shell = after(first, result('a', 500));
  expect(queued(shell)).toEqual(['d', 'e']);
  // The end of the last call before it, as nearly as events say.
  expect(startOf(shell, 'c')).toBe(1_500);
  expect(startOf(shell, 'd')).toBe(1_000);
  const next = after(shell, result('c', 2_000));
  expect(queued(next)).toEqual(['e']);
  expect(startOf(next, 'd')).toBe(3_500);
  expect(queued(after(next, result('d')))).toEqual([]);
});

test('of many reads the ninth waits for the first eight', () => {
  const reads = 'abcdefghi'.split('').map((key) => called(key, 'leggi', 'm'));
  const all = after(EMPTY, START, ...reads);
  expect(queued(all)).toEqual(['i']);
  const almost = after(all, ...'abcdefg'.split('').map((key) => result(key)));
  expect(queued(almost)).toEqual(['i']);
  expect(queued(after(almost, result('h')))).toEqual([]);
});

test('calls of an external agent run when they are announced', () => {
  expect(queued(after(EMPTY, START, called('a', 'shell'), called('b', 'shell')))).toEqual([]);
});

test('a call whose approval is asked, or that prints, has begun', () => {
  const calls = after(EMPTY, START, called('a', 'forge_x', 'm'), called('b', 'shell', 'm'), called('c', 'prova', 'm'));
  const asked = after(calls, { type: 'ApprovalRequested', requestId: 'q', action: { kind: 'shell' } });
  expect(queued(asked)).toEqual(['c']);
  expect(queued(after(asked, { type: 'ToolCallOutput', toolCallId: 'c', delta: 'x' }))).toEqual([]);
});

test('the end of a turn leaves no call waiting', () => {
  const calls = after(EMPTY, START, called('a', 'shell', 'm'), called('b', 'shell', 'm'));
  const stopped = after(calls, { type: 'RunError', message: 'Stopped', code: 'stopped' });
  expect(queued(stopped)).toEqual([]);
  expect(findItem(stopped, 'tool', 'b')).toMatchObject({ isOver: true, outcome: undefined });
});

test('a call of the next answer does not wait for what came before', () => {
  const first = after(EMPTY, START, called('a', 'shell', 'm'), result('a'), called('b', 'shell', 'n'));
  expect(queued(first)).toEqual([]);
});
