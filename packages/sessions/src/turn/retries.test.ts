import type { ModelEvent, ModelFailureClass, SessionEvent } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { broken, call, finish, say, used } from '../testing.ts';
import { isRetried, MAX_TRIES, waitBeforeRetry } from './retry.ts';

const CUT = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: 'The connection broke off in the middle of your answer. Continue exactly where it stopped, without repeating it. Calls that you had begun were not run.',
    },
  ],
};
const TASK = { role: 'user', content: [{ type: 'text', text: 'fix the sum' }] };
const failure = (facts: Parameters<typeof broken>[0] = {}) => {
  const event = broken(facts);
  if (event.type !== 'failure') throw new Error('no failure');
  return event.failure;
};

async function run(
  events: readonly (readonly ModelEvent[])[],
  options = {},
): Promise<[TestSessions, SessionEvent[], string]> {
  const setup = await testSessions(
    events.map((one) => ({ events: one })),
    options,
  );
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  return [setup, await setup.events(id), id];
}

const retriesIn = (events: readonly SessionEvent[]) =>
  events.flatMap((event) =>
    event.type === 'CUSTOM' && event.name === 'svc.provider-retry' ? [event.value as any] : [],
  );

const THOUGHT: ModelEvent[] = [{ type: 'reasoning', delta: 'hm' }];
const HALF_CALL: ModelEvent[] = [
  { type: 'tool-start', id: 'c1', name: 'scrivi' },
  { type: 'tool-arguments', id: 'c1', delta: '{"percorso":"half' },
];

describe('an answer that breaks off', () => {
  test.each<[string, ModelEvent[], unknown[]]>([
    ['before anything', [], [TASK]],
    ['in reasoning', THOUGHT, [TASK]],
    ['in a text', say('half'), [TASK, { role: 'assistant', parts: [{ type: 'text', text: 'half' }] }, CUT]],
    ['in a call', HALF_CALL, [TASK]],
    ['after a whole call', call('c1', 'scrivi', { percorso: 'a.ts' }), [TASK]],
    [
      'in a call after reasoning and a text',
      [...THOUGHT, { type: 'reasoning-end' }, ...say('half'), ...HALF_CALL],
      [
        TASK,
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'half' },
          ],
        },
        CUT,
      ],
    ],
  ])('%s is continued, and none of its calls is run', async (_name, begun, sent) => {
    const [setup, events, id] = await run([
      [...begun, broken()],
      [...say(' and whole'), finish('stop')],
    ]);
    await using _ = setup;
    expect(setup.model.requests[1]?.messages).toEqual(sent);
    expect(setup.written).toEqual([]);
    expect(events.at(-1)?.type).toBe('RunFinished');
    const calls = events.filter(({ type }) => type === 'ToolCallStart');
    const results = events.filter(({ type }) => type === 'ToolCallResult');
    expect(results).toMatchObject(calls.map(() => ({ fallito: true, interrotto: true })));
    const later = await setup.reopen();
    await using __ = later;
    await later.sessions.turns.resume(id, { message: 'next' });
    await later.sessions.turns.settled(id);
    expect(later.model.requests[0]?.messages.slice(0, sent.length)).toEqual(sent);
  });

  test.each<[ModelFailureClass, number | null, number]>([
    ['rate-limit', 429, 429],
    ['server', 529, 529],
    ['server', 200, 503],
    ['network', null, 503],
    ['timeout', null, 408],
    ['stream-interrupted', 200, 503],
  ])('by %s (status %s) says so with a status of the interface', async (failureClass, httpStatus, shown) => {
    const [setup, events] = await run([[broken({ class: failureClass, httpStatus })], say('here')]);
    await using _ = setup;
    const waits = retriesIn(events).map(({ fase, tentativo, tentativiMassimi, httpStatus: status }) => ({
      fase,
      tentativo,
      tentativiMassimi,
      status,
    }));
    expect(waits).toEqual(
      ['attesa', 'invio', 'fine'].map((fase) => ({ fase, tentativo: 2, tentativiMassimi: 10, status: shown })),
    );
    expect(events.at(-1)?.type).toBe('RunFinished');
  });

  test('counts what each broken try used, with a receipt of its own', async () => {
    const [setup, events] = await run([
      [...say('half'), used(1_000, 1, 300), broken()],
      [...say(' again'), broken()],
      [...say(' and whole'), used(1_100, 40, 900), finish('stop')],
    ]);
    await using _ = setup;
    const sums = events.flatMap((event) => (event.type === 'StateDelta' ? event.delta : []));
    expect(sums.findLast(({ path }) => path === '/usage')?.value).toMatchObject({
      prompt_tokens: 2_100,
      completion_tokens: 41,
      cached_tokens: 1_200,
    });
    const receipts = events.flatMap((event) =>
      event.type === 'CUSTOM' && event.name === 'svc.ricevuta-consumo' ? [event.value as any] : [],
    );
    expect(receipts.map(({ esito, usage }) => [esito, usage?.prompt_tokens ?? null])).toEqual([
      ['interrotto', 1_000],
      ['interrotto', null],
      ['completato', 1_100],
    ]);
  });

  test('is continued nine times, then the turn ends with the failure and the text that came', async () => {
    const [setup, events] = await run(Array.from({ length: 12 }, (_, n) => [...say(`${n} `), broken()]));
    await using _ = setup;
    expect(setup.model.requests).toHaveLength(10);
    expect(events.at(-1)).toMatchObject({ type: 'RunError', classe: 'flusso-interrotto' });
    const texts = events.flatMap((event) => (event.type === 'TextMessageContent' ? [event.delta] : []));
    expect(texts.join('')).toBe('0 1 2 3 4 5 6 7 8 9 ');
  });

  test.each<[string, Parameters<typeof broken>[0]]>([
    ['a refused key', { class: 'credential', httpStatus: 401 }],
    ['no credit', { class: 'credit', httpStatus: 402 }],
    ['a refused request', { class: 'request-refused', httpStatus: 400 }],
    ['a certificate that is not accepted', { class: 'network', code: 'CERTIFICATE_REJECTED', isLasting: true }],
    ['a wait of over ten minutes', { class: 'rate-limit', httpStatus: 429, retryAfterMs: 600_001 }],
  ])('by %s is not asked again', async (_name, facts) => {
    const [setup, events] = await run([[broken(facts)]]);
    await using _ = setup;
    expect([setup.model.requests.length, events.at(-1)?.type]).toEqual([1, 'RunError']);
  });
});

