import type { SessionEvent } from '@fucina/conversation';
import { describe, expect, test } from '@jest/globals';
import { createSessionReader, turnTokens } from './state.ts';

const START: SessionEvent = { type: 'RunStarted', threadId: 't', runId: 'r', input: { message: 'fix it' } };
const ASK: SessionEvent = { type: 'ApprovalRequested', requestId: 'q', action: { kind: 'shell', command: 'ls' } };
const END: SessionEvent = { type: 'RunFinished', threadId: 't', runId: 'r' };
const custom = (name: string, value: unknown): SessionEvent => ({ type: 'CUSTOM', name, value });
const elicited = (requestId: string, more: object = {}): SessionEvent =>
  custom('svc.mcp-elicitation', { requestId, state: 'waiting', server: 's', message: 'm', ...more });

function readerOf(...events: readonly SessionEvent[]) {
  const reader = createSessionReader();
  reader.take(events);
  return reader;
}

describe('session state', () => {
  test('is the same object until something changes', () => {
    const reader = readerOf({ ...START, sequence: 1 } as SessionEvent);
    const state = reader.state();
    reader.take([{ ...START, sequence: 1 }]);
    expect(reader.state()).toBe(state);
    reader.take([{ ...END, sequence: 2 }]);
    expect(reader.state()).not.toBe(state);
    expect(reader.lastSequence()).toBe(2);
  });

  test('places a notice after the existing items and before later ones', () => {
    const reader = readerOf(START);
    reader.notify({ tone: 'info', body: 'one' });
    reader.notify({ tone: 'info', body: 'two' });
    reader.take([END]);
    reader.notify({ tone: 'info', body: 'three' });
    const bodies = reader.state().items.map((item) => (item.kind === 'notice' ? item.notice.body : item.kind));
    expect(bodies).toEqual(['user', 'one', 'two', 'end', 'three']);
  });
});

describe('the pending card', () => {
  const questions = [{ id: 'colour', question: 'Which?', why: 'because' }];
  const plan = { requestId: 'p', hash: 'sha256:1', content: '# Do', status: 'proposed' };

  test('shows an approval, questions or a plan until it is answered', () => {
    expect(readerOf(START, ASK).state().pending).toEqual({
      kind: 'approval',
      requestId: 'q',
      action: { kind: 'shell', command: 'ls' },
    });
    const asked: SessionEvent = { type: 'UserQuestionRequested', requestId: 'q', questions };
    expect(readerOf(START, asked).state().pending).toEqual({ kind: 'questions', requestId: 'q', questions });
    const open = readerOf(START, custom('svc.plan', plan));
    expect(open.state().pending).toEqual({ kind: 'plan', requestId: 'p', hash: 'sha256:1', content: '# Do' });
    open.take([custom('svc.plan', { ...plan, status: 'approved' })]);
    expect(open.state().pending).toBeUndefined();
  });

  test('shows requests of MCP servers first, oldest first', () => {
    const reader = readerOf(START, ASK, elicited('one', { schema: 'odd' }), elicited('two', { url: 'https://a.b' }));
    expect(reader.state().pending).toEqual({
      kind: 'elicitation',
      requestId: 'one',
      server: 's',
      message: 'm',
      form: {},
    });
    reader.take([custom('svc.mcp-elicitation', { requestId: 'one', state: 'answered', action: 'accept' })]);
    expect(reader.state().pending).toMatchObject({ requestId: 'two', url: 'https://a.b' });
  });
});

test('a command answered without the model uses no tokens', () => {
  const usage = { prompt_tokens: 350, completion_tokens: 30, cached_tokens: null, steps: 1 };
  expect(turnTokens({ usage, isLocalTurn: false })).toBe(380);
  expect(turnTokens({ usage, isLocalTurn: true })).toBeUndefined();
});
