import { ApiError, OFFLINE } from './api-error.ts';
import { type Operation, operationOf } from './english.ts';
import { type BinaryBody, PREFIX } from './operations.ts';

/** An operation's options, whatever its types. */
export interface RequestOptions {
  path?: Record<string, string>;
  query?: Record<string, string | readonly string[] | undefined>;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

export interface Connection {
  url(): URL;
  fetch: typeof fetch;
  /** Sent with every request. */
  headers(): Record<string, string>;
}

export type Send = (method: string, path: string, options?: RequestOptions) => Promise<Response>;

/** Sends requests; an answer that is not a success becomes an ApiError. An abort throws the signal's reason. */
export function sender({ url, fetch: send, headers }: Connection): Send {
  return async (method, path, options = {}) => {
    const { signal } = options;
    const operation = operationOf(method, path);
    const address = addressOf(url(), operation, options);
    let response: Response;
    try {
      const body = isBinary(options.body) ? options.body : await operation.bodyToWire(options.body);
      response = await send(address, {
        method: method.toUpperCase(),
        headers: { ...headers(), ...typeOf(body), ...encoded(options.headers) },
        ...(body !== undefined && { body: isBinary(body) ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ApiError(OFFLINE, { status: 0, cause });
    }
    if (!response.ok) throw await failureOf(response);
    return response;
  };
}

/** The `data` of the envelope of an operation's answer, in English. */
export async function dataOf(
  response: Response,
  { answerFromWire }: Pick<Operation, 'answerFromWire'>,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    const envelope = (await response.json()) as { data: unknown };
    return await answerFromWire(envelope.data);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ApiError(OFFLINE, { status: response.status, cause });
  }
}

/** The address of an operation, which has its names on the wire. */
export function addressOf(
  url: URL,
  { path, queryToWire }: Pick<Operation, 'path' | 'queryToWire'>,
  { path: values = {}, query = {} }: RequestOptions = {},
): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`The path parameter ${name} of ${path} is missing`);
    // The path of a file is the one parameter that may have several segments.
    return (name === 'path' ? value.split('/') : [value]).map((part) => segment(name, part)).join('/');
  });
  const address = new URL(PREFIX + filled, url);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of typeof value === 'string' ? [value] : value)
      address.searchParams.append(...queryToWire(name, one));
  }
  return address;
}

/** Dots would name another operation: an address is normalized before it is sent. */
function segment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') throw new TypeError(`The path parameter ${name} is "${value}"`);
  return encodeURIComponent(value);
}

function isBinary(body: unknown): body is BinaryBody {
  return body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;
}

function typeOf(body: unknown): Record<string, string> {
  if (body === undefined) return {};
  return { 'content-type': isBinary(body) ? 'application/octet-stream' : 'application/json' };
}

/** The server's own headers are text, sent percent-encoded; standard ones stay as they are. */
function encoded(headers: RequestOptions['headers'] = {}): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent[name] = name.startsWith('x-svc-') ? encodeURIComponent(value) : value;
  }
  return sent;
}

async function failureOf(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  try {
    const { error: body } = (await response.json()) as { error: ApiError['body'] };
    if (typeof body?.code === 'string') return new ApiError(body.code, { status, headers, body });
    return new ApiError(OFFLINE, { status, headers });
  } catch (cause) {
    return new ApiError(OFFLINE, { status, headers, cause });
  }
}
