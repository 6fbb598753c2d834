import { describe, expect, test } from '@jest/globals';
import { type Conversation, cardOf, EMPTY } from './conversation.ts';
import { REPLAY_END, type SessionEvent, type StreamEvent } from './events.ts';
import { fold } from './fold.ts';
import type { Item } from './items.ts';

const START: SessionEvent = {
  type: 'RunStarted',
  threadId: 't',
  runId: 'r',
  input: { message: 'fix it' },
  context: { project: 'p', folder: '/p', branch: 'main' },
};
const END: SessionEvent = { type: 'RunFinished', threadId: 't', runId: 'r' };
const custom = (name: string, value: unknown): SessionEvent => ({ type: 'CUSTOM', name, value });
const call = (id: string, name: string): SessionEvent => ({
  type: 'ToolCallStart',
  toolCallId: id,
  toolCallName: name,
});
const args = (id: string, value: object): SessionEvent => ({
  type: 'ToolCallArgs',
  toolCallId: id,
  delta: JSON.stringify(value),
});
const result = (id: string, more: object = {}): SessionEvent => ({
  type: 'ToolCallResult',
  messageId: `m-${id}`,
  toolCallId: id,
  content: 'done',
  role: 'tool',
  ...more,
});

/** Each event one second after the previous one. */
const stored = (event: SessionEvent, index: number): StreamEvent => ({
  ...event,
  sequence: index + 1,
  storedAt: (index + 1) * 1_000,
});
const stateOf = (...events: SessionEvent[]): Conversation => fold(EMPTY, events.map(stored));
const liveState = (...events: SessionEvent[]): Conversation => fold(fold(EMPTY, [REPLAY_END]), events.map(stored));
const ofKind = <Kind extends Item['kind']>(state: Conversation, kind: Kind) =>
  state.items.filter((item): item is Extract<Item, { kind: Kind }> => item.kind === kind);

describe('a turn', () => {
  test('starts with the user’s message and ends with its result', () => {
    const state = stateOf(START, END);
    expect(state).toMatchObject({ isRunning: false, branch: 'main', lastSequence: 2 });
    expect(state.items).toMatchObject([
      { kind: 'user', text: 'fix it', images: [] },
      { kind: 'end', outcome: 'done', durationMs: 1_000, changedFiles: 0 },
    ]);
  });

  test.each([
    ['stopped', 'stopped'],
    ['step-limit', 'exhausted'],
    ['SESSION_INTERRUPTED', 'interrupted'],
    ['MODEL_CALL_FAILED', 'failed'],
  ])('that ends with %s is %s', (code, outcome) => {
    const state = stateOf(START, { type: 'RunError', message: 'm', code, errorClass: 'network' });
    expect(ofKind(state, 'end')).toMatchObject([{ outcome, code, failureClass: 'network' }]);
  });

  test('resumes after an interruption without a message', () => {
    const { input: _none, ...going } = START as Extract<SessionEvent, { type: 'RunStarted' }>;
    expect(stateOf(going).items).toMatchObject([{ kind: 'resumed' }]);
  });

  test('closed twice ends once, and a command answered without the model has no end', () => {
    expect(ofKind(stateOf(START, END, END), 'end')).toHaveLength(1);
    const aside: SessionEvent = {
      type: 'RunStarted',
      threadId: 't',
      runId: 'r',
      input: { message: '/x', command: 'x' },
    };
    expect(ofKind(stateOf(aside, END), 'end')).toHaveLength(0);
  });

  test('leaves no open item at its end', () => {
    const state = stateOf(
      START,
      { type: 'TextMessageContent', messageId: 'a', delta: 'half' },
      { type: 'ReasoningMessageContent', messageId: 'b', delta: 'why' },
      call('c', 'shell'),
      { type: 'ApprovalRequested', requestId: 'q', action: { kind: 'shell' } },
      { type: 'RunError', message: '', code: 'stopped' },
    );
    expect(state.waiting).toEqual([]);
    expect(ofKind(state, 'text')[0]).toMatchObject({ isOpen: false });
    expect(ofKind(state, 'reasoning')[0]).toMatchObject({ isOpen: false });
    const [tool] = ofKind(state, 'tool');
    expect(tool).toMatchObject({ isOver: true });
    expect(tool?.outcome).toBeUndefined();
  });
});