describe('the wait before a retry', () => {
  const waiting = async () => {
    const setup = await testSessions([
      { events: [broken({ class: 'rate-limit', httpStatus: 429, retryAfterMs: 600_000 })] },
      { events: say('here') },
    ]);
    const id = await setup.start();
    while (retriesIn(await setup.events(id)).length === 0) await new Promise((done) => setImmediate(done));
    return { setup, id };
  };

  test('ends when the user asks for it, and there is then none to end', async () => {
    const { setup, id } = await waiting();
    await using _ = setup;
    setup.sessions.turns.tryNow(id);
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)?.type).toBe('RunFinished');
    expect(() => setup.sessions.turns.tryNow(id)).toThrow(expect.objectContaining({ code: 'SESSION_NOT_READY' }));
    expect(() => setup.sessions.turns.tryNow('nobody')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  test('ends with the turn when it is stopped', async () => {
    const { setup, id } = await waiting();
    await using _ = setup;
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)).toMatchObject({ type: 'RunError', code: 'fermato' });
    expect(setup.model.requests).toHaveLength(1);
  });

  test('takes over five minutes in all and under eight, and what a provider asks is taken as it is', () => {
    const ambient = fakeAmbient();
    const tries = Array.from({ length: MAX_TRIES - 1 }, (_, index) => index + 1);
    const waits = tries.map((attempt) => waitBeforeRetry(failure({ retryAfterMs: null }), attempt, ambient));
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    // The last ones differ by their jitter only.
    const growing = waits.slice(0, 6);
    expect(growing).toEqual(growing.toSorted((one, other) => one - other));
    expect(total).toBeGreaterThan(300_000);
    expect(total).toBeLessThan(480_000);
    expect(waitBeforeRetry(failure({ retryAfterMs: 600_000 }), 1, ambient)).toBe(600_000);
  });
});

describe('whether a call is repeated', () => {
  const limits = { maxTries: 10, hasFallback: false, isExternal: false, isOfRun: false, startedAt: 0 };
  const is = (facts: Parameters<typeof broken>[0], attempt: number, more = {}, now = 0): boolean =>
    isRetried(failure(facts), attempt, { limits: { ...limits, ...more }, now });

  test.each([
    ['the ninth try failed', is({}, 9), true],
    ['the tenth try failed', is({}, 10), false],
    ['a fallback waits, third try', is({}, 3, { hasFallback: true }), true],
    ['a fallback waits, fourth try', is({}, 4, { hasFallback: true }), false],
    ['a fallback waits, the wait ends after 15 s', is({ retryAfterMs: 15_000 }, 1, { hasFallback: true }), true],
    ['a fallback waits, the wait ends later', is({ retryAfterMs: 15_001 }, 1, { hasFallback: true }), false],
    ['a run waits a minute', is({ retryAfterMs: 60_000 }, 1, { isOfRun: true }), true],
    ['a run leaves a longer wait to its engine', is({ retryAfterMs: 60_001 }, 1, { isOfRun: true }), false],
    ['an external agent that may have worked', is({}, 1, { isExternal: true }), false],
    ['an external agent that did not begin', is({ isOutcomeKnown: true }, 1, { isExternal: true }), true],
  ])('%s', (_name, repeated, expected) => {
    expect(repeated).toBe(expected);
  });
});

test('with a fallback, an answer that breaks off four times is handed over', async () => {
  const setup = await testSessions(Array.from({ length: 6 }, (_, n) => ({ events: [...say(`${n}`), broken()] })));
  await using _ = setup;
  const id = await setup.start({ fallbackProviders: [{ provider: 'deepseek', model: 'deepseek-chat' }] });
  await setup.sessions.turns.settled(id);
  expect(setup.model.requests.map(({ fallback }) => fallback?.after?.class)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'stream-interrupted',
  ]);
});
