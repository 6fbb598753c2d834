import { read } from 'node:fs';
import { promisify } from 'node:util';

export interface ToReader {
  input: unknown;
  sizeBytes: number;
}

export type FromReader = { answer: unknown } | { failure: string };

const CHUNK = 16 * 1024 * 1024;

/** In a process of `runReader`: runs its one job over the content, sends the answer and ends. */
export function answerAsProcess<Input>(run: (input: Input, content: Buffer) => Promise<unknown>): void {
  const send = (message: FromReader): void => void process.send?.(message, () => process.exit());
  process.once('disconnect', () => process.exit());
  process.once('message', ({ input, sizeBytes }: ToReader) => {
    standardInput(sizeBytes)
      .then((content) => run(input as Input, content))
      .then(
        (answer) => send({ answer }),
        (error: unknown) => send({ failure: error instanceof Error ? error.message : String(error) }),
      );
  });
}

/** In memory once: collected chunks would take twice the size while they are joined. */
async function standardInput(sizeBytes: number): Promise<Buffer> {
  const content = Buffer.allocUnsafe(sizeBytes);
  let at = 0;
  while (at < sizeBytes) {
    const { bytesRead } = await promisify(read)(0, content, at, Math.min(CHUNK, sizeBytes - at), null);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return content.subarray(0, at);
}
