import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Services } from '@fucina/host';
import { type Ambient, AppError, commonError, type ErrorCode, isAppError } from '@fucina/shared';
import * as z from 'zod';
import type { Answer, Bytes, Form, Frame, StreamAnswer, View } from './answers.ts';
import { readJsonBody, readNoBody } from './body.ts';
import { sendBytes } from './bytes.ts';
import { languageOf, rowsBody, successBody } from './envelope.ts';
import { checkGuards, type Secrets } from './guards.ts';
import type { AnyOperation } from './operation.ts';
import { type Page, sendPage } from './page.ts';
import type { Route } from './router.ts';
import { STREAM_HEADERS, sendFrames } from './sse.ts';
import { asStoreRefusal, storeCodeOf } from './store-refusal.ts';
import { byteStream, fileUpload, readBytes, readUpload, type UploadBounds } from './upload.ts';
import { sendView } from './view.ts';

export interface DispatchNeeds {
  ambient: Ambient;
  services: Services;
  secrets: Secrets;
  bodyLimit: number;
  /** An operation answered a code it does not declare: a bug, told to whoever listens. */
  onUndeclared(operation: string, code: ErrorCode): void;
}

export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  /** As the caller named this server, checked. */
  host: string;
  route: Route;
  params: Record<string, string>;
  query: URLSearchParams;
}

const GATEWAY_CODES: readonly ErrorCode[] = [
  ...commonError.codes,
  'HOST_FORBIDDEN',
  'ORIGIN_FORBIDDEN',
  'SERVER_SHUTTING_DOWN',
  // Of whatever needs a session while their store cannot be opened.
  'SESSION_STORE_AMBIGUOUS',
];

/** From a matched route to its answer: guards → body → decode → one service call → encode → send. */
export async function dispatch(call: Call, needs: DispatchNeeds): Promise<void> {
  const { request, response, route, host } = call;
  checkGuards(request, route.guards, needs.secrets);
  const operation = await route.load();
  const abort = new AbortController();
  response.once('close', () => abort.abort('client gone'));
  try {
    const input = await decodeInput(call, operation, needs);
    // Its GET uses a secret up; whoever only looks must not.
    if (request.method === 'HEAD' && operation.answer.kind === 'page') return void response.writeHead(200).end();
    const handle = (): unknown =>
      operation.handle({
        ...input,
        services: needs.services,
        signal: abort.signal,
        asked: askedHeaders(request, operation),
        language: languageOf(request.headers['accept-language']),
        afterAnswer: (act) => void response.once('finish', () => setImmediate(act)),
        origin: `http://${host}`,
        nonce: () => needs.ambient.randomBytes(16).toString('base64'),
        resumeAfter: operation.answer.kind === 'stream' ? lastEventId(request) : undefined,
      });
    const value: unknown = await (operation.makesRoom ? needs.services.withReserve(handle) : handle());
    const made = {
      ...operation.headersOf?.(value),
      ...(operation.location && { Location: `/api/v1${operation.location(value, input.params)}` }),
    };
    await send(call, operation, { value, needs, made, signal: abort.signal });
  } catch (thrown) {
    const error = asStoreRefusal(thrown, operation);
    if (isAppError(error) && !isDeclared(operation, error)) needs.onUndeclared(operation.id, error.code);
    throw error;
  }
}

function isDeclared(operation: AnyOperation, { code }: AppError): boolean {
  return operation.errors.includes(code) || GATEWAY_CODES.includes(code) || code === storeCodeOf(operation);
}

async function decodeInput({ request, params, query }: Call, operation: AnyOperation, needs: DispatchNeeds) {
  const body = await readBody(request, operation.body, boundsOf(operation, needs));
  return {
    params: decode(operation.params, decodeParams(params), operation),
    query: decode(operation.query, queryObject(query), operation),
    body: decode(operation.body, body, operation),
  };
}

async function readBody(request: IncomingMessage, body: z.ZodType, bounds: UploadBounds): Promise<unknown> {
  if (body === fileUpload) return readUpload(request, bounds);
  if (body === byteStream) return readBytes(request, bounds.ambient);
  return isNothing(body) ? readNoBody(request) : readJsonBody(request, bounds.limit);
}

