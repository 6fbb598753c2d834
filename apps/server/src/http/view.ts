import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { View } from './answers.ts';
import { successBody } from './envelope.ts';

/** Sends a view with its ETag, or 304 if the client has it. `now` in ms, for views without their own time. */
export function sendView(
  { request, response, now }: { request: IncomingMessage; response: ServerResponse; now: number },
  schema: z.ZodType,
  { record, factsAt }: View<unknown>,
): void {
  const data: unknown = z.encode(schema, record);
  const body = successBody(data, factsAt ?? now);
  const etag = factsAt === undefined ? `W/"${hashOf(JSON.stringify(data))}"` : `"${hashOf(body)}"`;
  // Like all responses only the client may cache it, and it must revalidate.
  const headers = { ETag: etag };
  if (isHeld(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end();
  const bytes = Buffer.from(body);
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** RFC 9110: weak comparison; a list or a star. */
function isHeld(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
  return given.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag));
}
