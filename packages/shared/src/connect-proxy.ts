import { createServer, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A real proxy on loopback, for tests: of tunnels by CONNECT, and of plain requests. */
export interface ConnectProxy extends AsyncDisposable {
  /** Host and port. */
  address: string;
  /**
   * The targets of CONNECT and the addresses of plain requests, each with the Proxy-Authorization header if there was
   * one.
   */
  asked: string[];
}

/** @param to the port on loopback where all tunnels and requests lead, or the status that refuses them */
export async function createConnectProxy(to: number | { status: number }): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
  });
  server.on('request', (request, response) => {
    asked.push([request.url, request.headers['proxy-authorization']].filter(Boolean).join(' '));
    if (typeof to === 'object') return void response.writeHead(to.status).end();
    const { pathname, host } = new URL(request.url ?? '');
    const sent = sendRequest({
      host: '127.0.0.1',
      port: to,
      method: request.method,
      path: pathname,
      headers: { host },
    });
    sent.once('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 0)));
    request.pipe(sent);
  });
  server.on('connect', (request, client: Socket) => {
    asked.push([request.url, request.headers['proxy-authorization']].filter(Boolean).join(' '));
    client.on('error', () => undefined);
    if (typeof to === 'object') {
      client.end(`HTTP/1.1 ${to.status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    sockets.add(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