describe('messages', () => {
  test('are joined in order with their duration', () => {
    const state = stateOf(
      START,
      { type: 'ReasoningMessageStart', messageId: 'r', role: 'reasoning' },
      { type: 'ReasoningMessageContent', messageId: 'r', delta: 'think' },
      { type: 'ReasoningMessageEnd', messageId: 'r' },
      { type: 'TextMessageStart', messageId: 'a', role: 'assistant' },
      { type: 'TextMessageContent', messageId: 'a', delta: 'Hello ' },
      { type: 'TextMessageContent', messageId: 'a', delta: 'there' },
      { type: 'TextMessageEnd', messageId: 'a' },
    );
    expect(state.items.slice(1)).toMatchObject([
      { kind: 'reasoning', text: 'think', isOpen: false, startedAt: 2_000, endedAt: 4_000 },
      { kind: 'text', text: 'Hello there', isOpen: false },
    ]);
  });

  test('from the queue and steering stay where they were sent', () => {
    const redirect = { redirectId: 'd', text: 'no, blue' };
    const asked = stateOf(START, { type: 'RunRedirectRequested', ...redirect });
    expect(asked.items.at(-1)).toMatchObject({ kind: 'user', text: 'no, blue', steer: 'asked' });
    for (const [event, steer] of [
      [{ type: 'RunRedirectApplied', ...redirect }, 'applied'],
      [{ type: 'RunRedirectCancelled', redirectId: 'd' }, 'cancelled'],
      [{ type: 'RunRedirectFailed', redirectId: 'd', message: '' }, 'failed'],
    ] as const) {
      const state = stateOf(START, { type: 'RunRedirectRequested', ...redirect }, event);
      expect(ofKind(state, 'user').map((item) => item.steer)).toEqual([undefined, steer]);
    }
    const queued = stateOf(START, { type: 'QueuedMessageDelivered', text: 'and then' });
    expect(queued.items.at(-1)).toMatchObject({ kind: 'user', text: 'and then' });
  });

  test('are marked when removed', () => {
    const state = stateOf(
      START,
      { type: 'TextMessageContent', messageId: 'a', delta: 'x' },
      END,
      custom('svc.message-removed', { reference: 'giro:1' }),
      custom('svc.message-removed', { reference: 'a' }),
    );
    expect(state.items.slice(0, 2)).toMatchObject([{ isRemoved: true }, { isRemoved: true }]);
  });
});

