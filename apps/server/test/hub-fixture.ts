import { createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import { createHubServer, type HubRepositoryGiven, type HubServer, redirectOrigins } from '@fucina/testkit';
import { type TestServer, type TestServerOptions, testServer, until } from './harness.ts';

export const REPO = 'maker/tiny';
export const REVISION = 'a'.repeat(40);
export const MODEL = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(2_000_000, 5)]);
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PICTURE = Buffer.from(PNG, 'base64');

/** A server whose model hub is on this computer. */
export interface HubFixture extends AsyncDisposable {
  server: TestServer;
  hub: HubServer;
  http: OutboundHttp;
  /** Resolves with the row of a download once it is in that state. */
  reached(id: string, state: string): Promise<any>;
}

export const REPOSITORIES: Record<string, HubRepositoryGiven> = {
  [REPO]: {
    downloads: 1_200,
    likes: 34,
    license: 'apache-2.0',
    readme: '# Tiny\n\nA small model.\n\n![How it looks](picture.png)\n',
    files: { 'tiny-Q4_K_M.gguf': MODEL, 'picture.png': PICTURE },
  },
  'maker/large': { downloads: 90, likes: 900, gated: 'manual', tags: ['conversational'], files: {} },
};

export async function hubFixture(options: TestServerOptions = {}, repositories = REPOSITORIES): Promise<HubFixture> {
  const hub = await createHubServer(repositories);
  const out = createOutboundHttp({ ambient: systemAmbient('silent') });
  const http = redirectOrigins(out, hub.origins);
  const server = await testServer({ http, ...options });
  return {
    server,
    hub,
    http,
    reached: (id, state) =>
      until(async () => {
        const { data } = await server.call('GET', '/hub/downloads');
        return data.items.find((row: any) => row.id === id && row.state === state);
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}
