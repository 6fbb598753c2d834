import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import {
  claude,
  createModelServer,
  createVendorServer,
  geminiRules,
  kimi,
  reasoningField,
  redirectOrigins,
  responses,
  SAMPLE_BUG,
  tempDir,
  type VendorPart,
} from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

type Call = Extract<VendorPart, { call: unknown }>['call'];

const reads = (name: string, call: Call): VendorPart[] => [
  { reasoning: `${name} thinks.` },
  { text: `${name} reads.` },
  { call },
];
const ANSWERS = (name: string, call: Call): VendorPart[][] =>
  [1, 2, 3, 4].flatMap((visit) => [reads(`${name} ${visit}`, call), [{ text: `${name} ${visit} is done.` }]]);

/** Each family in its own words. */
const path = SAMPLE_BUG.path;
const CLAUDE: Call = { name: 'Read', arguments: { file_path: path } };
const GPT: Call = { name: 'read_file', arguments: { path } };
const OTHERS: Call = { name: 'read', arguments: { path } };

const MODELS = [
  ['zai-anthropic:claude-opus-5-5', claude, '/api/anthropic/v1', CLAUDE],
  ['kimi:kimi-k2.5', kimi, '/v1', OTHERS],
  ['gemini:gemini-3-pro-preview', geminiRules, undefined, OTHERS],
  ['openai:gpt-6-sol', responses, '/v1', GPT],
  ['ollama:gpt-oss:20b', reasoningField, '', GPT],
] as const;

test('one conversation goes from model to model and back, with tools and a restart before each, and none refuses it', async () => {
  await using dir = await tempDir();
  const vendors = MODELS.map(([model, vendor, , call]) =>
    createVendorServer(vendor, ANSWERS(model.split(':')[0] as string, call)),
  );
  const servers = await Promise.all(vendors.map(({ script }) => createModelServer({ script })));
  const origins = { 'https://generativelanguage.googleapis.com': servers[2]?.url ?? '' };
  await using out = createOutboundHttp({ ambient: systemAmbient('silent') });
  await using first = await testServer({ dataDir: dir.path });
  const sessionId = await first.startSession({ modello: 'ollama:tiny' });
  await first.settled(sessionId);
  await first.stop();
  for (const index of [0, 1, 2, 3, 4, 3, 2, 1, 0, 4, 0]) {
    const [model, , prefix] = MODELS[index] as (typeof MODELS)[number];
    await using server = await testServer({ dataDir: dir.path, http: redirectOrigins(out, origins) });
    const provider = model.split(':')[0] as string;
    const endpoint = prefix === undefined ? {} : { endpoint: `${servers[index]?.url}${prefix}` };
    await server.call('POST', `/providers/${provider}/runtime`, { body: { ...endpoint, timeoutSeconds: 30 } });
    await server.call('POST', `/providers/${provider}/keys`, { body: { key: 'sk-switch-0123456789', priorita: 0 } });
    const changed = await server.call('POST', `/sessions/${sessionId}/settings`, { body: { modello: model } });
    expect(changed.status).toBe(200);
    await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: `Now with ${model}.` } });
    const row = await server.settled(sessionId);
    expect([model, row.motivoChiusura, vendors[index]?.refusals]).toEqual([model, 'fine-lavoro', []]);
  }
  await Promise.all(servers.map(async (server) => server.close()));
  // Claude answered twice a visit and got the answers of its first two visits back in the third.
  expect(vendors[0]?.returned()).toBe(5);
});
