import { randomUUID } from 'node:crypto';
import { type BaseEvent, HttpAgent } from '@ag-ui/client';
import type { Reply } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, TOKEN, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

/** The events of a run; the client's pipeline verifies their order. */
async function run(replies: readonly Reply[], language = 'en'): Promise<{ events: any[]; agent: HttpAgent }> {
  const left = [...replies];
  server.model.script(() => left.shift() ?? { text: 'Done.' });
  const agent = new HttpAgent({
    url: `${server.url}api/v1/ext/ag-ui`,
    headers: { cookie: `svc_token=${TOKEN}`, 'accept-language': language },
    threadId: randomUUID(),
  });
  agent.addMessage({ id: randomUUID(), role: 'user', content: 'Go' });
  const events: BaseEvent[] = [];
  const forwardedProps = { cartella: server.project.path, modello: 'ollama:tiny', permessi: 'Workspace write' };
  await agent.runAgent({ forwardedProps }, { onEvent: ({ event }) => void events.push(event) });
  return { events, agent };
}

/** The lines of retries: where each begins and ends among the phases of the session's own event. */
const linesOf = (events: readonly any[]) =>
  events.flatMap(({ type, messageId, delta, name, value }) => {
    if (name === 'svc.provider-retry') return [value.fase];
    if (!String(messageId).startsWith('retry-')) return [];
    return type === 'REASONING_MESSAGE_CONTENT' ? [delta] : type === 'REASONING_END' ? ['ended'] : [];
  });

test('a wait before the model is asked again is a line that ends when the next try starts', async () => {
  const busy: Reply = { fault: { kind: 'status', status: 429, retryAfter: 1 } };
  const { events, agent } = await run([busy, busy, { text: 'Here.' }]);
  expect(linesOf(events)).toEqual([
    'The provider is busy. Try 2 of 4 in 1 s.',
    'attesa',
    'ended',
    'invio',
    'fine',
    'The provider is busy. Try 3 of 4 in 1 s.',
    'attesa',
    'ended',
    'invio',
    'fine',
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
  const lines = agent.messages.filter(({ role }) => role === 'reasoning').map(({ content }) => content);
  expect(lines).toEqual(['The provider is busy. Try 2 of 4 in 1 s.', 'The provider is busy. Try 3 of 4 in 1 s.']);
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Here.' });
});

test('the line of an answer that broke off in a call is in the language of the client', async () => {
  const toolCalls = [{ id: 'c1', name: 'leggi', arguments: { percorso: 'README.md' }, pieces: 3 }];
  const { events } = await run([{ text: 'I read.', toolCalls, fault: { kind: 'cut', after: 3 } }], 'it');
  expect(linesOf(events)).toEqual([
    // The wait has jitter.
    expect.stringMatching(/^Errore del provider o della connessione\. Tentativo 2 di 4 tra [12] s\.$/),
    'attesa',
    'ended',
    'invio',
    'fine',
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
});

test('the line of a turn that is stopped during the wait ends with the run', async () => {
  const pending = run([{ fault: { kind: 'status', status: 429, retryAfter: 300 } }]);
  const stop = async (): Promise<void> => {
    for (;;) {
      const { items } = (await server.call('GET', '/sessions')).data;
      for (const { sessionId } of items.filter(({ conclusa }: any) => !conclusa)) {
        const events = JSON.stringify(await server.events(sessionId));
        if (!events.includes('svc.provider-retry')) continue;
        await server.call('POST', `/sessions/${sessionId}/stop`);
        return;
      }
    }
  };
  await stop();
  const { events } = await pending;
  expect(linesOf(events)).toEqual(['The provider is busy. Try 2 of 4 in 300 s.', 'attesa', 'ended']);
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
});
