import { expect, test } from '@jest/globals';
import type { SessionEvent, StreamEvent } from './events.ts';
import { traceTurn } from './trace.ts';

const custom = (name: string, value: unknown): SessionEvent => ({ type: 'CUSTOM', name, value });
const START: SessionEvent = { type: 'RunStarted', threadId: 's', runId: 'r', input: { message: 'Go' } };
const END: SessionEvent = { type: 'RunFinished', threadId: 's', runId: 'r' };
const asked = (at: number, model = 'm') => custom('svc.request-context', { at, model });
const receipt = (model = 'm', outcome = 'completed') =>
  custom('svc.usage-receipt', {
    model,
    usage: { prompt_tokens: 100, completion_tokens: 20, cached_tokens: 60 },
    declaredCost: 0.25,
    outcome,
  });
const said = (delta: string): SessionEvent => ({ type: 'TextMessageContent', messageId: 't', delta });
const called = (toolCallId: string, toolCallName: string, startedAtMs: number): SessionEvent => ({
  type: 'ToolCallStart',
  toolCallId,
  toolCallName,
  parentMessageId: 't',
  startedAtMs,
});
const result = (toolCallId: string, facts: object = {}): SessionEvent => ({
  type: 'ToolCallResult',
  messageId: 'm',
  toolCallId,
  content: 'done',
  role: 'tool',
  ...facts,
});

type Stored = readonly [number, SessionEvent];

/** Events with the times at which they were stored. */
function at(...timed: readonly Stored[]): StreamEvent[] {
  return timed.map(([storedAt, event], index) => ({ ...event, storedAt, sequence: index + 1 }));
}

/** The steps with their relative times, in short. */
const steps = (events: readonly StreamEvent[]) =>
  traceTurn(events)?.steps.map(({ kind, name, start, end, outcome }) => [kind, name, start, end, outcome]);

test('a model call lasts from its request to its receipt', () => {
  const events = at([1_000, START], [1_400, asked(1_010)], [1_400, said('Hi')], [1_900, receipt()], [1_950, END]);
  expect(traceTurn(events)).toMatchObject({ turn: 1, start: 1_000, end: 1_950, outcome: 'done' });
  expect(traceTurn(events)?.steps).toMatchObject([
    {
      kind: 'model',
      name: 'm',
      start: 1_010,
      end: 1_900,
      firstOutputAt: 1_400,
      tokens: { input: 100, output: 20, cached: 60 },
      usd: 0.25,
    },
  ]);
});

test('a tool runs for as long as its result says, after the wait for the user', () => {
  const [tool] =
    traceTurn(
      at(
        [0, START],
        [100, asked(10)],
        [100, called('c', 'esegui', 100)],
        [150, receipt()],
        [160, { type: 'ApprovalRequested', requestId: 'q', action: { kind: 'esegui' } }],
        [5_160, { type: 'ApprovalResolved', requestId: 'q', isApproved: true }],
        [5_500, result('c', { durationMs: 300, exitCode: 2, isFailed: true })],
        [5_500, END],
      ),
    )?.steps.filter(({ kind }) => kind === 'tool') ?? [];
  expect(tool).toMatchObject({ start: 5_200, end: 5_500, wait: { start: 160, end: 5_160 }, error: '2' });
  expect(tool?.outcome).toBe('failed');
});

test('reads that run in parallel overlap, and a late receipt does not hide them', () => {
  const events = at(
    [0, START],
    [100, asked(0)],
    [100, called('a', 'leggi', 100)],
    [110, called('b', 'leggi', 110)],
    [205, receipt()],
    [320, result('a', { durationMs: 200 })],
    [420, result('b', { durationMs: 300 })],
    [420, END],
  );
  expect(steps(events)).toEqual([
    ['model', 'm', 0, 120, 'done'],
    ['tool', 'leggi', 120, 320, 'done'],
    ['tool', 'leggi', 120, 420, 'done'],
  ]);
});

test('a result that is stored with the next answer ended before it was asked for', () => {
  const events = at(
    [0, START],
    [100, asked(10)],
    [100, called('c', 'esegui', 100)],
    [120, receipt()],
    [165, result('c', { durationMs: 40 })],
    [165, asked(162)],
    [165, said('Hi')],
    [165, receipt()],
    [165, END],
  );
  expect(steps(events)).toEqual([
    ['model', 'm', 10, 120, 'done'],
    ['tool', 'esegui', 122, 162, 'done'],
    ['model', 'm', 162, 165, 'done'],
  ]);
});