function boundsOf({ bodyLimit }: AnyOperation, needs: DispatchNeeds): UploadBounds {
  return { ambient: needs.ambient, limit: bodyLimit ?? needs.bodyLimit };
}

/** The default schema of an operation without a body: a closed object without fields. */
function isNothing(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
}

function decodeParams(params: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (cause) {
    throw commonError('QUERY_INVALID', { reason: 'percent-encoding', cause });
  }
}

function askedHeaders(
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

/** A repeated parameter stays a list, so that no schema takes it for one value. */
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

/** The field's own code when every problem lies in fields that have one, else QUERY_INVALID. */
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

function lastEventId(request: IncomingMessage): number | undefined {
  const given = request.headers['last-event-id'];
  if (given === undefined) return undefined;
  const id = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw commonError('QUERY_INVALID', { reason: 'last-event-id' });
  return id;
}

interface Outcome {
  value: unknown;
  needs: DispatchNeeds;
  /** Headers that only this answer has. */
  made: Record<string, string>;
  signal: AbortSignal;
}

async function send(
  { request, response }: Call,
  operation: AnyOperation,
  { value, needs, made, signal }: Outcome,
): Promise<void> {
  const { answer } = operation;
  if (answer.kind === 'stream') {
    const frames = value as AsyncIterable<readonly Frame[]> | undefined;
    if (!frames) return void response.writeHead(204).end();
    if (request.method === 'HEAD') return void response.writeHead(200, STREAM_HEADERS).end();
    const { comments } = answer as StreamAnswer;
    return sendFrames(response, frames, { ambient: needs.ambient, signal, comments });
  }
  if (answer.kind === 'view') {
    return sendView({ request, response, now: needs.ambient.now() }, answer.schema, value as View<unknown>);
  }
  if (answer.kind === 'page') return sendPage(request, response, { status: 200, ...(value as Page) });
  if (answer.kind === 'maybe-bytes' && value === undefined) return void response.writeHead(204).end();
  if (answer.kind === 'bytes' || answer.kind === 'maybe-bytes' || answer.kind === 'forms') {
    const bytes = answer.kind === 'forms' ? bytesOf(value as Form<unknown>) : (value as Bytes);
    const { mediaType } = answer;
    if (bytes) return sendBytes({ request, response }, { mediaType, headers: operation.headers }, bytes);
  }
  const now = needs.ambient.now();
  sendJson(request, response, {
    status: answer.status,
    body: textOf(answer, value, now),
    headers: { ...operation.headers, ...made },
  });
}

function textOf(answer: RecordAnswer, value: unknown, now: number): string {
  switch (answer.kind) {
    case 'items':
      return rowsBody(
        { name: 'items', rows: encodeRows(answer.schema, answer.texts, value as readonly object[]) },
        now,
      );
    case 'list': {
      const { rows, rest } = value as { rows: readonly object[]; rest: object };
      const texts = encodeRows(answer.row, answer.texts, rows);
      return rowsBody({ name: answer.name, rows: texts, rest: z.encode(answer.rest, rest as never) as object }, now);
    }
    case 'forms':
      return successBody(z.encode(answer.schema, (value as { record: unknown }).record), now);
    case 'json':
      return successBody(z.encode(answer.schema, value), now);
  }
}

type RecordAnswer = Extract<Answer, { kind: 'items' | 'list' | 'forms' | 'json' }>;

function bytesOf(form: Form<unknown>): Bytes | undefined {
  return 'bytes' in form ? form.bytes : undefined;
}

function encodeRows(schema: z.ZodType, texts: WeakMap<object, string>, values: readonly object[]): string[] {
  return values.map((value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(z.encode(schema, value));
    texts.set(value, text);
    return text;
  });
}

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers = {}, end = (bytes) => void response.end(bytes) }: JsonAnswer,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    ...headers,
  });
  end(request.method === 'HEAD' ? undefined : bytes);
}

interface JsonAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** Sends the bytes and ends the answer; the default does both at once. */
  end?(bytes: Buffer | undefined): void;
}
