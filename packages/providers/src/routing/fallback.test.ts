import type { ModelEvent, ModelFailure, ModelPair } from '@fucina/shared';
import type { Fault, ModelServerRequest, Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn, type Harness, question, textOf } from '../../test/harness.ts';

const PRIMARY = 'deepseek:deepseek-chat';
const KIMI: ModelPair = { provider: 'kimi', model: 'kimi-k2.5' };
const GROQ: ModelPair = { provider: 'groq', model: 'openai/gpt-oss-120b' };
const never = (): boolean => false;

/** A response that depends on the key of the request. */
function byKey(replies: Record<string, Reply>): (request: ModelServerRequest) => Reply {
  return ({ headers }) => replies[(headers.authorization ?? '').replace('Bearer ', '')] ?? { text: 'ok' };
}

const status = (code: number, extra: Partial<Extract<Fault, { kind: 'status' }>> = {}): Reply => ({
  fault: { kind: 'status', status: code, ...extra },
});

async function ask(
  harness: Harness,
  reserves: readonly ModelPair[],
  wouldRetry: (failure: ModelFailure) => boolean = never,
): Promise<ModelEvent[]> {
  return harness.ask(PRIMARY, { fallback: { reserves, wouldRetry } });
}

const notices = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));

async function connected(script: (request: ModelServerRequest) => Reply): Promise<Harness> {
  const harness = await createHarness({ script });
  await harness.connect('deepseek', 'sk-primary-0000');
  await harness.connect('kimi', 'sk-kimi-000000');
  await harness.connect('groq', 'sk-groq-000000');
  return harness;
}

describe('fallback models', () => {
  test.each([
    ['429', status(429), 'rate-limit', 429],
    ['500', status(500), 'server', 500],
    ['503', status(503), 'server', 503],
    ['529', status(529), 'server', 529],
  ] as const)('take over after %s when the caller would not retry', async (_name, fault, cause, httpStatus) => {
    await using harness = await connected(byKey({ 'sk-primary-0000': fault, 'sk-kimi-000000': { text: 'kimi' } }));
    const events = await ask(harness, [KIMI, GROQ]);
    expect(textOf(events)).toBe('kimi');
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    const from = { provider: 'deepseek', model: 'deepseek-chat' };
    expect(notices(events)).toEqual([{ kind: 'fallback', from, to: KIMI, cause, httpStatus }]);
    expect(harness.server.requests.map(({ model }) => model)).toEqual(['deepseek-chat', 'kimi-k2.5']);
  });

  test('wait until the caller’s retries are used up', async () => {
    await using harness = await connected(byKey({ 'sk-primary-0000': status(500) }));
    const events = await ask(harness, [KIMI], () => true);
    expect(failureIn(events)).toMatchObject({ class: 'server', httpStatus: 500 });
    expect(notices(events)).toEqual([]);
    expect(harness.server.requests).toHaveLength(1);
  });

  test('are tried in order, each announced before its call', async () => {
    await using harness = await connected(
      byKey({ 'sk-primary-0000': status(429), 'sk-kimi-000000': status(503), 'sk-groq-000000': { text: 'groq' } }),
    );
    const events = await ask(harness, [KIMI, GROQ]);
    expect(textOf(events)).toBe('groq');
    expect(notices(events).map(({ to }) => to)).toEqual([KIMI, GROQ]);
  });

  test('are not called when the caller stops at the notice', async () => {
    await using harness = await connected(byKey({ 'sk-primary-0000': status(503) }));
    const fallback = { reserves: [KIMI], wouldRetry: never };
    const request = { ...question(), model: PRIMARY, fallback };
    let seen = 0;
    for await (const batch of harness.providers.client.stream(request, new AbortController().signal)) {
      seen += 1;
      expect(batch).toHaveLength(1);
      expect(batch[0]?.type).toBe('notice');
      break;
    }
    expect(seen).toBe(1);
    expect(harness.server.requests).toHaveLength(1);
  });

  test('without a key and equal to the model itself are skipped', async () => {
    await using harness = await connected(byKey({ 'sk-primary-0000': status(503) }));
    const itself = { provider: 'deepseek', model: 'deepseek-chat' };
    const events = await ask(harness, [itself, { provider: 'xai', model: 'grok-4' }, KIMI]);
    expect(notices(events).map(({ to }) => to)).toEqual([KIMI]);
    const only = await harness.ask(PRIMARY, {
      fallback: { reserves: [{ provider: 'xai', model: 'grok-4' }], wouldRetry: never },
    });
    expect(failureIn(only)).toMatchObject({ class: 'server', httpStatus: 503 });
  });

  test('come after the other keys of the same provider', async () => {
    await using harness = await connected(
      byKey({ 'sk-primary-0000': status(429), 'sk-second-0000': { text: 'second' } }),
    );
    await harness.providers.keys.add('deepseek', { key: 'sk-second-0000', priority: 1 });
    const events = await ask(harness, [KIMI]);
    expect(textOf(events)).toBe('second');
    expect(notices(events)).toEqual([]);
  });

  test('take over from a connection that is dropped', async () => {
    await using harness = await connected(
      byKey({ 'sk-primary-0000': { fault: { kind: 'refuse' } }, 'sk-kimi-000000': { text: 'kimi' } }),
    );
    const events = await ask(harness, [KIMI]);
    expect([textOf(events), notices(events).map(({ cause }) => cause)]).toEqual(['kimi', ['network']]);
  });

  test('answer at once after an answer that broke off', async () => {
    await using harness = await connected(byKey({ 'sk-kimi-000000': { text: 'kimi' } }));
    const after = { ...failureIn(await harness.ask('xai:grok-4')), class: 'stream-interrupted' as const };
    const events = await harness.ask(PRIMARY, { fallback: { reserves: [KIMI], wouldRetry: never, after } });
    expect([textOf(events), harness.server.requests.length]).toEqual(['kimi', 1]);
  });

  test('do not take over from a program of this computer that is not running', async () => {
    await using harness = await connected(() => ({ text: 'kimi' }));
    await using closed = await createHarness();
    const endpoint = `${closed.server.url}/v1`;
    await closed.server.close();
    harness.providers.runtime.change('deepseek', { endpoint });
    await harness.providers.keys.add('deepseek', { key: 'sk-moved-000000' });
    const events = await ask(harness, [KIMI]);
    expect([failureIn(events).isLasting, notices(events), harness.server.requests]).toEqual([true, [], []]);
  });

  const refusals: [string, Fault][] = [
    ['401', { kind: 'status', status: 401 }],
    ['403', { kind: 'status', status: 403 }],
    ['402', { kind: 'status', status: 402 }],
    ['an empty account said with 429', { kind: 'credit' }],
    ['a full context', { kind: 'context-too-long' }],
    ['a full context said with 429', { kind: 'context-too-long', status: 429 }],
    ['a full context said with 503', { kind: 'context-too-long', status: 503 }],
    ['400', { kind: 'status', status: 400 }],
    ['a stream cut after 200', { kind: 'cut' }],
    ['an error inside the stream', { kind: 'error-event' }],
    ['a page', { kind: 'html' }],
    ['a redirect', { kind: 'redirect', location: 'http://127.0.0.2:9/' }],
  ];
  test.each(refusals)('never take over after %s', async (_name, fault) => {
    await using harness = await connected(byKey({ 'sk-primary-0000': { text: ['a', 'b'], fault } }));
    const events = await ask(harness, [KIMI]);
    expect(events.at(-1)?.type).toBe('failure');
    expect(notices(events)).toEqual([]);
    expect(harness.server.requests).toHaveLength(1);
  });

  test('never take over for a missing key, a missing address or a stop', async () => {
    await using harness = await connected(() => ({ text: 'ok' }));
    const fallback = { reserves: [KIMI], wouldRetry: never };
    expect(failureIn(await harness.ask('xai:grok-4', { fallback })).code).toBe('PROVIDER_KEY_REQUIRED');
    expect(failureIn(await harness.ask('azure:gpt-5', { fallback })).code).toBe('PROVIDER_RUNTIME_INVALID');
    expect(failureIn(await harness.ask(PRIMARY, { fallback }, AbortSignal.abort())).class).toBe('cancelled');
    expect(harness.server.requests).toEqual([]);
  });

  test('take over for the local engine only with consent', async () => {
    await using harness = await connected(() => ({ text: 'kimi' }));
    const fallback = { reserves: [KIMI], wouldRetry: never };
    expect(failureIn(await harness.ask('local:my.gguf')).code).toBe('RUNTIME_NOT_AVAILABLE');
    const events = await harness.ask('local:my.gguf', { fallback });
    expect(textOf(events)).toBe('kimi');
    expect(notices(events)[0]).toMatchObject({
      from: { provider: 'local', model: 'my.gguf' },
      cause: 'not-configured',
    });
  });
});

