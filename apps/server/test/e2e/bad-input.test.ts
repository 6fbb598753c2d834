import { ERROR_CODES } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ROUTES } from '../../src/routes.ts';
import { testServer } from '../harness.ts';

/** Total for all declared operations; the long test sends ten thousand. */
const REQUESTS = process.env.FUCINA_TEST_LONG ? 10_000 : 2_000;
const PER_OPERATION = Math.ceil(REQUESTS / ROUTES.length);
const known = new Set<string>(ERROR_CODES);

const nasty = fc.constantFrom(
  '',
  ' ',
  '..',
  '../x',
  '/',
  '//',
  '.',
  '%2e%2e',
  'a'.repeat(300),
  '\u202e',
  'CON',
  '-rf',
  'null',
  '__proto__',
  '0',
  '-1',
  '1e9',
  '{}',
  '💥',
  "'; DROP TABLE sessions; --",
);
const id = fc.oneof(
  nasty,
  fc.uuid(),
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.constantFrom('openai', 'ollama', 'local', 'esterno', 'aggregator'),
);
const FIELDS = [
  'cartellaId',
  'cartellaLibera',
  'workspaceLaunchId',
  'consegna',
  'comandoProva',
  'modello',
  'permessi',
  'reasoning',
  'permessiPerAttrezzo',
  'modalitaOperativa',
  'fallbackProviders',
  'immagini',
  'bolla',
  'nome',
  'messaggio',
  'requestId',
  'approvato',
  'ambito',
  'rispostoDa',
  'key',
  'priorita',
  'impronta',
  'endpoint',
  'timeoutSeconds',
  'modelli',
  'agente',
  'parentPath',
  'name',
  'redirectId',
  'rispettaNega',
];
const value = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 4 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(nasty, { maxLength: 4 }),
);
const body = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 5 }).map((object) => JSON.stringify(object)),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);
const query = fc.dictionary(
  fc.constantFrom('percorso', 'path', 'eta', 'forza', 'q', 'x'),
  fc.oneof(nasty, fc.string({ maxLength: 30 })),
  { maxKeys: 2 },
);

test(`${REQUESTS} generated requests get an answer in the envelope with a listed code, never a 500`, async () => {
  await using server = await testServer();
  const problems: string[] = [];
  let sent = 0;
  for (const route of ROUTES) {
    await fc.assert(
      fc.asyncProperty(fc.array(id, { minLength: 2, maxLength: 2 }), query, body, async (ids, search, payload) => {
        let next = 0;
        const path = route.path.replace(
          /\{[^}]+\}/g,
          () => encodeURIComponent(ids[next++ % 2] ?? '').replaceAll('.', '%2e') || 'x',
        );
        const isRead = route.method === 'GET';
        const reply = await server.call(isRead ? 'HEAD' : route.method, path, {
          query: search,
          ...(!isRead && { body: payload }),
        });
        sent += 1;
        const isListed = isRead || reply.ok || (reply.code !== undefined && known.has(reply.code));
        if (reply.status >= 500 && reply.status !== 503 && reply.status !== 502)
          problems.push(`${reply.status} ${route.method} ${path} ${payload}`);
        else if (!isListed) problems.push(`no code: ${route.method} ${path} ${reply.text.slice(0, 200)}`);
      }),
      { numRuns: PER_OPERATION, seed: 20261121, endOnFailure: true },
    );
  }
  expect(problems).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect((await server.call('GET', '/health')).ok).toBe(true);
});
