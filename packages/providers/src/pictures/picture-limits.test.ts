import { expect, test } from '@jest/globals';
import { PROVIDERS, providerOf } from '../table/registry.ts';
import { pictureLimitsOf } from './picture-limits.ts';

const limitsOf = (provider: string, model: string) => pictureLimitsOf(providerOf(provider), model);

test("limits of a model's vendor apply wherever the model is served", () => {
  const own = limitsOf('anthropic', 'claude-sonnet-4-5');
  expect(own).toMatchObject({ base64Bytes: 5_242_880, sidePx: 8_000, many: { above: 20, sidePx: 2_000 } });
  expect(limitsOf('aggregator', 'anthropic/claude-sonnet-4.5')).toMatchObject(own ?? {});
  expect(limitsOf('bedrock', 'eu.anthropic.claude-sonnet-4')).toMatchObject(own ?? {});
  expect(limitsOf('aggregator', 'google/gemini-2.5-pro')?.formats).not.toContain('image/gif');
});

test('the stricter of two limits applies', () => {
  const claude = limitsOf('azure', 'claude-sonnet-4-5');
  expect(claude).toMatchObject({ base64Bytes: 5_242_880, totalBase64Bytes: 50_000_000, refusesAnimation: true });
  expect(limitsOf('groq', 'openai/gpt-oss-20b')).toMatchObject({ pictures: 5, pixels: 33_177_600 });
  expect(limitsOf('xai', 'claude')?.formats).toEqual(['image/png', 'image/jpeg']);
});

test('every provider takes PNG and JPEG, and an external agent decides for itself', () => {
  for (const record of PROVIDERS) {
    const formats = pictureLimitsOf(record, 'm')?.formats;
    if (record.wire === 'acp') expect(formats).toBeUndefined();
    else expect(formats).toEqual(expect.arrayContaining(['image/png', 'image/jpeg']));
  }
});
