import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const CATALOG = {
  deepseek: {
    models: {
      'scripted-1': {
        tool_call: true,
        reasoning: false,
        modalities: { input: ['text', 'image'] },
        cost: { input: 0.5, output: 2, cache_read: 0.05 },
        limit: { context: 64_000, output: 8_000 },
      },
    },
  },
};

test('fills prices, context sizes and capabilities from the public catalog and reports its age', async () => {
  const publicCatalog = createServer((_request, response) => response.end(JSON.stringify(CATALOG)));
  await new Promise<void>((resolve) => publicCatalog.listen(0, '127.0.0.1', resolve));
  const { port } = publicCatalog.address() as AddressInfo;
  await using out = createOutboundHttp({ ambient: systemAmbient('silent') });
  await using server = await testServer({
    http: redirectOrigins(out, { 'https://models.dev': `http://127.0.0.1:${port}` }),
    settings: { publicCatalog: true },
  });
  await server.call('POST', '/providers/deepseek/runtime', { body: { endpoint: `${server.model.url}/v1` } });
  await server.call('POST', '/providers/deepseek/key', { body: { key: 'sk-deepseek-0' } });
  const { data } = await server.call('GET', '/models');
  expect(data.catalogoPubblico).toEqual({ attivo: true, osservatoAlle: expect.stringMatching(ISO) });
  const rows = data.modelli.filter(({ provider }: { provider: string }) => provider === 'deepseek');
  expect(rows[0]).toMatchObject({
    id: 'scripted-1',
    contextLength: 64_000,
    contestoVerificato: false,
    uscitaMassima: 8_000,
    prezzo: { ingresso: 0.5, uscita: 2, cache: 0.05, valuta: 'USD' },
    capacita: { visione: 'osservato-si', toolUse: 'osservato-si', reasoning: 'osservato-no' },
  });
  expect(rows[1]).toMatchObject({
    contextLength: null,
    prezzo: null,
    capacita: { visione: 'unknown', toolUse: 'unknown', reasoning: 'unknown' },
  });
  expect(server.host.services.providers.knowledge.priceOf('deepseek:scripted-1')).toMatchObject({
    cachedPerMillion: 0.05,
  });
  publicCatalog.closeAllConnections();
  publicCatalog.close();
});
