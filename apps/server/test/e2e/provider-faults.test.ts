import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { type Fault, type Reply, redirectOrigins } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

/** Each wire with one of its providers; its model's name is a prefix of the fault's. */
const WIRES = ['deepseek', 'openai', 'zai-anthropic', 'gemini'] as const;
const GEMINI = 'https://generativelanguage.googleapis.com';

const status = (code: number, retryAfter?: number): Fault => ({
  kind: 'status',
  status: code,
  ...(retryAfter !== undefined && { retryAfter }),
});
const UNKNOWN = 'PROVIDER_OUTCOME_UNKNOWN';
const FAILED = 'MODEL_CALL_FAILED';
const call = { id: 'same', name: 'leggi', arguments: { percorso: 'README.md' } };

/** A fault of a provider, and the resulting end of the turn: its code and class, or success. */
const FAULTS: Record<string, [Reply, string, string?]> = {
  refuse: [{ fault: { kind: 'refuse' } }, UNKNOWN, 'rete'],
  hang: [{ fault: { kind: 'hang' } }, UNKNOWN, 'timeout-fornitore'],
  'hang-mid-stream': [{ fault: { kind: 'hang-mid-stream' } }, UNKNOWN, 'flusso-interrotto'],
  trickle: [{ fault: { kind: 'trickle', bytesPerSecond: 4_000 } }, 'fine-lavoro'],
  reset: [{ fault: { kind: 'cut' } }, UNKNOWN, 'flusso-interrotto'],
  html: [{ fault: { kind: 'html' } }, FAILED, 'richiesta-rifiutata'],
  'bad-json': [{ fault: { kind: 'broken-json' } }, UNKNOWN, 'flusso-interrotto'],
  'endless-line': [{ fault: { kind: 'endless-line' } }, UNKNOWN, 'flusso-interrotto'],
  bomb: [{ fault: { kind: 'gzip-bomb', inflatedBytes: 33_554_432 } }, UNKNOWN, 'flusso-interrotto'],
  '401': [{ fault: status(401) }, FAILED, 'credenziale'],
  '402': [{ fault: status(402) }, FAILED, 'credito'],
  '429': [{ fault: status(429) }, FAILED, 'traffico'],
  '429-later': [{ fault: status(429, 3_600) }, FAILED, 'traffico'],
  '500': [{ fault: status(500) }, FAILED, 'guasto-fornitore'],
  '503': [{ fault: status(503) }, FAILED, 'guasto-fornitore'],
  '529': [{ fault: status(529) }, FAILED, 'guasto-fornitore'],
  redirect: [{ fault: { kind: 'redirect', location: 'http://127.0.0.2:9/' } }, FAILED, 'richiesta-rifiutata'],
  'huge-headers': [{ fault: { kind: 'huge-headers' } }, UNKNOWN, 'rete'],
  'same-ids': [{ toolCalls: [call, call, call] }, 'fine-lavoro'],
  flood: [{ fault: { kind: 'tool-flood', count: 100_000 } }, UNKNOWN, 'flusso-interrotto'],
};
const MAX_GROWTH_MIB = 400;
/** Faults without any data: only these end by timeout. */
const HANGING = ['hang', 'hang-mid-stream'];

let server: TestServer;
const out = createOutboundHttp({ ambient: systemAmbient('silent') });
beforeAll(async () => {
  const origins: Record<string, string> = {};
  server = await testServer({ http: redirectOrigins(out, origins), settings: { modelTries: 2 } });
  origins[GEMINI] = server.model.url;
  for (const provider of WIRES) {
    await waitFor(provider, 120);
    await server.call('POST', `/providers/${provider}/key`, { body: { key: `key-of-${provider}` } });
  }
  server.model.script(({ model, lastRole, lastText }) => {
    if (lastText.includes('again') || lastRole === 'tool') return { text: 'Fine.' };
    const [reply] = FAULTS[model.replace('fault-', '')] ?? [{ fault: { kind: 'wrong-order' } as const }];
    return { text: ['first ', 'second'], ...reply };
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await out[Symbol.asyncDispose]();
});

/** Timeout of a provider: short for one that hangs, long for one on a busy machine. */
async function waitFor(provider: string, timeoutSeconds: number): Promise<void> {
  const body = { ...(provider !== 'gemini' && { endpoint: `${server.model.url}/v1` }), timeoutSeconds };
  expect((await server.call('POST', `/providers/${provider}/runtime`, { body })).ok).toBe(true);
}

const turns = (provider: string, faults: readonly string[]) =>
  Promise.all(faults.map(async (fault) => ({ fault, ...(await turn(provider, fault)) })));

async function turn(provider: string, fault: string): Promise<{ ended: (string | undefined)[]; id: string }> {
  const id = await server.startSession({ modello: `${provider}:fault-${fault}` });
  const row = await server.settled(id);
  const last = (await server.events(id)).at(-1);
  const ended = last?.type === 'RunError' ? [last.code, last.classe] : [row.motivoChiusura, undefined];
  return { ended, id };
}

describe.each(WIRES)('a faulty provider on the %s wire', (provider) => {
  test('ends the turn with a stable code, leaves the session usable and memory bounded', async () => {
    const before = process.memoryUsage().rss;
    const answered = await turns(
      provider,
      Object.keys(FAULTS).filter((fault) => !HANGING.includes(fault)),
    );
    await waitFor(provider, 5);
    const hung = await turns(provider, HANGING);
    await waitFor(provider, 120);
    const outcomes: [string, unknown][] = [];
    for (const { fault, ended, id } of [...answered, ...hung]) {
      const { length } = await server.events(id);
      await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'And again?' } });
      const { motivoChiusura } = await server.settled(id);
      const after = (await server.events(id)).slice(length);
      const waits = after.filter((event) => event.type === 'CUSTOM' && event.name === 'svc.provider-retry').length;
      outcomes.push([fault, { ended, afterwards: motivoChiusura, waits }]);
    }
    const expected = Object.entries(FAULTS).map(([fault, [, code, failureClass]]) => [
      fault,
      { ended: [code, failureClass], afterwards: 'fine-lavoro', waits: 0 },
    ]);
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
    expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(MAX_GROWTH_MIB);
  });

  test('ends in a defined state on events in the wrong order', async () => {
    const id = await server.startSession({ modello: `${provider}:fault-wrong-order` });
    await server.settled(id);
    expect(['RunFinished', 'RunError']).toContain((await server.events(id)).at(-1)?.type);
  });
});
