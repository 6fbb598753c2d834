import { expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { serverWithDamagedProviders, testServer } from '../harness.ts';

covers('ext.models.profile', 'says what a model gets by default, and who stated it', async () => {
  await using server = await testServer();
  const of = async (model: string) =>
    (await server.call('GET', '/ext/models/profile', { query: { model } })).data.profile;
  expect(await of('openai:gpt-5.1')).toMatchObject({
    model: 'openai:gpt-5.1',
    window: { tokens: null, from: null },
    outputLimit: { tokens: null, from: null },
    dialect: { name: 'gpt', from: 'family' },
    effort: { default: 'medium' },
  });
  const { effort } = await of('anthropic:claude-opus-4-6');
  expect(effort.default).toBe('adaptive');
  expect(effort.levels).toContain('high');
  expect((await of('ollama:scripted-1')).effort).toEqual({ default: null, levels: [] });
  const without = await server.call('GET', '/ext/models/profile');
  expect([without.status, without.code]).toEqual([400, 'QUERY_INVALID']);
});

refuses('ext.models.profile', 'MODEL_ID_INVALID', 'what is no id of a model', async () => {
  await using server = await testServer();
  const refusal = await server.call('GET', '/ext/models/profile', { query: { model: 'no model' } });
  expect([refusal.status, refusal.code]).toEqual([400, 'MODEL_ID_INVALID']);
});

refuses('ext.models.profile', 'PROVIDER_STORE_UNAVAILABLE', 'a damaged store of providers', async () => {
  await using server = await serverWithDamagedProviders();
  const refusal = await server.call('GET', '/ext/models/profile', { query: { model: 'ollama:tiny' } });
  expect(refusal.code).toBe('PROVIDER_STORE_UNAVAILABLE');
});
