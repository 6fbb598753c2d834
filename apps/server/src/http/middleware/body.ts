import type { IncomingMessage } from 'node:http';
import { type Ambient, commonError } from '@fucina/shared';
import * as z from 'zod';
import type { Step } from '../locals.ts';
import type { AnyOperation } from '../operation.ts';
import { byteStream, fileUpload, readBytes as readByteStream, readUpload } from '../upload.ts';

const TIMEOUT_MS = 15_000;
const MAX_DEPTH = 64;
/** Of one object: a whole body is bounded by its bytes and depth. */
const MAX_KEYS = 1_000;
const decoder = new TextDecoder('utf-8', { fatal: true });

export interface BodyNeeds {
  ambient: Ambient;
  /** In bytes, for operations without their own limit. */
  bodyLimit: number;
}

interface Bounds {
  ambient: Ambient;
  /** In bytes. */
  limit: number;
}

/** Reads the body as the operation requires it: JSON, an upload, a byte stream, or nothing. */
export function readBody(load: () => Promise<AnyOperation>, { ambient, bodyLimit }: BodyNeeds): Step {
  return async (request, _response, next) => {
    const operation = await load();
    const limit = operation.bodyLimit ?? bodyLimit;
    const { body } = operation as { body: z.ZodType };
    if (body === fileUpload) request.body = readUpload(request, { ambient, limit });
    else if (body === byteStream) request.body = readByteStream(request, ambient);
    else
      request.body = await (isEmpty(body) ? readNoBody(request, ambient) : readJsonBody(request, { ambient, limit }));
    next();
  };
}

/** The default schema without a body: a closed object without fields. */
function isEmpty(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
}

/**
 * The JSON body, `{}` without one. QUERY_INVALID for another media type or invalid JSON, PAYLOAD_LIMIT when it is too
 * long. The rest of a rejected body is drained when the error is sent (`endBeforeBody`).
 */
export async function readJsonBody(request: IncomingMessage, bounds: Bounds): Promise<unknown> {
  if (!hasBody(request)) return {};
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type)) {
    throw commonError('QUERY_INVALID', { reason: 'media-type' });
  }
  if (request.headers['content-encoding']) throw commonError('QUERY_INVALID', { reason: 'content-encoding' });
  return parseJson(await readBytes(request, bounds));
}

/** An operation without a body accepts none, an empty one, or `{}`. */
async function readNoBody(request: IncomingMessage, ambient: Ambient): Promise<unknown> {
  if (!hasBody(request)) return {};
  const bytes = await readBytes(request, { ambient, limit: 1_024 });
  return bytes.length === 0 ? {} : parseJson(bytes);
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function readBytes(request: IncomingMessage, { ambient, limit }: Bounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The client disconnected before there was a listener: no event, not even an error, would follow.
    if (request.destroyed) return reject(commonError('QUERY_INVALID', { reason: 'body-cut' }));
    const chunks: Buffer[] = [];
    let size = 0;
    const stopTimer = ambient.timer(TIMEOUT_MS, () =>
      reject(commonError('QUERY_INVALID', { reason: 'body-too-slow' })),
    );
    const settle = (act: () => void): void => {
      stopTimer();
      act();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else settle(() => reject(commonError('PAYLOAD_LIMIT')));
    });
    request.on('end', () => settle(() => resolve(Buffer.concat(chunks))));
    request.on('error', (cause) => settle(() => reject(commonError('QUERY_INVALID', { reason: 'body-cut', cause }))));
  });
}

function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw commonError('QUERY_INVALID', { reason: 'json', cause });
  }
  assertBounded(value);
  return value;
}

/**
 * Rejects excessive depth, too many keys of one object, keys that reach a prototype, and lone surrogates (which UTF-8 cannot
 * represent, so they could be neither stored nor put in an address). Iterative, so that the input cannot exhaust the
 * stack.
 */
function assertBounded(root: unknown): void {
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    const { value, depth } = item;
    if (typeof value === 'string') assertWellFormed(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) throw commonError('QUERY_INVALID', { reason: 'json-depth' });
    const isList = Array.isArray(value);
    const entries = Object.entries(value);
    if (!isList && entries.length > MAX_KEYS) throw commonError('QUERY_INVALID', { reason: 'json-keys' });
    for (const [key, child] of entries) {
      if (!isList) assertWellFormed(key);
      if (!isList && key === '__proto__') throw commonError('QUERY_INVALID', { reason: 'json-prototype' });
      stack.push({ value: child, depth: depth + 1 });
    }
  }
}

function assertWellFormed(text: string): void {
  if (!text.isWellFormed()) throw commonError('QUERY_INVALID', { reason: 'json-unicode' });
}
