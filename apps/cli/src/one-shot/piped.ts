import { fenced } from '../fenced.ts';
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

const NOTICE_AFTER_MS = 2_000;

/**
 * Piped input beside a prompt, as the model reads it; undefined when there is none. Reads to the end: if the pipe stays
 * open, a notice on standard error says what it waits for. Throws PipedProblem.
 */
export async function readPiped({ io, say, err }: Terminal): Promise<string | undefined> {
  if (io.stdin.isTTY === true) return undefined;
  const ambient = await io.ambient('silent');
  const stopNotice = ambient.timer(NOTICE_AFTER_MS, () => err(`fucina: ${say('piped.reading')}`));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of io.stdin) {
      const part = Buffer.from(chunk as string | Uint8Array);
      bytes += part.length;
      if (bytes > MAX_TEXT_BYTES) throw new PipedProblem('too-large');
      chunks.push(part);
    }
  } finally {
    stopNotice();
  }
  const text = decodeText(Buffer.concat(chunks));
  if (text === undefined) throw new PipedProblem('not-text');
  return text.trim() ? `Standard input:\n${fenced(text)}` : undefined;
}
