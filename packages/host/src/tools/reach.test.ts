import { createSandboxRules, type NetworkMode } from '@fucina/sandbox';
import type { Sessions } from '@fucina/sessions';
import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createSavedRules } from '../domains/permission-rules.ts';
import { createReach } from './reach.ts';

const ADDRESS = 'https://docs.example.org/x';

async function place(deny: string[] = []) {
  const dir = await tempDir();
  const rules = createSandboxRules({ ambient: fakeAmbient(), environment: {}, dataDir: dir.path });
  const lineageOf: Sessions['lineage'] = (id) => (id === 'child' ? ['child', 'parent'] : [id]);
  const standingRules = createSavedRules({ allow: [], ask: [], deny });
  const reach = createReach({ rules: async () => rules, standingRules }, lineageOf);
  return {
    rules,
    of: (asked: Partial<Parameters<typeof reach>[0]>) =>
      reach({ sessionId: 'child', folder: '/work/a', tool: 'naviga', isFree: false, ...asked }),
    mode: (mode: NetworkMode | null) => rules.setMode('everywhere', '', mode),
    async [Symbol.asyncDispose]() {
      await rules[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test('asks for an address, and allows a free one and a service, until the network is off', async () => {
  await using at = await place();
  const asked = { verdict: 'ask', host: '*.example.org', port: 443 };
  const off = { verdict: 'deny', because: 'network-off' };
  expect(await at.of({ url: ADDRESS })).toEqual(asked);
  expect(await at.of({ url: ADDRESS, isFree: true })).toEqual({ verdict: 'allow' });
  expect(await at.of({ tool: 'web_search', isFree: true })).toEqual({ verdict: 'allow' });
  await at.mode('off');
  for (const call of [{ url: ADDRESS }, { url: ADDRESS, isFree: true }, { tool: 'web_search', isFree: true }])
    expect([call, await at.of(call)]).toEqual([call, off]);
});

test('denies a tool that the user denied to an ancestor, and no other tool', async () => {
  await using at = await place();
  await at.rules.setDeniedTool({ scope: 'session', name: 'parent', tool: 'web_search' }, true);
  const search = { tool: 'web_search', isFree: true };
  expect(await at.of(search)).toEqual({ verdict: 'deny', because: 'tool' });
  expect(await at.of({ ...search, sessionId: 'other' })).toEqual({ verdict: 'allow' });
  expect(await at.of({ url: ADDRESS, isFree: true })).toEqual({ verdict: 'allow' });
});

test('denies what a rule denies, also where the user wrote the address', async () => {
  await using at = await place(['Network(docs.example.org)']);
  expect(await at.of({ url: ADDRESS, isFree: true })).toEqual({ verdict: 'deny', because: 'rule' });
  expect((await at.of({ url: 'https://example.org/', isFree: true })).verdict).toBe('allow');
});
