import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createProviders } from '../index.ts';

/** An engine that supports only the common wire, as llama-server and vLLM do. */
async function otherEngine() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const isList = request.url === '/v1/models';
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isList ? JSON.stringify({ object: 'list', data: [{ id: 'qwen3', object: 'model' }] }) : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.each(['ollama', 'lmstudio'])(
  'any OpenAI-compatible engine works at the address of %s, with or without /v1',
  async (provider) => {
    await using dir = await tempDir();
    await using engine = await otherEngine();
    const ambient = systemAmbient('silent');
    await using http = createOutboundHttp({ ambient });
    await using providers = createProviders({ ambient, dataDir: dir.path, keyStore: 'memory', http });
    for (const suffix of ['', '/v1', '/v1/']) {
      const { endpoint } = providers.runtime.change(provider, { endpoint: engine.url + suffix, timeoutSeconds: 10 });
      expect(endpoint).toBe(engine.url);
    }
    expect(await providers.test(provider)).toMatchObject({ outcome: 'reached', models: 1 });
    const { models } = await providers.catalog.listAll({ isForced: true });
    expect(models).toEqual([expect.objectContaining({ id: 'qwen3', provider })]);
    expect(engine.asked).toContain('/v1/models');
  },
);
