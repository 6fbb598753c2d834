import type { IncomingMessage } from 'node:http';
import { AppError, commonError } from '@fucina/shared';
import * as z from 'zod';
import type { AnyOperation } from './operation.ts';

interface Sent {
  /** As sent, still percent-encoded. A wildcard is a list of segments. */
  params: Readonly<Record<string, string | readonly string[]>>;
  /** The raw address. */
  url: string;
  body: unknown;
}

/**
 * The decoded input of an operation. QUERY_INVALID, or the code of a body field, for a value that does not match its
 * schema.
 */
export function decodeInput(operation: AnyOperation, { params, url, body }: Sent) {
  return {
    params: decode(operation.params, decodeParams(params), operation),
    query: decode(operation.query, queryObject(queryOf(url)), operation),
    body: decode(operation.body, body, operation),
  };
}

/** The raw query of an address. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

function decodeParams(params: Sent['params']): Record<string, string> {
  const text = (value: string | readonly string[]): string => (typeof value === 'string' ? value : value.join('/'));
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(text(value))]));
  } catch (cause) {
    throw commonError('QUERY_INVALID', { reason: 'percent-encoding', cause });
  }
}

/** The headers that the operation declares, percent-decoded. */
export function askedHeaders(
  request: IncomingMessage,
  { requestHeaders = {} }: AnyOperation,
): Record<string, string | undefined> {
  const asked: Record<string, string | undefined> = {};
  for (const [name, schema] of Object.entries(requestHeaders as Record<string, z.ZodType<string>>)) {
    const given = request.headers[name];
    if (given === undefined) continue;
    const result = schema.safeParse(decodeParams({ [name]: String(given) })[name]);
    if (!result.success) throw commonError('QUERY_INVALID', { params: { field: name }, cause: result.error });
    asked[name] = result.data;
  }
  return asked;
}

/** A repeated parameter stays a list, so that no schema accepts it as one value. */
function queryObject(query: URLSearchParams): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    object[name] = values.length === 1 ? (values[0] as string) : values;
  }
  return object;
}

function decode(schema: z.ZodType, value: unknown, operation: AnyOperation): unknown {
  const result = z.safeDecode(schema, value as never);
  if (result.success) return result.data;
  throw refusalOf(operation, result.error, value);
}

/** The field's own code when every problem is in fields with one, else QUERY_INVALID. */
function refusalOf({ refusals = {} }: AnyOperation, error: z.ZodError, value: unknown): AppError {
  const fields = error.issues.map(({ path }) => String(path[0] ?? ''));
  const first = fields[0] ?? '';
  const isOwn = fields.every((field) => Object.hasOwn(refusals, field));
  const details = { issues: error.issues.slice(0, 10) };
  const params = { field: error.issues[0]?.path.join('.') || fieldOf(error) };
  if (!isOwn) return commonError('QUERY_INVALID', { details, params, cause: error });
  const refusal = refusals[first] as NonNullable<(typeof refusals)[string]>;
  const code = typeof refusal === 'string' ? refusal : refusal((value as Record<string, unknown>)[first]);
  return new AppError(code, { details, params, cause: error });
}

function fieldOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue?.code === 'unrecognized_keys' ? issue.keys.join(', ').slice(0, 80) : 'body';
}

/** The last sequence that a stream's client received. */
export function lastEventId(request: IncomingMessage): number | undefined {
  const given = request.headers['last-event-id'];
  if (given === undefined) return undefined;
  const id = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw commonError('QUERY_INVALID', { reason: 'last-event-id' });
  return id;
}
