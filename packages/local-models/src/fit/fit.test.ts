import { describe, expect, test } from '@jest/globals';
import { machineWith, type RuntimesFixture, runtimesFixture } from '../../test/runtimes-fixture.ts';
import type { Machine } from './machine.ts';

const GIB = 1024 ** 3;

async function fixtureOn(machine: Machine): Promise<RuntimesFixture> {
  const fixture = await runtimesFixture({ machine });
  fixture.add('long', { contextLength: 131_072 });
  fixture.add('short', { contextLength: 8_192 });
  fixture.add('plain', { contextLength: 131_072, template: null });
  fixture.add('half', { state: 'incomplete' });
  fixture.add('broken', { bytes: Buffer.from('GGUF') });
  return fixture;
}

describe('the fit of an installed model', () => {
  test('is computed for a large computer', async () => {
    await using fixture = await fixtureOn(machineWith());
    const verdict = async (modelId: string, request = {}) => {
      const { profile, state, reason, context } = await fixture.runtimes.fit(modelId, request);
      return [profile, state, reason, context.requestedTokens, context.availableTokens];
    };
    expect(await verdict('long')).toEqual(['agent', 'compatible', 'fits', 65_536, 131_072]);
    expect(await verdict('long', { profile: 'chat' })).toEqual(['chat', 'compatible', 'fits', 4_096, 131_072]);
    expect(await verdict('short')).toEqual(['agent', 'chat-only', 'context', 65_536, 8_192]);
    expect(await verdict('short', { contextTokens: 4_096 })).toEqual(['agent', 'chat-only', 'context', 4_096, 8_192]);
    expect(await verdict('short', { profile: 'chat' })).toEqual(['chat', 'compatible', 'fits', 4_096, 8_192]);
    expect(await verdict('short', { profile: 'chat', contextTokens: 9_000 })).toEqual([
      'chat',
      'blocked',
      'context',
      9_000,
      8_192,
    ]);
    expect(await verdict('plain')).toEqual(['agent', 'chat-only', 'template', 65_536, 131_072]);
    expect(await verdict('plain', { profile: 'chat' })).toEqual(['chat', 'compatible', 'fits', 4_096, 131_072]);
  });

  test('separates measured, declared and unknown values', async () => {
    await using fixture = await fixtureOn(machineWith());
    const { inspection } = await fixture.runtimes.fit('long', {});
    const unknown = { state: 'unknown', value: null };
    const yes = { state: 'observed', value: true };
    expect(inspection).toMatchObject({
      modelId: 'long',
      format: { state: 'observed', value: { magic: 'GGUF', version: 3 } },
      storageBytes: { state: 'observed', value: expect.any(Number) },
      workingMemoryBytes: { state: 'declared', value: expect.any(Number) },
      context: { trainedTokens: { state: 'observed', value: 131_072 }, runtimeTokens: unknown },
      template: yes,
      capabilities: { tools: yes, toolCalls: yes, systemRole: yes },
      backend: unknown,
      build: unknown,
    });
  });

  test.each([
    ['little memory', machineWith({ memoryBytes: 1_000_000 }), 'blocked', 'memory'],
    ['nothing that can be measured', machineWith({ isBroken: true }), 'unknown', 'measurement'],
  ])('on a computer with %s', async (_name, machine, state, reason) => {
    await using fixture = await fixtureOn(machine);
    expect(await fixture.runtimes.fit('long', {})).toMatchObject({ state, reason });
  });

  test('rejects unknown models and invalid options', async () => {
    await using fixture = await fixtureOn(machineWith());
    for (const [modelId, request, code] of [
      ['nobody', {}, 'MODEL_NOT_FOUND'],
      ['half', {}, 'MODEL_NOT_READY'],
      ['broken', {}, 'MODEL_HEADER_INVALID'],
      ['long', { profile: 'poet' }, 'FIT_INVALID'],
      ['long', { contextTokens: 0 }, 'FIT_INVALID'],
      ['long', { contextTokens: 1.5 }, 'FIT_INVALID'],
      ['long', { contextTokens: 1e9 }, 'FIT_INVALID'],
    ] as const)
      await expect(fixture.runtimes.fit(modelId, request)).rejects.toMatchObject({ code });
  });
});

describe('the fit of a file size', () => {
  test('is estimated for agent use unless a shorter context is given', async () => {
    await using fixture = await runtimesFixture({
      machine: machineWith({ memoryBytes: 16 * GIB, diskBytes: 40 * GIB }),
    });
    const estimate = async (bytes: number, contextTokens?: number) => {
      const answer = await fixture.runtimes.estimate({ bytes, ...(contextTokens && { contextTokens }) });
      return [answer.profile, answer.state, answer.reason, answer.context.requestedTokens];
    };
    expect(await estimate(1 * GIB)).toEqual(['agent', 'compatible', 'fits', 65_536]);
    expect(await estimate(12 * GIB)).toEqual(['agent', 'blocked', 'memory', 65_536]);
    expect(await estimate(12 * GIB, 4_096)).toEqual(['chat', 'compatible', 'fits', 4_096]);
    expect(await estimate(39.5 * GIB)).toEqual(['agent', 'blocked', 'storage', 65_536]);
    for (const request of [{ bytes: 0 }, { bytes: 2 ** 52 }, { bytes: 1, contextTokens: 0 }])
      await expect(fixture.runtimes.estimate(request)).rejects.toMatchObject({ code: 'FIT_INVALID' });
  });
});

describe('the capacity of this computer', () => {
  test('is measured, with null for unknown graphics cards', async () => {
    await using fixture = await runtimesFixture();
    const capacity = await fixture.runtimes.capacity();
    expect(capacity.memory.totalBytes).toBeGreaterThan(GIB / 4);
    expect(capacity.processor.physicalCores).toBeGreaterThan(0);
    expect(capacity.storage.reserveBytes).toBe(GIB);
    expect(capacity.storage.allocatableBytes).toBe(Math.max(0, capacity.storage.availableBytes - GIB));
    expect(capacity.graphics === null || capacity.graphics.length > 0).toBe(true);
    expect(capacity.runtime).toEqual({ status: 'unavailable', reason: null });
  });

  test('fails when it cannot be measured', async () => {
    await using fixture = await runtimesFixture({ machine: machineWith({ isBroken: true }) });
    await expect(fixture.runtimes.capacity()).rejects.toMatchObject({ code: 'REPORT_UNAVAILABLE' });
  });
});
