import { ApiError, OFFLINE } from './api-error.ts';

interface Frame {
  id: number | undefined;
  data: string;
}

/** The complete frames of a `text/event-stream`. `onBytes` is called for whatever arrives, comments included. */
export async function* framesOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Frame, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(cut);
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const frame = frameOf(block);
        if (frame) yield frame;
      }
    }
  } finally {
    // A reader that leaves early closes the connection; one that was cut has nothing to close.
    await reader.cancel().catch(() => undefined);
  }
}

function cut(cause: unknown): never {
  throw new ApiError(OFFLINE, { status: 0, cause });
}

function frameOf(block: string): Frame | undefined {
  let id: number | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = Number(line.slice(4));
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length > 0 ? { id, data: data.join('\n') } : undefined;
}
