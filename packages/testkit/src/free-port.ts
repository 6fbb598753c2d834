import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any port, so that no other program of a busy computer gets it. */
const [FIRST, LIMIT] = [16_000, 32_000] as const;

/** A port of 127.0.0.1 for a program that must be told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LIMIT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
