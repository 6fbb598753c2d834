import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { program } from './mcp-fixture.ts';

/** Below the ports that systems hand out: no other program is given it before the server under test takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createSocketServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false, // In use: the next one.
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

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
