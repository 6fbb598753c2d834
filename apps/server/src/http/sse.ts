import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Ambient } from '@fucina/shared';
import { type Frame, type StreamComments, USUAL_COMMENTS } from './answers.ts';

const KEEP_ALIVE_MS = 15_000;
/** A client that reads nothing for this long is disconnected; it resumes with its last id. */
const STALLED_MS = 30_000;
const CHUNK = 64 * 1024;

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
} as const;

interface StreamWork {
  ambient: Ambient;
  signal: AbortSignal;
  comments?: StreamComments;
}

/** Writes frames with backpressure; ends when the frames or the client end. */
export async function sendFrames(
  response: ServerResponse,
  frames: AsyncIterable<readonly Frame[]>,
  { ambient, signal, comments = USUAL_COMMENTS }: StreamWork,
): Promise<void> {
  response.writeHead(200, { ...STREAM_HEADERS, Connection: 'keep-alive' });
  if (comments.opening !== undefined) response.write(`:${comments.opening}\n\n`);
  response.write('retry: 3000\n\n');
  const stopKeepAlive = keepAlive(response, ambient, comments.keepAlive);
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

/** False when the client disconnected or was too slow. */
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
  for (const { id, event, json } of batch) {
    text += `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${json}\n\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}

function keepAlive(response: ServerResponse, ambient: Ambient, comment: string): () => void {
  let cancel: () => void;
  const beat = (): void => {
    if (!response.writableNeedDrain) response.write(`:${comment}\n\n`);
    cancel = ambient.timer(KEEP_ALIVE_MS, beat);
  };
  cancel = ambient.timer(KEEP_ALIVE_MS, beat);
  return () => cancel();
}
