import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { program } from './mcp-fixture.ts';

/** The official "everything" server at an address of this computer. */
export async function everythingAt(port: number, transport = 'streamableHttp'): Promise<AsyncDisposable> {
  const child: ChildProcess = spawn(process.execPath, [program('server-everything'), transport], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let errors = '';
  // Read to its end, or the server cannot write any more.
  const ready = new Promise<boolean>((resolve) => {
    child.stderr?.on('data', (text: Buffer) => {
      errors += text.toString();
      if (/running|listening/i.test(errors)) resolve(true);
    });
  });
  if (!(await Promise.race([ready, exited.then(() => false)]))) throw new Error(`the server ended: ${errors}`);
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
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