describe('a tool call', () => {
  test('has its arguments, output, changes and result', () => {
    const state = stateOf(
      START,
      call('c', 'scrivi'),
      args('c', { percorso: 'a.ts' }),
      { type: 'ToolCallOutput', toolCallId: 'c', delta: 'one\n' },
      {
        type: 'StateDelta',
        delta: [
          { op: 'add', path: '/file/a.ts', value: 'new' },
          { op: 'replace', path: '/file/b~1c.ts', value: 'after', before: 'before' },
          { op: 'replace', path: '/file/big.ts' },
          { op: 'remove', path: '/file/gone.ts', before: 'was' },
        ],
      },
      result('c', { durationMs: 30, command: 'x', exitCode: 2, isFailed: true }),
      END,
    );
    expect(ofKind(state, 'tool')).toMatchObject([
      {
        name: 'scrivi',
        args: '{"percorso":"a.ts"}',
        output: 'one\n',
        isOver: true,
        outcome: { content: 'done', durationMs: 30, command: 'x', exitCode: 2, isFailed: true },
        changes: [
          { path: 'a.ts', before: null, after: 'new', isTooLarge: false },
          { path: 'b/c.ts', before: 'before', after: 'after', isTooLarge: false },
          { path: 'big.ts', after: null, isTooLarge: true },
          { path: 'gone.ts', before: 'was', after: null, isTooLarge: false },
        ],
      },
    ]);
    expect(ofKind(state, 'end')).toMatchObject([{ changedFiles: 4 }]);
  });

  test('keeps the end of a long output and counts the dropped lines', () => {
    const delta = `${'x'.repeat(99)}\n`;
    const prints = Array.from(
      { length: 2_000 },
      (): SessionEvent => ({ type: 'ToolCallOutput', toolCallId: 'c', delta }),
    );
    const [tool] = ofKind(stateOf(START, call('c', 'shell'), ...prints), 'tool');
    expect(tool?.output.length).toBeLessThanOrEqual(64_000);
    expect((tool?.output.split('\n').length ?? 0) - 1 + (tool?.droppedLines ?? 0)).toBe(2_000);
  });

  test('waits for approval and records the answer', () => {
    const ask: SessionEvent = { type: 'ApprovalRequested', requestId: 'q', action: { kind: 'shell', command: 'ls' } };
    const asked = stateOf(START, call('c', 'shell'), call('d', 'shell'), ask);
    expect(asked.waiting).toEqual(['q']);
    expect(cardOf(asked, 'q')).toMatchObject({ kind: 'approval', action: { kind: 'shell', command: 'ls' } });
    expect(ofKind(asked, 'tool').map(({ approval }) => approval)).toEqual(['waiting', undefined]);
    const denied = stateOf(START, call('c', 'shell'), ask, {
      type: 'ApprovalResolved',
      requestId: 'q',
      isApproved: false,
    });
    expect(denied.waiting).toEqual([]);
    expect(ofKind(denied, 'tool')[0]?.approval).toBe('denied');
    const stopped = stateOf(START, call('c', 'shell'), ask, {
      type: 'ApprovalResolved',
      requestId: 'q',
      isApproved: false,
      isInterrupted: true,
    });
    expect(ofKind(stopped, 'tool')[0]?.approval).toBe('gone');
  });

  test('can continue in the background', () => {
    const begun = custom('svc.background-process', { toolCallId: 'c', phase: 'start', from: 'user' });
    const ended = custom('svc.background-process', { toolCallId: 'c', phase: 'end', code: 3 });
    expect(ofKind(stateOf(START, call('c', 'shell'), begun), 'tool')[0]?.background).toMatchObject({ isRunning: true });
    const state = stateOf(START, call('c', 'shell'), begun, ended);
    expect(ofKind(state, 'tool')[0]?.background).toEqual({ isRunning: false, by: 'user', exitCode: 3 });
  });

  test('links to the sub-agent it started', () => {
    expect(stateOf(START, call('c', 'delega_sottotask')).hasAgents).toBe(true);
  });
});

test('of the user has its output beside the turn', () => {
  const state = stateOf(
    { type: 'UserCommandStarted', commandId: 'o', command: 'ls' },
    { type: 'ToolCallOutput', toolCallId: 'o', delta: 'a.ts\n' },
    { type: 'UserCommandFinished', commandId: 'o', code: 1, error: 'why' },
  );
  expect(state.items).toMatchObject([
    { kind: 'command', command: 'ls', output: 'a.ts\n', isOver: true, exitCode: 1, error: 'why', endedAt: 3_000 },
  ]);
});

