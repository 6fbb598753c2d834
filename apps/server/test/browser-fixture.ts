import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Pages = Record<string, (response: ServerResponse) => void>;

/** A site or a development server on this computer, with all requests that it received. */
export interface Site extends AsyncDisposable {
  url: string;
  port: number;
  asked: IncomingMessage[];
  pages: Pages;
}

export async function startSite(pages: Pages): Promise<Site> {
  const asked: IncomingMessage[] = [];
  const site = { pages };
  const server = createServer((request, response) => {
    asked.push(request);
    const page = site.pages[request.url ?? ''];
    if (page) page(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(site, {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}

export const html =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
