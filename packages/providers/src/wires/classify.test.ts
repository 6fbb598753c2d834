import { describe, expect, test } from '@jest/globals';
import { classify } from './classify.ts';
import { waitAsked } from './waits.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

describe('the retry delay of a provider', () => {
  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': new Date(NOW + 30_000).toUTCString() }, 30_000],
    [{ 'retry-after': new Date(NOW - 30_000).toUTCString() }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    [
      {
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '6m0s',
        'x-ratelimit-remaining-tokens': '90',
      },
      1000,
    ],
    [{ 'x-ratelimit-reset-tokens': '120ms' }, 120],
    [{ 'x-ratelimit-reset': String(NOW + 9000) }, 9000],
    [{ 'x-ratelimit-reset': String(NOW / 1000 + 9) }, 9000],
    [{ 'x-ratelimit-reset': '12' }, 12_000],
    [
      {
        'anthropic-ratelimit-requests-reset': new Date(NOW + 4000).toISOString(),
        'anthropic-ratelimit-requests-remaining': '0',
      },
      4000,
    ],
    [
      {
        'anthropic-ratelimit-requests-reset': new Date(NOW + 4000).toISOString(),
        'anthropic-ratelimit-requests-remaining': '3',
      },
      null,
    ],
    [{ 'retry-after': '9999999' }, 86_400_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ] as [Record<string, string>, number | null][])('in %j is %s ms', (headers, wait) => {
    expect(waitAsked(headers, NOW)).toBe(wait);
  });
});

describe('a provider error', () => {
  test.each([
    [400, '{"error":{"code":"context_length_exceeded"}}', 'context-too-long'],
    [400, '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}', 'context-too-long'],
    [503, "This model's maximum context length is 8192 tokens", 'context-too-long'],
    [400, 'the request exceeds the available context size', 'context-too-long'],
    [400, '{"error":"Input is too long for requested model."}', 'context-too-long'],
    [403, '{"error":{"message":"Insufficient Balance"}}', 'credit'],
    [429, '{"error":{"code":"insufficient_quota"}}', 'credit'],
    [400, 'Your credit balance is too low to access the API', 'credit'],
    [403, 'permission denied', 'credential'],
    [401, 'maximum context', 'credential'],
    [429, 'Rate limit reached', 'rate-limit'],
    [408, '', 'server'],
    [502, '<html>', 'server'],
    [422, 'bad field', 'request-refused'],
  ] as const)('%s %j is %s', (status, body, expected) => {
    expect(classify({ status, headers: {}, body }, NOW).class).toBe(expected);
  });

  test('contains the provider’s message without keys', () => {
    const failure = classify({ status: 400, headers: {}, body: 'sk-canary-0123456789 in the body' }, NOW);
    expect(failure.providerMessage).toBe('[redacted] in the body');
    expect(JSON.stringify(failure)).not.toContain('canary');
  });

  test.each([
    '{"error":{"message":"The model `tiny-9` does not exist or you do not have access to it.","code":"model_not_found"}}',
    '{"error":"model \'tiny-9\' not found, try pulling it first"}',
    '{"type":"error","error":{"type":"not_found_error","message":"model: tiny-9"}}',
    '{"error":{"code":404,"message":"models/tiny-9 is not found for API version v1beta","status":"NOT_FOUND"}}',
    '{"error":{"message":"No endpoints found for tiny-9.","code":404}}',
    '{"error":{"message":"Not here.","code":"model_not_found"}}',
  ])('404 %s is an unknown model', (body) => {
    const failure = classify({ status: 404, headers: {}, body, model: 'tiny-9' }, NOW);
    expect(failure).toMatchObject({ class: 'request-refused', code: 'MODEL_NOT_FOUND', httpStatus: 404 });
    expect(failure.providerMessage).toBeDefined();
    expect(classify({ status: 400, headers: {}, body, model: 'tiny-9' }, NOW).code).toBe('MODEL_CALL_FAILED');
  });

  test.each([
    '',
    '404 page not found',
    '{"detail":"Not Found"}',
    '{"error":{"message":"Invalid URL (POST /v1/models/tiny-9/chat)"}}',
    'Cannot POST /v1beta/models/tiny-9:streamGenerateContent',
    '{"message":"http://127.0.0.1:9/models/tiny-9 not found"}',
    '{"message":"No static resource v1beta/models/tiny-9 was not found"}',
    '{"timestamp":1,"status":404,"error":"Not Found","path":"/v1beta/models/tiny-9:streamGenerateContent"}',
    '<html><head><title>The model tiny-9 is not found</title></head></html>',
  ])('404 %s is a wrong address', (body) => {
    const failure = classify({ status: 404, headers: {}, body, model: 'tiny-9' }, NOW);
    expect(failure).toMatchObject({ class: 'request-refused', code: 'MODEL_CALL_FAILED' });
  });
});
