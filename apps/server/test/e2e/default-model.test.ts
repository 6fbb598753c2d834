import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

test('a session that names no model uses the first model of the only ready provider', async () => {
  await using server = await testServer();
  const body = { cartellaLibera: server.project.path, consegna: 'x' };
  const reply = await server.call('POST', '/sessions/custom', { body });
  expect(reply.status).toBe(200);
  expect((await server.settled(reply.data.sessionId)).modello).toBe('ollama:scripted-1');
});

test('a session that names no model is refused with the next step when no provider is ready', async () => {
  await using server = await testServer();
  await server.call('POST', '/providers/ollama/runtime/reset', { body: {} });
  const body = { cartellaLibera: server.project.path, consegna: 'x' };
  const refusal = await server.call('POST', '/sessions/custom', { body, headers: { 'accept-language': 'en' } });
  expect([refusal.status, refusal.code, refusal.reason]).toEqual([400, 'MODEL_ID_INVALID', 'no-default-model']);
  expect(refusal.error?.message).toBe('No model was chosen and no default model is set.');
  expect(refusal.error?.action).toContain('Settings → Providers');
  expect((await server.call('GET', '/sessions')).data.items).toEqual([]);
});

test('a session that names no model is refused when two providers are ready', async () => {
  await using server = await testServer();
  const runtime = { endpoint: server.model.url, timeoutSeconds: 30 };
  await server.call('POST', '/providers/lmstudio/runtime', { body: runtime });
  const body = { cartellaLibera: server.project.path, consegna: 'x' };
  expect((await server.call('POST', '/sessions/custom', { body })).reason).toBe('no-default-model');
});
