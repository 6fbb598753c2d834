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
  signal: AbortSignal;
}

interface Outcome {
  operation: AnyOperation;
  value: unknown;
  /** Headers that only this answer has. */
  headers: Record<string, string>;
}

/** Sends what an operation answered, in the form it declares. */
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
    return sendFrames(response, frames, { ambient, signal, comments });
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
    body: textOf(answer, value, ambient.now()),
    headers: { ...operation.headers, ...headers },
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
