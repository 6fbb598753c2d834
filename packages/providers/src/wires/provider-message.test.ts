import type { Fault } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn } from '../../test/harness.ts';
import { MAX_PROVIDER_MESSAGE, providerMessage } from './provider-message.ts';

describe('the message of a provider', () => {
  test.each([
    ['{"error":{"message":"Unknown model m."}}', 'Unknown model m.'],
    ['{"error":"Input is too long."}', 'Input is too long.'],
    ['{"message":"No credit."}', 'No credit.'],
    ['{"detail":[{"msg":"field required"},{"msg":"bad value"}]}', 'field required bad value'],
    ['{"errors":[{"message":"one"}]}', 'one'],
    ['[{"error":{"message":"in a list"}}]', 'in a list'],
    [
      '{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"error\\":{\\"message\\":\\"too many tools\\"}}"}}}',
      'Provider returned error: too many tools',
    ],
    ['{"error":{"message":"cut in the mid\\u0064le of', 'cut in the middle of'],
    ['<html><head><title>502 Bad Gateway</title></head><body>long</body></html>', '502 Bad Gateway'],
    ['upstream connect error', 'upstream connect error'],
    ['{"code":7,"status":"odd shape"}', '{"code":7,"status":"odd shape"}'],
  ])('is read from %j', (body, sentence) => {
    expect(providerMessage(body)).toBe(sentence);
  });

  test.each(['', '  ', '{}', '[]', 'null', '{"error":null}', '\u0000\u001b'])('is missing in %j', (body) => {
    expect(providerMessage(body)).toBeUndefined();
  });

  test.each([
    ['Incorrect API key provided: sk-proj-ab12****wxyz.', 'Incorrect API key provided: [redacted]'],
    ['key AIzaSyA-0123456789_abc is disabled', 'key [redacted] is disabled'],
    ['Authorization: Bearer abc.def-0123', 'Authorization: Bearer [redacted]'],
    ['cannot reach https://joe:hunter2@proxy.local/v1', 'cannot reach https://[redacted]@proxy.local/v1'],
    ['GET https://x.y/v1?api_key=0123abc&b=1 failed', 'GET https://x.y/v1?api_key=[redacted]&b=1 failed'],
  ])('masks the credentials in %j', (said, shown) => {
    expect(providerMessage(said)).toBe(shown);
  });

  test('masks the request key in every encoding', () => {
    const key = 'a+b/c=plain words';
    const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')];
    for (const form of forms) {
      const said = providerMessage(JSON.stringify({ error: { message: `<${form}>` } }), ['other', key]);
      expect(said).toMatch(/^<\[redacted\]=*>$/);
    }
  });

  test('is one line without control characters', () => {
    const body = JSON.stringify({
      error: { message: 'red \u001b[31malert\u001b[0m\r\nnext\u0000 \u202Eline\u2028end \ud800' },
    });
    expect(providerMessage(body)).toBe('red alert next line end \ufffd');
  });

  test('is truncated between characters', () => {
    const said = providerMessage(`x${'😀'.repeat(5_000)}`);
    expect(said?.length).toBeLessThanOrEqual(MAX_PROVIDER_MESSAGE);
    expect(said).toBe(Buffer.from(said ?? '').toString());
    expect(said?.endsWith('…')).toBe(true);
  });
});

const WIRES = ['deepseek', 'openai', 'zai-anthropic', 'gemini'] as const;
const MODELS = { deepseek: 'deepseek:m', openai: 'openai:m', 'zai-anthropic': 'zai-anthropic:m', gemini: 'gemini:m' };
const KEY = 'canary-key-0123456789';
const SAID = `The model m has no tools. Your key is ${KEY}.`;
const SHOWN = 'The model m has no tools. Your key is [redacted].';

describe.each(WIRES)('a failure on the wire of %s', (provider) => {
  test.each<[string, Fault]>([
    ['a refusal', { kind: 'status', status: 400, message: SAID }],
    ['a refused key', { kind: 'status', status: 401, message: SAID }],
    ['an error inside the stream', { kind: 'error-event', message: SAID }],
    ['an error before the first word', { kind: 'error-event', after: 0, message: SAID }],
  ])('contains the provider’s message after %s', async (_name, fault) => {
    await using harness = await createHarness({ script: [{ text: ['a', 'b'], fault }] });
    await harness.connect(provider, KEY);
    const failure = failureIn(await harness.ask(MODELS[provider]));
    expect(failure.providerMessage).toBe(SHOWN);
    expect(failure.message).not.toContain('m has');
  });

  test('is MODEL_NOT_FOUND for an unknown model', async () => {
    const fault = { kind: 'status', status: 404, message: 'The model `m` does not exist.' } as const;
    await using harness = await createHarness({ script: [{ fault }] });
    await harness.connect(provider);
    expect(failureIn(await harness.ask(MODELS[provider]))).toMatchObject({
      class: 'request-refused',
      code: 'MODEL_NOT_FOUND',
      providerMessage: 'The model `m` does not exist.',
    });
  });

  test('keeps its class for a wrong address', async () => {
    const fault = { kind: 'status', status: 404, body: '{"detail":"Not Found"}' } as const;
    await using harness = await createHarness({ script: [{ fault }] });
    await harness.connect(provider);
    expect(failureIn(await harness.ask(MODELS[provider]))).toMatchObject({
      class: 'request-refused',
      code: 'MODEL_CALL_FAILED',
      providerMessage: 'Not Found',
    });
  });

  test('contains a gateway error sent with status 200', async () => {
    const fault = { kind: 'html' } as const;
    await using harness = await createHarness({ script: [{ fault }] });
    await harness.connect(provider);
    const failure = failureIn(await harness.ask(MODELS[provider]));
    expect(failure).toMatchObject({ class: 'request-refused', httpStatus: 200 });
    expect(failure.providerMessage).toBe('Sign in');
  });
});

test('is reported by the provider test', async () => {
  const fault = { kind: 'status', status: 403, message: SAID } as const;
  await using harness = await createHarness({ modelsReply: { fault } });
  await harness.connect('deepseek', KEY);
  expect(await harness.providers.test('deepseek')).toMatchObject({ detail: 'key-refused', providerMessage: SHOWN });
});
