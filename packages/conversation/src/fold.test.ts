import { describe, expect, test } from '@jest/globals';
import { type Conversation, cardOf, EMPTY, netChanges, readArguments, undoPlaces } from './conversation.ts';
import { REPLAY_END, type SessionEvent, type StreamEvent } from './events.ts';
import { fold } from './fold.ts';
import type { Item, ToolItem } from './items.ts';

let sequence = 0;
const numbered = (events: readonly SessionEvent[]): StreamEvent[] =>
  events.map((event) => {
    sequence += 1;
    return { ...event, sequence };
  });

const start = (text = 'Fix the tests'): SessionEvent => ({
  type: 'RunStarted',
  threadId: 't',
  runId: 'r',
  input: { message: text },
  context: { project: 'demo', folder: '/home/ada/demo', branch: 'main' },
});
const usage = (prompt: number, steps: number): SessionEvent => ({
  type: 'StateDelta',
  delta: [
    { op: 'replace', path: '/usage', value: { prompt_tokens: prompt, completion_tokens: 10, cached_tokens: 5, steps } },
  ],
});
const custom = (name: string, value: unknown): SessionEvent => ({ type: 'CUSTOM', name, value });
const END: SessionEvent = { type: 'RunFinished', threadId: 't', runId: 'r' };
const result = (id: string, more: object = {}): SessionEvent => ({
  type: 'ToolCallResult',
  messageId: `m-${id}`,
  toolCallId: id,
  content: 'done',
  role: 'tool',
  ...more,
});
const folded = (...events: SessionEvent[]): Conversation => fold(EMPTY, numbered(events));
const kinds = (conversation: Conversation): Item['kind'][] => conversation.items.map((item) => item.kind);

