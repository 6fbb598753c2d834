import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ambient } from '@fucina/shared';
import * as z from 'zod';
import type { Answer, Bytes, Form, Frame, StreamAnswer, View } from './answers.ts';
import { sendBytes } from './bytes.ts';
import { rowsBody, successBody } from './envelope.ts';
import type { AnyOperation } from './operation.ts';
import { type Page, sendPage } from './page.ts';
import { STREAM_HEADERS, sendFrames } from './sse.ts';
import { sendView } from './view.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  ambient: Ambient;
  signal(): AbortSignal;
}

interface Outcome {
  operation: AnyOperation;
  value: unknown;
  /** Headers of this response only. */
  headers: Record<string, string>;
}

/** Sends the result of an operation in its declared form. */
export async function sendAnswer(
  { request, response, ambient, signal }: Exchange,
  { operation, value, headers }: Outcome,
): Promise<void> {
  const { answer } = operation;
  if (answer.kind === 'stream') {
    const frames = value as AsyncIterable<readonly Frame[]> | undefined;
    if (!frames) return void response.writeHead(204).end();
    if (request.method === 'HEAD') return void response.writeHead(200, STREAM_HEADERS).end();
    const { comments } = answer as StreamAnswer;
    return sendFrames(response, frames, { ambient, signal: signal(), comments });
  }
  if (answer.kind === 'view') {
    return sendView({ request, response, now: ambient.now() }, answer.schema, value as View<unknown>);
  }
  if (answer.kind === 'page') return sendPage(request, response, { status: 200, ...(value as Page) });
  if (answer.kind === 'maybe-bytes' && value === undefined) return void response.writeHead(204).end();
  if (answer.kind === 'bytes' || answer.kind === 'maybe-bytes' || answer.kind === 'forms') {
    const bytes = answer.kind === 'forms' ? bytesOf(value as Form<unknown>) : (value as Bytes);
    const { mediaType } = answer;
    if (bytes) return sendBytes({ request, response }, { mediaType, headers: operation.headers }, bytes);
  }
  sendJson(request, response, {
    status: answer.status,
    body: bodyOf(answer, value, ambient.now()),
    headers: { ...operation.headers, ...headers },
  });
}

function bodyOf(answer: RecordAnswer, value: unknown, now: number): string | readonly Buffer[] {
  switch (answer.kind) {
    case 'items':
      return rowsBody({ name: 'items', blocks: answer.blocks.of(value as readonly object[]) }, now);
    case 'list': {
      const { rows, rest } = value as { rows: readonly object[] | null; rest: object };
      const encodedRest = z.encode(answer.rest, rest as never) as object;
      return rowsBody({ name: answer.name, blocks: rows && answer.blocks.of(rows), rest: encodedRest }, now);
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

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers = {}, end = (bytes) => void response.end(bytes) }: JsonAnswer,
): void {
  const parts = typeof body === 'string' ? [Buffer.from(body)] : body;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': parts.reduce((sum, { length }) => sum + length, 0),
    ...headers,
  });
  if (request.method === 'HEAD') return end(undefined);
  for (const part of parts.slice(0, -1)) response.write(part);
  end(parts.at(-1));
}

interface JsonAnswer {
  status: number;
  body: string | readonly Buffer[];
  headers?: Record<string, string>;
  /** Sends the last bytes and ends the response; by default both at once. */
  end?(bytes: Buffer | undefined): void;
}