describe('provider keys', () => {
  test('use the next one at once when a key is rejected or out of credit', async () => {
    await using harness = await connected(
      byKey({
        'sk-primary-0000': status(401),
        'sk-second-0000': { fault: { kind: 'credit' } },
        'sk-third-00000': { text: 'third' },
      }),
    );
    await harness.providers.keys.add('deepseek', { key: 'sk-second-0000', priority: 1 });
    await harness.providers.keys.add('deepseek', { key: 'sk-third-00000', priority: 2 });
    expect(textOf(await harness.ask(PRIMARY))).toBe('third');
    const { pool } = await harness.providers.registry.row('deepseek');
    expect(pool.map(({ cause }) => cause)).toEqual(['credential', 'credit', null]);
  });

  test('return the last rejection when every key is rejected once', async () => {
    await using harness = await connected(() => status(401));
    await harness.providers.keys.add('deepseek', { key: 'sk-second-0000', priority: 1 });
    expect(failureIn(await harness.ask(PRIMARY))).toMatchObject({ class: 'credential' });
    expect(harness.server.requests).toHaveLength(2);
  });

  test('ignore the wait of one key while another is ready', async () => {
    await using harness = await connected(byKey({ 'sk-primary-0000': status(429, { retryAfter: 3600 }) }));
    expect(failureIn(await harness.ask(PRIMARY))).toMatchObject({ retryAfterMs: 3_600_000 });
    await harness.providers.keys.add('deepseek', { key: 'sk-primary-0000' });
    await harness.providers.keys.add('deepseek', { key: 'sk-second-0000', priority: 1 });
    expect(failureIn(await harness.ask(PRIMARY))).toMatchObject({ class: 'rate-limit', retryAfterMs: 0 });
    expect(textOf(await harness.ask(PRIMARY))).toBe('ok');
  });
});

test('pass on the cost reported by OpenRouter', async () => {
  await using harness = await createHarness();
  await harness.connect('aggregator');
  harness.server.script(() => ({ text: 'x', usage: { promptTokens: 1, completionTokens: 1, costUsd: 0.0042 } }));
  const events = await harness.ask('openai/gpt-5.1');
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({ usage: { declaredCostUsd: 0.0042 } });
  expect(harness.server.requests[0]?.body).toMatchObject({ usage: { include: true } });
});