describe('fold', () => {
  test('folds a turn to its message, text, tools and end', () => {
    const after = folded(
      start(),
      { type: 'ReasoningMessageStart', messageId: 'm1', role: 'reasoning' },
      { type: 'ReasoningMessageContent', messageId: 'm1', delta: 'Look' },
      { type: 'ReasoningMessageEnd', messageId: 'm1' },
      { type: 'TextMessageContent', messageId: 'm1', delta: 'I will ' },
      { type: 'TextMessageContent', messageId: 'm1', delta: 'look.' },
      { type: 'TextMessageEnd', messageId: 'm1' },
      { type: 'ToolCallStart', toolCallId: 'c1', toolCallName: 'shell', startedAtMs: 5 },
      { type: 'ToolCallArgs', toolCallId: 'c1', delta: '{"comando":' },
      { type: 'ToolCallArgs', toolCallId: 'c1', delta: '"ls"}' },
      { type: 'ToolCallOutput', toolCallId: 'c1', delta: 'a.ts\n' },
      result('c1', { content: 'a.ts', exitCode: 0, durationMs: 12 }),
      END,
    );
    expect(kinds(after)).toEqual(['user', 'reasoning', 'text', 'tool', 'end']);
    expect(after.items[2]).toMatchObject({ text: 'I will look.', isOpen: false });
    expect(after.items[3]).toMatchObject({ args: '{"comando":"ls"}', output: 'a.ts\n', isOver: true });
    expect(after.items[3]).toMatchObject({ outcome: { exitCode: 0, durationMs: 12 } });
    expect(after.items[4]).toMatchObject({ outcome: 'done', tools: 1 });
    expect(after).toMatchObject({ isRunning: false, folder: '/home/ada/demo', branch: 'main' });
  });

  test('does not change the earlier version or untouched items', () => {
    const before = folded(start(), { type: 'TextMessageContent', messageId: 'm1', delta: 'one' });
    const after = fold(before, numbered([{ type: 'TextMessageContent', messageId: 'm1', delta: ' two' }]));
    expect(before.items[1]).toMatchObject({ text: 'one' });
    expect(after.items[1]).toMatchObject({ text: 'one two' });
    expect(after.items[0]).toBe(before.items[0]);
  });

  test('ignores unknown events and repeated sequence numbers', () => {
    const [first, second] = numbered([start(), { type: 'TextMessageContent', messageId: 'm', delta: 'x' }]);
    const batch = [first, second, second, { type: 'SomethingNew', sequence: 900 }] as StreamEvent[];
    const after = fold(EMPTY, batch);
    expect(after.items[1]).toMatchObject({ text: 'x' });
    expect(after.lastSequence).toBe(900);
  });

  test.each([
    ['stopped', 'stopped'],
    ['step-limit', 'exhausted'],
    ['SESSION_INTERRUPTED', 'interrupted'],
    ['PROVIDER_KEY_REQUIRED', 'failed'],
  ])('ends a turn on %s as %s and closes open items', (code, outcome) => {
    const after = folded(
      start(),
      { type: 'TextMessageContent', messageId: 'm', delta: 'x' },
      { type: 'ToolCallStart', toolCallId: 'c', toolCallName: 'shell' },
      { type: 'ApprovalRequested', requestId: 'q', action: { kind: 'shell', command: 'rm x' } },
      { type: 'RunError', message: 'sentence', code },
    );
    expect(after.items.at(-1)).toMatchObject({ kind: 'end', outcome, message: 'sentence', request: 'Fix the tests' });
    expect(after.items[1]).toMatchObject({ isOpen: false });
    expect(after.items[2]).toMatchObject({ isOver: true, outcome: undefined });
    expect(after.waiting).toEqual([]);
    expect(cardOf(after, 'q')).toMatchObject({ state: 'gone' });
  });

  test('keeps approvals in the order they were asked', () => {
    const asked = folded(
      start(),
      { type: 'ApprovalRequested', requestId: 'q1', action: { kind: 'shell', command: 'ls' } },
      { type: 'ApprovalRequested', requestId: 'q2', action: { kind: 'scrivi', path: 'a' } },
    );
    expect(asked.waiting).toEqual(['q1', 'q2']);
    const after = fold(asked, numbered([{ type: 'ApprovalResolved', requestId: 'q1', isApproved: true }]));
    expect(after.waiting).toEqual(['q2']);
    expect(cardOf(after, 'q1')).toMatchObject({ state: 'allowed' });
  });

  test('keeps the provider’s message of a failed turn', () => {
    const failed = folded(start(), {
      type: 'RunError',
      message: 'The provider refused the request.',
      code: 'MODEL_CALL_FAILED',
      providerMessage: 'Model tiny-2 takes no tools.',
    });
    expect(failed.items.at(-1)).toMatchObject({ kind: 'end', providerMessage: 'Model tiny-2 takes no tools.' });
  });

  test('marks a call with the approval it waited for', () => {
    const call = (id: string): SessionEvent => ({ type: 'ToolCallStart', toolCallId: id, toolCallName: 'shell' });
    const asked = folded(start(), call('c1'), call('c2'), {
      type: 'ApprovalRequested',
      requestId: 'q1',
      action: { kind: 'shell', command: 'ls' },
    });
    expect(asked.items.slice(1, 3)).toMatchObject([{ approval: 'waiting' }, { approval: undefined }]);
    const after = fold(asked, numbered([{ type: 'ApprovalResolved', requestId: 'q1', isApproved: false }]));
    expect(after.items[1]).toMatchObject({ approval: 'denied' });
    const stopped: SessionEvent = { type: 'ApprovalResolved', requestId: 'q1', isApproved: false, isInterrupted: true };
    expect(fold(asked, numbered([stopped])).items[1]).toMatchObject({ approval: 'gone' });
  });

  test('assigns a file change to the call that names the file', () => {
    const after = folded(
      start(),
      { type: 'ToolCallStart', toolCallId: 'c1', toolCallName: 'file_edit' },
      { type: 'ToolCallArgs', toolCallId: 'c1', delta: '{"percorso":"src/a.ts"}' },
      { type: 'ToolCallStart', toolCallId: 'c2', toolCallName: 'shell' },
      { type: 'ToolCallArgs', toolCallId: 'c2', delta: '{"comando":"ls"}' },
      { type: 'StateDelta', delta: [{ op: 'replace', path: '/file/src/a.ts', value: 'new', before: 'old' }] },
      { type: 'StateDelta', delta: [{ op: 'add', path: '/file/b.ts', value: 'b' }] },
    );
    expect((after.items[1] as ToolItem).changes).toMatchObject([{ path: 'src/a.ts', before: 'old', after: 'new' }]);
    expect((after.items[2] as ToolItem).changes).toMatchObject([{ path: 'b.ts', before: null, after: 'b' }]);
  });

  test('assigns what a command changed to the command, not to the reads and questions after it', () => {
    const call = (toolCallId: string, toolCallName: string, args: object): SessionEvent[] => [
      { type: 'ToolCallStart', toolCallId, toolCallName },
      { type: 'ToolCallArgs', toolCallId, delta: JSON.stringify(args) },
    ];
    const changed: SessionEvent = { type: 'StateDelta', delta: [{ op: 'add', path: '/file/AGENTS.md', value: 'x' }] };
    const question: SessionEvent = {
      type: 'UserQuestionRequested',
      requestId: 'q',
      toolCallId: 'c3',
      questions: [],
    };
    const changesOf = (...events: SessionEvent[]) =>
      folded(start(), ...events, changed).items.map((item) => (item.kind === 'tool' ? item.changes.length : undefined));
    const run = call('c1', 'shell', { command: 'make' });
    const read = call('c2', 'leggi', { path: 'AGENTS.md' });
    expect(changesOf(...run, ...read)).toEqual([undefined, 1, 0]);
    expect(changesOf(...run, ...call('c3', 'ask_user', {}), question).slice(0, 3)).toEqual([undefined, 1, 0]);
    expect(changesOf(...run, ...call('c2', 'delega_sottotask', { task: 'x' }))).toEqual([undefined, 0, 1]);
    expect(changesOf(...read)).toEqual([undefined, 1]);
  });

  test('reads the size of the last request from the totals of the turn', () => {
    const after = folded(start(), usage(1_000, 1), usage(2_600, 2));
    expect(after.usage?.prompt_tokens).toBe(2_600);
    expect(after.contextTokens).toBe(1_600);
  });

  test('shows a busy provider only while it is live', () => {
    const retry: SessionEvent = {
      type: 'CUSTOM',
      name: 'svc.provider-retry',
      value: { phase: 'waiting', attempt: 2, maxAttempts: 4, waitMs: 1_000, retryAt: 1 },
    };
    const old = folded(start(), retry, REPLAY_END);
    expect(old.retry).toBeUndefined();
    const live = fold(old, numbered([retry]));
    expect(live.retry).toMatchObject({ phase: 'waiting', attempt: 2 });
    const answered = fold(live, numbered([{ type: 'TextMessageContent', messageId: 'm', delta: 'x' }]));
    expect(answered.retry).toBeUndefined();
  });

  test('names user messages by their events and leaves a marker for a removed one', () => {
    const after = folded(
      start('first'),
      { type: 'TextMessageContent', messageId: 'm', delta: 'x' },
      { type: 'QueuedMessageDelivered', text: 'second' },
    );
    const [first, , second] = after.items as [{ reference: string }, Item, { reference: string }];
    expect([first.reference, second.reference]).toEqual([
      `giro:${after.lastSequence - 2}`,
      `giro:${after.lastSequence}`,
    ]);
    const remove = (reference: string): SessionEvent => ({
      type: 'CUSTOM',
      name: 'svc.message-removed',
      value: { reference },
    });
    const marked = fold(after, numbered([remove(second.reference), remove('m')]));
    expect(marked.items.map((item) => 'isRemoved' in item && item.isRemoved)).toEqual([false, true, true]);
  });

  test('keeps a steering message in place and marks its result', () => {
    const asked = folded(
      start(),
      { type: 'RunRedirectRequested', redirectId: 'r1', text: 'Use tabs' },
      { type: 'TextMessageContent', messageId: 'm', delta: 'x' },
    );
    expect(asked.items[1]).toMatchObject({ text: 'Use tabs', steer: 'asked', reference: undefined });
    const applied = fold(asked, numbered([{ type: 'RunRedirectApplied', redirectId: 'r1', text: 'Use tabs' }]));
    expect(kinds(applied)).toEqual(['user', 'user', 'text']);
    expect(applied.items[1]).toMatchObject({ steer: 'applied', reference: `giro:${applied.lastSequence}` });
    const failed = fold(asked, numbered([{ type: 'RunRedirectFailed', redirectId: 'r1', message: '' }]));
    expect(failed.items[1]).toMatchObject({ steer: 'failed' });
  });

  test('follows a user’s shell command during a turn', () => {
    const after = folded(
      { type: 'UserCommandStarted', commandId: 'k', command: 'ls' },
      { type: 'ToolCallOutput', toolCallId: 'k', delta: 'a.ts\n' },
      { type: 'UserCommandFinished', commandId: 'k', code: 2 },
    );
    expect(after.items).toMatchObject([
      { kind: 'command', command: 'ls', output: 'a.ts\n', isOver: true, exitCode: 2 },
    ]);
    expect(after.isRunning).toBe(false);
  });

  const ask: SessionEvent = { type: 'UserQuestionRequested', requestId: 'q', questions: [{ id: 'a', question: 'A?' }] };
  const plan = (status: 'proposed' | 'approved'): SessionEvent => ({
    type: 'CUSTOM',
    name: 'svc.plan',
    value: { requestId: 'p', status, revision: 1, hash: 'sha256:0', content: '# Plan', toolCallId: 'c' },
  });

  test('waits for questions and plans until they are answered, even across an interruption', () => {
    const lost: SessionEvent = { type: 'RunError', message: '', code: 'SESSION_INTERRUPTED' };
    const after = folded(start(), ask, plan('proposed'), lost);
    expect(after.waiting).toEqual(['q', 'p']);
    const answered = fold(
      after,
      numbered([
        { type: 'UserQuestionResolved', requestId: 'q', status: 'answered', answers: { a: 'yes' } },
        plan('approved'),
      ]),
    );
    expect(answered.waiting).toEqual([]);
    expect(cardOf(answered, 'q')).toMatchObject({ state: 'answered', answers: { a: 'yes' } });
    expect(cardOf(answered, 'p')).toMatchObject({ state: 'approved' });
    expect(kinds(answered).filter((kind) => kind === 'plan')).toHaveLength(1);
    const stopped = folded(start(), ask, { type: 'RunError', message: '', code: 'stopped' });
    expect(stopped.waiting).toEqual([]);
    expect(cardOf(stopped, 'q')).toMatchObject({ state: 'cancelled' });
  });

  test('adds up the reported and unreported cost of a turn', () => {
    const receipt = (declaredCost: number | null): SessionEvent => ({
      type: 'CUSTOM',
      name: 'svc.usage-receipt',
      value: { declaredCost },
    });
    const end = END;
    const after = folded(start(), receipt(0.25), receipt(null), end, start(), end);
    const ends = after.items.filter((item) => item.kind === 'end');
    expect(ends).toMatchObject([{ cost: { usd: 0.25, declared: 1, calls: 2 } }, { cost: { calls: 0 } }]);
  });

  test('follows a compaction from start to undo', () => {
    const phase = (value: object): SessionEvent => ({
      type: 'CUSTOM',
      name: 'svc.compaction',
      value: { at: '2026-01-01T00:00:00.000Z', ...value },
    });
    const begun = folded(phase({ phase: 'start', tokensBefore: 900 }));
    expect(begun.items).toMatchObject([{ state: 'running' }]);
    const done = fold(begun, numbered([phase({ phase: 'end', isCompacted: true, tokensAfter: 90, canUndo: true })]));
    expect(done.items).toMatchObject([{ state: 'done', before: 900, after: 90, isUndoable: true }]);
    expect(done.contextTokens).toBe(90);
    const undone = fold(done, numbered([phase({ phase: 'cancelled' })]));
    expect(undone.items).toMatchObject([{ state: 'undone', isUndoable: false }]);
    expect(undone.contextTokens).toBe(900);
  });

  test('keeps the queue, the to-do list, the context parts and background commands', () => {
    const after = folded(
      start(),
      { type: 'ToolCallStart', toolCallId: 'c', toolCallName: 'shell' },
      result('c', { content: 'it continues' }),
      custom('svc.background-process', { toolCallId: 'c', phase: 'start', from: 'user' }),
      custom('svc.queue', { entries: [{ id: 'v', text: 'later', images: 1 }], isPaused: true }),
      custom('svc.todo', { items: [{ content: 'a', status: 'pending' }] }),
      custom('svc.request-context', { model: 'm', breakdown: { categories: [{ id: 'tools', tokens: 40 }] } }),
    );
    expect(after.items[1]).toMatchObject({ isOver: true, background: { isRunning: true, by: 'user' } });
    expect(after.queue).toEqual({ messages: [{ id: 'v', text: 'later', images: 1 }], isPaused: true });
    expect(after.todo).toEqual([{ content: 'a', status: 'pending' }]);
    expect(after).toMatchObject({ contextTokens: 40, context: { model: 'm', parts: [{ id: 'tools', tokens: 40 }] } });
    const ended = fold(after, numbered([custom('svc.background-process', { toolCallId: 'c', phase: 'end', code: 0 })]));
    expect(ended.items[1]).toMatchObject({ background: { isRunning: false, by: 'user', exitCode: 0 } });
  });

  test('marks undone and redone turns and the next one to undo', () => {
    const two = folded(start(), END, start(), END);
    const [first, second] = two.items.filter((item) => item.kind === 'end');
    const undo = (end: typeof first, kind: 'undo' | 'redo', part: object): SessionEvent =>
      custom('svc.undo', { phase: 'end', kind, turn: end?.start, files: [], chat: false, ...part });
    expect(undoPlaces(two)).toEqual({ undo: second?.key, redo: undefined });
    const files = fold(two, numbered([undo(second, 'undo', { files: ['a'] })]));
    expect(files.items.findLast((item) => item.kind === 'end')).toMatchObject({ undone: { files: true, chat: false } });
    expect([undoPlaces(files), files.hiddenTurns]).toEqual([{ undo: first?.key, redo: second?.key }, []]);
    const both = fold(files, numbered([undo(first, 'undo', { chat: true })]));
    expect([undoPlaces(both), both.hiddenTurns]).toEqual([{ undo: undefined, redo: first?.key }, [1]]);
    const back = fold(both, numbered([undo(first, 'redo', { chat: true }), undo(second, 'redo', { files: ['a'] })]));
    expect([undoPlaces(back), back.hiddenTurns]).toEqual([{ undo: second?.key, redo: undefined }, []]);
  });

  test('adds no turn end to answers of the server', () => {
    const after = folded(
      { type: 'RunStarted', threadId: 't', runId: 'r', input: { message: '/help', command: 'help' } },
      { type: 'TextMessageContent', messageId: 'm', delta: '- /help' },
      END,
    );
    expect(kinds(after)).toEqual(['user', 'text']);
    expect(after.isRunning).toBe(false);
  });

  test('folds twenty thousand deltas in batches of less than a frame', () => {
    let conversation = folded(start());
    const begun = performance.now();
    for (let batch = 0; batch < 600; batch += 1) {
      const deltas = Array.from(
        { length: 33 },
        (): SessionEvent => ({
          type: 'TextMessageContent',
          messageId: `m${batch % 3}`,
          delta: 'word ',
        }),
      );
      conversation = fold(conversation, numbered(deltas));
    }
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(conversation.items.slice(1).map((item) => (item as { text: string }).text.length)).toEqual([
      33_000, 33_000, 33_000,
    ]);
  });
});

describe('netChanges', () => {
  test('compares the first and last state of a file and omits restored files', () => {
    const net = netChanges([
      { path: 'a', before: '1', after: '2', turn: 1, isTooLarge: false },
      { path: 'b', before: null, after: 'x', turn: 1, isTooLarge: false },
      { path: 'a', before: '2', after: '3', turn: 2, isTooLarge: false },
      { path: 'b', before: 'x', after: null, turn: 2, isTooLarge: false },
    ]);
    expect(net).toEqual([{ path: 'a', before: '1', after: '3', turn: 2, isTooLarge: false }]);
  });
});

describe('readArguments', () => {
  test('reads complete JSON and the finished strings of partial JSON', () => {
    expect(readArguments({ name: 'shell', args: '{"comando":"ls -la","n":2}' })).toEqual({ command: 'ls -la', n: 2 });
    expect(readArguments({ name: 'scrivi', args: '{"percorso":"a \\"b\\".ts","contenuto":"import' })).toEqual({
      path: 'a "b".ts',
    });
    expect(readArguments({ name: 'mcp__a__b', args: '{"percorso":"a"}' })).toEqual({ percorso: 'a' });
  });
});
