import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Ambient } from '@fucina/shared';
import type { Frame } from './answers.ts';

const KEEP_ALIVE_MS = 15_000;
/** A client that takes nothing for this long is cut; it comes back with the last id it saw. */
const STALLED_MS = 30_000;
const CHUNK = 64 * 1024;

/** Writes frames as they come, waiting for the client when its socket is full; ends when the frames or the client end. */
export async function sendFrames(
  response: ServerResponse,
  frames: AsyncIterable<readonly Frame[]>,
  { ambient, signal }: { ambient: Ambient; signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'keep-alive',
  });
  response.write('retry: 3000\n\n');
  const stopKeepAlive = keepAlive(response, ambient);
  try {
    for await (const batch of frames) {
      for (const chunk of encode(batch)) if (!(await take(response, chunk, ambient))) return;
      if (signal.aborted) return;
    }
  } finally {
    stopKeepAlive();
    response.end();
  }
}

/** False when the client is gone or took too long. */
async function take(response: ServerResponse, text: string, ambient: Ambient): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text)) return true;
  const stalled = new AbortController();
  const cancel = ambient.timer(STALLED_MS, () => stalled.abort());
  const onClose = (): void => stalled.abort();
  response.once('close', onClose);
  try {
    await once(response, 'drain', { signal: stalled.signal });
    return true;
  } catch (error) {
    if (!stalled.signal.aborted) throw error;
    response.destroy();
    return false;
  } finally {
    cancel();
    response.off('close', onClose);
  }
}

function* encode(batch: readonly Frame[]): Generator<string> {
  let text = '';
  for (const { id, json } of batch) {
    text += id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}

function keepAlive(response: ServerResponse, ambient: Ambient): () => void {
  let cancel: () => void;
  const beat = (): void => {
    if (!response.writableNeedDrain) response.write(': keep-alive\n\n');
    cancel = ambient.timer(KEEP_ALIVE_MS, beat);
  };
  cancel = ambient.timer(KEEP_ALIVE_MS, beat);
  return () => cancel();
}