describe('approval items', () => {
  const questions = [{ id: 'colour', question: 'Which?', why: 'because' }];
  test('a question is open until it is answered', () => {
    const ask: SessionEvent = { type: 'UserQuestionRequested', requestId: 'q', questions, toolCallId: 'c' };
    const open = stateOf(START, call('c', 'ask_user'), ask);
    expect(cardOf(open, open.waiting[0])).toMatchObject({ kind: 'question', key: 'q', questions });
    expect(ofKind(open, 'tool')[0]?.hasCard).toBe(true);
    const answers = { colour: 'blue' };
    const given = stateOf(START, ask, { type: 'UserQuestionResolved', requestId: 'q', status: 'answered', answers });
    expect(given.waiting).toEqual([]);
    expect(ofKind(given, 'question')).toMatchObject([{ state: 'answered', answers }]);
  });

  test('a plan is open until it is decided, even when its process died', () => {
    const plan = { requestId: 'p', hash: 'sha256:1', content: '# Do', toolCallId: 'c' };
    const shown = custom('svc.plan', { ...plan, status: 'proposed' });
    const open = stateOf(START, shown);
    expect(cardOf(open, open.waiting[0])).toMatchObject({ kind: 'plan', hash: 'sha256:1' });
    const lost: SessionEvent = { type: 'RunError', message: '', code: 'SESSION_INTERRUPTED' };
    expect(stateOf(START, shown, lost).waiting).toEqual(['p']);
    const changed = custom('svc.plan', { ...plan, status: 'changes-requested', feedback: 'smaller' });
    const state = stateOf(START, shown, changed);
    expect(state.waiting).toEqual([]);
    expect(ofKind(state, 'plan')).toMatchObject([{ state: 'changes-requested', feedback: 'smaller' }]);
  });
});

describe('an MCP elicitation', () => {
  const elicited = (value: unknown): Conversation => stateOf(START, custom('svc.mcp-elicitation', value));
  const asked = { requestId: 'r', state: 'waiting', server: 's', message: 'm' };

  test('is a form or an address and waits for its answer', () => {
    const form = elicited({ ...asked, mode: 'form', schema: { type: 'object' } });
    expect(form.waiting).toEqual(['r']);
    expect(cardOf(form, 'r')).toMatchObject({ server: 's', message: 'm', form: { type: 'object' }, url: undefined });
    const page = elicited({ ...asked, mode: 'url', url: 'https://a.b' });
    expect(cardOf(page, 'r')).toMatchObject({ server: 's', message: 'm', form: undefined, url: 'https://a.b' });
    const answered = fold(form, [
      custom('svc.mcp-elicitation', { requestId: 'r', state: 'answered', action: 'accept' }),
    ]);
    expect([answered.waiting, cardOf(answered, 'r')]).toMatchObject([[], { state: 'accept' }]);
  });

  test.each([null, 'x', [], {}, { requestId: 3 }])('is ignored when its value is %j', (value) => {
    expect(elicited(value).items.filter(({ kind }) => kind === 'elicitation')).toEqual([]);
  });
});

