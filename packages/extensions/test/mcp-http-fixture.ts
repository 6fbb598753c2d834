import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { program } from './mcp-fixture.ts';

export async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The official "everything" server at an address of this computer. */
export async function everythingAt(port: number, transport = 'streamableHttp'): Promise<AsyncDisposable> {
  const child: ChildProcess = spawn(process.execPath, [program('server-everything'), transport], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Read to its end, or the server cannot write any more.
  await new Promise<void>((ready) => {
    child.stderr?.on('data', (text: Buffer) => {
      if (/running|listening/i.test(text.toString())) ready();
    });
  });
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export async function served(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