test('a failed request is followed by the wait before the next one', () => {
  const notice = (phase: string) => custom('svc.provider-retry', { phase, model: 'm', httpStatus: 503 });
  const events = at(
    [0, START],
    [50, asked(0)],
    [50, notice('waiting')],
    [1_050, notice('sending')],
    [1_200, asked(1_060)],
    [1_200, said('Hi')],
    [1_300, receipt()],
    [1_300, notice('end')],
    [1_300, END],
  );
  expect(steps(events)).toEqual([
    ['model', 'm', 0, 50, 'failed'],
    ['retry', 'm', 50, 1_050, 'done'],
    ['model', 'm', 1_060, 1_300, 'done'],
  ]);
});

test('a stopped command did not fail, and one that ended by itself did', () => {
  const command = { command: 'sleep 9', isFailed: true };
  const events = at(
    [0, START],
    [100, asked(10)],
    [100, called('a', 'shell', 100)],
    [100, called('b', 'shell', 100)],
    [120, receipt()],
    [220, result('a', { ...command, durationMs: 100, exitCode: 1 })],
    [420, result('b', { ...command, durationMs: 200 })],
    [420, { type: 'RunError', message: 'Stopped', code: 'stopped' }],
  );
  expect(steps(events)?.slice(1)).toEqual([
    ['tool', 'shell', 120, 220, 'failed'],
    ['tool', 'shell', 220, 420, 'interrupted'],
  ]);
});

test('a call whose agent was stopped or failed did not finish', () => {
  const report = (outcome: string) =>
    `Report.\n${JSON.stringify({ childId: 'c', outcome, textUntrusted: '"outcome":"error"' })}`;
  const outcomeOf = (outcome: string) =>
    steps(
      at(
        [0, START],
        [100, asked(10)],
        [100, called('a', 'delega_sottotask', 100)],
        [120, receipt()],
        [220, { ...result('a', { durationMs: 100 }), content: report(outcome) } as SessionEvent],
        [220, END],
      ),
    )
      ?.at(-1)
      ?.at(-1);
  expect(['finished', 'steps-used-up', 'stopped', 'error'].map(outcomeOf)).toEqual([
    'done',
    'done',
    'interrupted',
    'failed',
  ]);
});

test('a request that ends the turn shows its kind of failure', () => {
  const failure: SessionEvent = { type: 'RunError', message: 'No', code: 'x', errorClass: 'credit' };
  const trace = traceTurn(at([0, START], [70, asked(5)], [80, failure]));
  expect(trace).toMatchObject({ outcome: 'failed', error: 'credit' });
  expect(trace?.steps).toMatchObject([{ end: 80, outcome: 'failed', error: 'credit' }]);
});

test('a running turn has an open step at each moment', () => {
  expect(steps(at([0, START]))).toEqual([['model', '', 0, undefined, 'running']]);
  const writing = at([0, START], [90, asked(10)], [90, called('c', 'esegui', 90)]);
  expect(steps(writing)).toEqual([['model', 'm', 10, undefined, 'running']]);
  const running = [...writing, ...at([0, START], [120, receipt()]).slice(1)];
  expect(steps(running)?.[1]).toEqual(['tool', 'esegui', 120, undefined, 'running']);
});

test('a call begins when the calls before it have ended', () => {
  const announced = at(
    [0, START],
    [90, asked(10)],
    [90, called('a', 'leggi', 90)],
    [91, called('b', 'leggi', 91)],
    [92, called('c', 'esegui', 92)],
    [93, called('d', 'esegui', 93)],
    [120, receipt()],
  );
  const after = (...timed: readonly Stored[]) => steps([...announced, ...at([0, START], ...timed).slice(1)])?.slice(1);
  const open = (name: string, start: number) => ['tool', name, start, undefined, 'running'];
  const a = ['tool', 'leggi', 120, 320, 'done'];
  const b = ['tool', 'leggi', 120, 420, 'done'];
  const c = ['tool', 'esegui', 420, 600, 'interrupted'];
  expect(after()).toEqual([open('leggi', 120), open('leggi', 120)]);
  expect(after([320, result('a', { durationMs: 200 })])).toEqual([a, open('leggi', 120)]);
  const read = [
    [320, result('a', { durationMs: 200 })],
    [420, result('b', { durationMs: 300 })],
  ] as const;
  expect(after(...read)).toEqual([a, b, open('esegui', 420)]);
  // The calls of a turn whose process was killed are closed together, without durations.
  const closed = (['c', 'd'] as const).map((id) => [600, result(id, { isInterrupted: true })] as const);
  expect(after(...read, ...closed, [600, END])).toEqual([a, b, c, ['tool', 'esegui', 600, 600, 'interrupted']]);
});