describe('session events', () => {
  test('each become an item', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const state = stateOf(
      custom('svc.compaction', { phase: 'start', at, tokensBefore: 900 }),
      custom('svc.compaction', { phase: 'end', at, isCompacted: true, tokensBefore: 900, tokensAfter: 100 }),
      custom('svc.provider-fallback', { from: { provider: 'a', model: 'b' }, to: { provider: 'c', model: 'd' } }),
      custom('svc.session-settings', { mode: 'plan', reason: 'piano-richiesto-dal-modello' }),
      custom('svc.session-settings', { mode: 'normal', reason: 'plan-approved' }),
      custom('svc.undo', { phase: 'start', kind: 'undo', files: [], skipped: [] }),
      custom('svc.undo', { phase: 'end', kind: 'undo', files: ['a', 'b'], skipped: [{}] }),
      custom('svc.workflow-outcome', { title: 'w', status: 'succeeded' }),
      custom('svc.mcp-elicitation', { requestId: 'q', state: 'waiting', server: 's', message: 'Name?' }),
      custom('svc.mcp-elicitation', { requestId: 'q', state: 'answered', action: 'decline' }),
      { type: 'ArtifactCreated', messageId: 'm', id: 'i', title: 'page' },
      { type: 'WorkspaceChanged', paths: ['x'] },
    );
    expect(state.items).toMatchObject([
      { kind: 'compaction', state: 'done', before: 900, after: 100 },
      { kind: 'fallback', from: 'a:b', to: 'c:d' },
      { kind: 'mode', isPlanning: true },
      { kind: 'undo', isUndo: true, files: 2, skipped: 1 },
      { kind: 'workflow', title: 'w', status: 'succeeded' },
      { kind: 'elicitation', server: 's', message: 'Name?', state: 'decline' },
      { kind: 'artifact', title: 'page' },
    ]);
    expect(state.contextTokens).toBe(100);
  });

  test.each([
    [429, 'busy'],
    [529, 'busy'],
    [408, 'late'],
    [503, 'failed'],
    [500, 'failed'],
    [undefined, 'failed'],
  ])('a wait after status %s says %s', (httpStatus, cause) => {
    const waits = custom('svc.provider-retry', { phase: 'waiting', attempt: 2, retryAt: 99, httpStatus });
    expect(liveState(START, waits).retry?.cause).toBe(cause);
  });

  test('a provider wait is shown only while it lasts', () => {
    const waits = custom('svc.provider-retry', { phase: 'waiting', attempt: 2, retryAt: 99 });
    expect(stateOf(START, waits).retry).toBeUndefined();
    expect(liveState(START, waits).retry).toMatchObject({ phase: 'waiting', attempt: 2, at: 99 });
    const sends = custom('svc.provider-retry', { phase: 'sending', attempt: 2 });
    expect(liveState(START, waits, sends).retry).toMatchObject({ phase: 'sending', attempt: 2, at: null });
    const ends = custom('svc.provider-retry', { phase: 'end', attempt: 2 });
    expect(liveState(START, waits, ends).retry).toBeUndefined();
  });

  test('tokens and prices are those that were reported', () => {
    const usage = (prompt_tokens: number, completion_tokens: number): SessionEvent => ({
      type: 'StateDelta',
      delta: [
        { op: 'replace', path: '/usage', value: { prompt_tokens, completion_tokens, cached_tokens: null, steps: 1 } },
      ],
    });
    const state = stateOf(
      START,
      usage(100, 10),
      usage(350, 30),
      custom('svc.usage-receipt', { declaredCost: 0.25 }),
      custom('svc.usage-receipt', { declaredCost: null }),
      custom('svc.usage-receipt', { declaredCost: 0.5 }),
    );
    expect(state).toMatchObject({ contextTokens: 250, totalCost: { usd: 0.75, declared: 2, calls: 3 } });
    expect(state.usage).toMatchObject({ prompt_tokens: 350, completion_tokens: 30 });
    expect(stateOf(START).totalCost.declared).toBe(0);
  });

  test('the to-do list is the last one', () => {
    const items = [{ content: 'a', status: 'pending' }];
    expect(stateOf(custom('svc.todo', { items: [] }), custom('svc.todo', { items })).todo).toEqual(items);
  });
});

test('reuses unchanged items and ignores repeated events', () => {
  const state = stateOf(START, { type: 'TextMessageContent', messageId: 'a', delta: 'x' });
  const said = (delta: string): SessionEvent => ({ type: 'TextMessageContent', messageId: 'a', delta });
  expect(fold(state, [stored(said('again'), 1)])).toBe(state);
  const after = fold(state, [stored(said('y'), 2)]);
  expect(after.items[0]).toBe(state.items[0]);
  expect(state.items[1]).toMatchObject({ text: 'x' });
  expect(after.items[1]).toMatchObject({ text: 'xy' });
});

test('ignores malformed values and unknown event types', () => {
  const odd = [null, 3, [], { items: 7 }, { breakdown: { categories: 'x' } }, { files: 1, skipped: 2, phase: 'end' }];
  const names = [
    'svc.todo',
    'svc.request-context',
    'svc.undo',
    'svc.compaction',
    'svc.provider-retry',
    'svc.new',
    'constructor',
  ];
  const events = names.flatMap((name) => odd.map((value) => custom(name, value)));
  expect(() => stateOf(...events, { type: 'Newer' } as unknown as SessionEvent)).not.toThrow();
});
