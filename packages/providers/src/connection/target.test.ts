import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { question } from '../../test/harness.ts';
import { findTarget, type TargetNeeds } from './target.ts';

/** The limits of a call at an address with this time-out. */
async function limits(
  provider: string,
  { timeoutMs, isTimeoutChosen }: { timeoutMs: number; isTimeoutChosen: boolean },
) {
  const ambient = systemAmbient('silent');
  await using http = createOutboundHttp({ ambient });
  const origin = 'http://127.0.0.1:9';
  const needs = {
    ambient,
    http,
    keys: { choose: async () => ({ fingerprint: 'f', secret: undefined }) },
    extraHeaders: { at: async () => [] },
    address: () => ({ endpoint: origin, origin, timeoutMs, isTimeoutChosen, exclusions: null }),
    chosen: {},
    knowledge: {
      takes: () => false,
      takesImages: () => true,
      outputLimitOf: () => null,
      windowOf: () => null,
    },
    localEngine: async () => undefined,
    externalAgent: () => undefined,
  } as unknown as TargetNeeds;
  const { signal } = new AbortController();
  const destination = { provider, model: 'm' };
  const { call } = await findTarget(needs, { destination, request: question(), signal });
  return [call.firstResponseMs, call.idleMs];
}

describe('how long a call waits', () => {
  const own = { timeoutMs: 60_000, isTimeoutChosen: false };

  test('for the first byte and between bytes, at a hosted provider and at a local engine', async () => {
    expect(await limits('deepseek', own)).toEqual([300_000, 120_000]);
    expect(await limits('ollama', own)).toEqual([300_000, 300_000]);
  });

  test('is what the user set, shorter or longer', async () => {
    for (const timeoutMs of [5_000, 900_000]) {
      expect(await limits('deepseek', { timeoutMs, isTimeoutChosen: true })).toEqual([timeoutMs, timeoutMs]);
    }
  });
});