test('a call that the model was still writing when the turn was stopped has not run', () => {
  const events = at(
    [0, START],
    [90, asked(10)],
    [90, called('a', 'esegui', 90)],
    [150, called('b', 'esegui', 150)],
    [200, result('a', { isInterrupted: true })],
    [200, result('b', { isInterrupted: true })],
    [200, { type: 'RunError', message: 'Stopped', code: 'stopped' }],
  );
  expect(steps(events)?.slice(1)).toEqual([
    ['tool', 'esegui', 200, 200, 'interrupted'],
    ['tool', 'esegui', 200, 200, 'interrupted'],
  ]);
});

test('a call of an external agent runs while the agent’s own answer is open', () => {
  const { parentMessageId: _none, ...call } = called('c', 'esegui', 90) as Extract<
    SessionEvent,
    { type: 'ToolCallStart' }
  >;
  const events = at([0, START], [80, asked(10)], [80, said('Hi')], [90, call]);
  expect(steps(events)?.[1]).toEqual(['tool', 'esegui', 90, undefined, 'running']);
});

test('a stopped turn closes what was open', () => {
  const stop: SessionEvent = { type: 'RunError', message: 'Stopped', code: 'stopped' };
  const trace = traceTurn(
    at(
      [0, START],
      [90, asked(10)],
      [90, called('c', 'x', 90)],
      [95, receipt()],
      [300, result('c', { isInterrupted: true })],
      [300, stop],
    ),
  );
  expect(trace).toMatchObject({ outcome: 'stopped', error: undefined });
  expect(trace?.steps.at(-1)).toMatchObject({ kind: 'tool', start: 95, end: 300, outcome: 'interrupted' });
});

test('a compaction, a plan and a question are steps', () => {
  const compaction = (phase: string) => custom('svc.compaction', { phase, at: 'k', isCompacted: true });
  const plan = (status: string) => custom('svc.plan', { requestId: 'p', status, toolCallId: 'c' });
  const events = at(
    [0, START],
    [10, compaction('start')],
    [60, compaction('end')],
    [90, asked(61)],
    [90, called('c', 'presenta_piano', 90)],
    [100, receipt()],
    [110, plan('proposed')],
    [900, plan('approved')],
    [901, result('c', { durationMs: 795 })],
    [901, END],
  );
  const trace = traceTurn(events);
  expect(trace?.steps.map(({ kind }) => kind)).toEqual(['compaction', 'model', 'tool']);
  expect(trace?.steps[2]?.wait).toEqual({ start: 110, end: 900 });
});

test('a delegating call names its sub-agent, or its task while it runs', () => {
  const call = at(
    [0, START],
    [90, asked(10)],
    [90, called('c', 'delega_sottotask', 90)],
    [91, { type: 'ToolCallArgs', toolCallId: 'c', delta: '{"task":"Look"}' }],
    [95, receipt()],
  );
  expect(traceTurn(call)?.steps[1]).toMatchObject({ task: 'Look', agentId: undefined });
  const [, reported] = at([0, START], [400, result('c', { durationMs: 300, content: 'Report\n{"childId":"kid"}' })]);
  expect(traceTurn([...call, reported as StreamEvent])?.steps[1]).toMatchObject({ agentId: 'kid' });
});

test('a turn whose steps have no times has no steps', () => {
  const imported: SessionEvent = { type: 'ToolCallStart', toolCallId: 'c', toolCallName: 'leggi' };
  expect(traceTurn(at([5, START], [5, imported], [5, result('c')], [5, END]))?.steps).toEqual([]);
  expect(traceTurn([{ ...START, sequence: 1 }])).toBeUndefined();
});
