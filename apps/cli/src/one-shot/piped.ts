import { fenced } from '../fenced.ts';
import type { Input } from '../io.ts';
import type { Terminal } from '../terminal.ts';
import { decodeText, MAX_TEXT_BYTES } from './attachments.ts';

/** Why piped input cannot be added to the prompt. */
export class PipedProblem extends Error {
  readonly kind: 'too-large' | 'not-text';

  constructor(kind: PipedProblem['kind']) {
    super(kind);
    this.kind = kind;
  }
}

const SILENT_MS = 3_000;

export interface PipedChoice {
  /** Waits for a silent pipe too. */
  isExpected: boolean;
}

/**
 * Piped input beside a prompt, as the model reads it; undefined when there is none. Input that has begun is read to its
 * end; a pipe that says nothing for 3 s is left, unless it is expected. Both are told on standard error. Throws
 * PipedProblem.
 */
export async function readPiped(terminal: Terminal, { isExpected }: PipedChoice): Promise<string | undefined> {
  if (terminal.io.stdin.isTTY === true) return undefined;
  const { say, err } = terminal;
  const ambient = await terminal.io.ambient('silent');
  const reading = startReading(terminal.io.stdin);
  const cancel = ambient.timer(SILENT_MS, () => {
    const isLeft = !isExpected && reading.bytes() === 0;
    err(`fucina: ${say(isLeft ? 'piped.silent' : 'piped.reading')}`);
    if (isLeft) reading.leave();
  });
  const bytes = await reading.whole.finally(cancel);
  const text = decodeText(bytes);
  if (text === undefined) throw new PipedProblem('not-text');
  return text.trim() ? `Standard input:\n${fenced(text)}` : undefined;
}

interface Reading {
  whole: Promise<Buffer>;
  bytes(): number;
  /** Reads no further: the result is what came. The stream stays open for whoever writes to it. */
  leave(): void;
}

function startReading(stdin: Input): Reading {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let leave = (): void => undefined;
  const whole = new Promise<Buffer>((resolve, reject) => {
    const stop = (): void => {
      stdin.off('data', take).pause();
      resolve(Buffer.concat(chunks));
    };
    const take = (chunk: string | Uint8Array): void => {
      const part = Buffer.from(chunk as Uint8Array);
      bytes += part.length;
      chunks.push(part);
      if (bytes <= MAX_TEXT_BYTES) return;
      reject(new PipedProblem('too-large'));
      stop();
    };
    leave = stop;
    stdin.on('data', take).once('end', stop).once('close', stop).once('error', reject);
  });
  return { whole, bytes: () => bytes, leave };
}
