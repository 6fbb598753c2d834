import type { IncomingMessage } from 'node:http';
import { type Ambient, commonError, isAppError } from '@fucina/shared';
import * as z from 'zod';

export const UPLOAD_TYPE = 'application/octet-stream';
export const FILE_NAME_HEADER = 'x-svc-file-name';
/** A slower sender is disconnected. */
const PROGRESS_BYTES = 1_024;
const PROGRESS_MS = 15_000;

/** A file as a stream: read once, to the end or to the first failure (QUERY_INVALID, PAYLOAD_LIMIT). */
export interface Upload {
  /** Decoded, otherwise as sent. */
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** The `body` of an operation whose request is the file itself. */
export const fileUpload = z.custom<Upload>();

/**
 * The `body` of an operation whose request is only bytes: headers describe them, and the operation limits their number.
 */
export const byteStream = z.custom<AsyncIterable<Uint8Array>>();

/** Whether the operation reads the request itself. */
export function isStreamed(body: z.ZodType): boolean {
  return body === fileUpload || body === byteStream;
}

export interface UploadBounds {
  ambient: Ambient;
  /** Bytes. */
  limit: number;
}

/** QUERY_INVALID for another media type or an unusable name, PAYLOAD_LIMIT for a declared length above the limit. */
export function readUpload(request: IncomingMessage, bounds: UploadBounds): Upload {
  checkMediaType(request);
  const { headers } = request;
  const name = fileName(request.headersDistinct[FILE_NAME_HEADER]);
  if (Number(headers['content-length']) > bounds.limit) throw commonError('PAYLOAD_LIMIT');
  return { name, content: bounded(request, bounds) };
}

/** QUERY_INVALID for another media type; any length is accepted. */
export function readBytes(request: IncomingMessage, ambient: Ambient): AsyncIterable<Uint8Array> {
  checkMediaType(request);
  return bounded(request, { ambient, limit: Number.POSITIVE_INFINITY });
}

function checkMediaType({ headers }: IncomingMessage): void {
  if (headers['content-type'] !== UPLOAD_TYPE) throw commonError('QUERY_INVALID', { reason: 'media-type' });
  if (headers['content-encoding']) throw commonError('QUERY_INVALID', { reason: 'content-encoding' });
}

function fileName(values: readonly string[] = []): string {
  const [encoded] = values;
  if (values.length !== 1 || !encoded) throw commonError('QUERY_INVALID', { reason: 'file-name' });
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw commonError('QUERY_INVALID', { reason: 'file-name', cause });
  }
}

async function* bounded(request: IncomingMessage, { ambient, limit }: UploadBounds): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  const watch = watchProgress(
    ambient,
    () => sizeBytes,
    () => request.destroy(),
  );
  try {
    // Not destroyed when the reader stops: the response still has to be sent on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > limit) throw commonError('PAYLOAD_LIMIT');
      yield chunk as Buffer;
    }
  } catch (error) {
    if (isAppError(error)) throw error;
    const reason = watch.isTooSlow() ? 'body-too-slow' : 'body-cut';
    throw commonError('QUERY_INVALID', { reason, cause: error });
  } finally {
    watch.stop();
  }
}

function watchProgress(
  ambient: Ambient,
  sizeBytes: () => number,
  cut: () => void,
): { isTooSlow(): boolean; stop(): void } {
  let isTooSlow = false;
  let before = 0;
  const look = (): void => {
    isTooSlow = sizeBytes() - before < PROGRESS_BYTES;
    before = sizeBytes();
    if (isTooSlow) cut();
    else cancel = ambient.timer(PROGRESS_MS, look);
  };
  let cancel = ambient.timer(PROGRESS_MS, look);
  return { isTooSlow: () => isTooSlow, stop: () => cancel() };
}
