import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { stdioTransport } from './stdio-transport.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
/** Closes its input, says so, and ends with code 3 after some time; `null`: not by itself. */
const program = (endsAfterMs: number | null): string =>
  `require('node:fs').closeSync(0); console.error('closed'); setTimeout(() => process.exit(3), ${endsAfterMs ?? 60_000});`;

async function closedInput(endsAfterMs: number | null) {
  const folder = await tempDir();
  let ended: number | null | undefined;
  const transport = await new Promise<ReturnType<typeof stdioTransport>>((resolve, reject) => {
    const opened = stdioTransport({
      ambient: systemAmbient('silent'),
      environment: process.env,
      argv: [process.execPath, '-e', program(endsAfterMs)],
      folder: folder.path,
      onOutput: () => resolve(opened),
      onExit: ({ exitCode }) => {
        ended = exitCode;
      },
    });
    opened.start().catch(reject);
  });
  return {
    transport,
    ended: () => ended,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('reports the end of a program before a message that it did not take', async () => {
  await using server = await closedInput(300);
  await expect(server.transport.send(PING)).rejects.toThrow('EPIPE');
  expect(server.ended()).toBe(3);
});

test('refuses a message for a program that lives on without its input', async () => {
  await using server = await closedInput(null);
  await expect(server.transport.send(PING)).rejects.toThrow('EPIPE');
  expect(server.ended()).toBeUndefined();
});
