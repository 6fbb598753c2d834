import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Conversation, EMPTY } from './conversation.ts';
import type { StreamEvent } from './events.ts';
import { fold } from './fold.ts';

const id = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('', 'word ', 'src/a.ts', 'two\nlines\n', 'x'.repeat(40_000));
const custom = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.record({ type: fc.constant('CUSTOM'), name: fc.constant(name), value });

/** Every kind of event in any order; most sequences never occur in a real session. */
const event = fc.oneof(
  fc.record({
    type: fc.constant('RunStarted'),
    input: fc.option(fc.record({ message: text, command: fc.option(text, { nil: undefined }) }), { nil: undefined }),
    context: fc.record({ folder: text, branch: text }),
  }),
  fc.constant({ type: 'RunFinished' }),
  fc.record({
    type: fc.constant('RunError'),
    code: fc.constantFrom('stopped', 'SESSION_INTERRUPTED', 'x'),
    message: text,
  }),
  fc.record({
    type: fc.constantFrom('RunRedirectRequested', 'RunRedirectApplied', 'RunRedirectFailed'),
    redirectId: id,
    text: text,
  }),
  fc.record({ type: fc.constantFrom('TextMessageStart', 'TextMessageEnd', 'ReasoningMessageEnd'), messageId: id }),
  fc.record({
    type: fc.constantFrom('TextMessageContent', 'ReasoningMessageContent'),
    messageId: id,
    delta: text,
  }),
  fc.record({
    type: fc.constant('ToolCallStart'),
    toolCallId: id,
    toolCallName: fc.constantFrom('shell', 'write', 'delega_sottotask'),
  }),
  fc.record({ type: fc.constantFrom('ToolCallArgs', 'ToolCallOutput'), toolCallId: id, delta: text }),
  fc.record({ type: fc.constant('ToolCallResult'), toolCallId: id, content: text, exitCode: fc.nat(2) }),
  fc.record({
    type: fc.constant('StateDelta'),
    delta: fc.array(
      fc.record({
        op: fc.constantFrom('add', 'replace', 'remove'),
        path: text.map((path) => `/file/${path}`),
        value: text,
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant('StateDelta'),
    delta: fc
      .record({
        prompt_tokens: fc.nat(9_000),
        completion_tokens: fc.nat(99),
        cached_tokens: fc.nat(9),
        steps: fc.nat(9),
      })
      .map((value) => [{ op: 'replace', path: '/usage', value }]),
  }),
  fc.record({
    type: fc.constant('ApprovalRequested'),
    requestId: id,
    action: fc.record({ kind: fc.constantFrom('shell', 'write') }),
  }),
  fc.record({ type: fc.constant('ApprovalResolved'), requestId: id, isApproved: fc.boolean() }),
  fc.record({
    type: fc.constant('UserQuestionRequested'),
    requestId: id,
    toolCallId: id,
    questions: fc.constant([{ id: 'a', question: 'A?' }]),
  }),
  fc.record({
    type: fc.constant('UserQuestionResolved'),
    requestId: id,
    status: fc.constantFrom('answered', 'skipped'),
  }),
  fc.record({ type: fc.constantFrom('UserCommandStarted', 'UserCommandFinished'), commandId: id, command: text }),
  fc.record({ type: fc.constant('WorkspaceChanged'), paths: fc.constant([]) }),
  fc.record({ type: fc.constant('ArtifactCreated'), id, title: text }),
  custom('svc.replay-end', fc.constant(null)),
  custom(
    'svc.plan',
    fc.record({ requestId: id, content: text, toolCallId: id, status: fc.constantFrom('proposed', 'approved') }),
  ),
  custom('svc.todo', fc.record({ items: fc.array(fc.record({ content: text, status: text }), { maxLength: 2 }) })),
  custom(
    'svc.mcp-elicitation',
    fc.record({ requestId: id, state: fc.constantFrom('waiting', 'answered'), server: text }),
  ),
  custom('svc.provider-retry', fc.record({ phase: fc.constantFrom('waiting', 'sending', 'end'), attempt: fc.nat(4) })),
  custom(
    'svc.compaction',
    fc.record({
      at: id,
      phase: fc.constantFrom('start', 'end', 'cancelled'),
      tokensBefore: fc.nat(99),
      tokensAfter: fc.nat(9),
    }),
  ),
  custom('svc.undo', fc.record({ phase: fc.constant('end'), kind: fc.constantFrom('undo', 'redo'), turn: fc.nat(9) })),
  custom(
    'svc.message-removed',
    fc.record({
      reference: fc.oneof(
        id,
        fc.nat(9).map((seq) => `giro:${seq}`),
      ),
    }),
  ),
  custom('svc.background-process', fc.record({ toolCallId: id, phase: fc.constantFrom('start', 'end') })),
  custom('svc.usage-receipt', fc.record({ declaredCost: fc.constantFrom(null, 0.5) })),
) as unknown as fc.Arbitrary<StreamEvent>;

/** The same events split at other positions, with some repeated as after a reconnect. */
const stream = fc.record({
  events: fc.array(event, { maxLength: 40 }),
  cuts: fc.array(fc.nat(40), { maxLength: 12 }),
  isRepeated: fc.boolean(),
});

function inChunks(events: readonly StreamEvent[], cuts: readonly number[], isRepeated: boolean): Conversation {
  let conversation = EMPTY;
  let from = 0;
  for (const to of [...cuts.toSorted((one, other) => one - other), events.length]) {
    conversation = fold(conversation, events.slice(isRepeated ? Math.max(0, from - 3) : from, to));
    from = Math.max(from, to);
  }
  return conversation;
}

test('gives the same conversation for every batching of the events', () => {
  fc.assert(
    fc.property(stream, ({ events, cuts, isRepeated }) => {
      const numbered = events.map((one, index) => ({ ...one, sequence: index + 1, storedAt: index * 10 }));
      expect(inChunks(numbered, cuts, isRepeated)).toEqual(fold(EMPTY, numbered));
    }),
    { numRuns: Number(process.env.FUCINA_FUZZ_RUNS ?? 300) },
  );
});

test('never changes a conversation that was returned before', () => {
  fc.assert(
    fc.property(stream, ({ events, cuts }) => {
      const numbered = events.map((one, index) => ({ ...one, sequence: index + 1 }));
      const at = Math.min(cuts[0] ?? 0, numbered.length);
      const before = fold(EMPTY, numbered.slice(0, at));
      const items = structuredClone(before.items);
      const changes = structuredClone(before.changes);
      fold(before, numbered.slice(at));
      expect(before.items).toEqual(items);
      expect(before.changes).toEqual(changes);
    }),
  );
});
