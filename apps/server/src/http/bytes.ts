import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { commonError } from '@fucina/shared';
import type { Bytes, Whole } from './answers.ts';

const POWERLESS = "default-src 'none'; sandbox";

/** Reason for a range that starts after the end; answered with 416. */
export const BEYOND_THE_END = 'range-not-satisfiable';

/** With a name: a download that a browser saves and never shows. Without one: shown if the policy allows it. */
export async function sendBytes(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { mediaType, headers = {} }: { mediaType: string; headers?: Readonly<Record<string, string>> },
  { name, content, ...own }: Bytes,
): Promise<void> {
  // Ranges apply only to GET: HEAD describes the whole file.
  const whole = request.method === 'HEAD' ? own.whole && { ...own.whole, part: undefined } : own.whole;
  const sizeBytes = request.method === 'HEAD' ? (own.whole?.sizeBytes ?? own.sizeBytes) : own.sizeBytes;
  if (whole?.part === 'beyond') {
    if (!(content instanceof Uint8Array)) content.destroy();
    response.setHeader('Content-Range', `bytes */${whole.sizeBytes}`);
    throw commonError('QUERY_INVALID', { reason: BEYOND_THE_END });
  }
  if (own.isFramed) response.removeHeader('X-Frame-Options');
  response.writeHead(whole?.part ? 206 : 200, {
    'Content-Type': own.mediaType ?? mediaType,
    'Content-Length': sizeBytes,
    ...(name !== undefined && { 'Content-Disposition': disposition(name) }),
    'Content-Security-Policy': POWERLESS,
    ...headers,
    ...own.headers,
    ...(whole && partHeaders(whole)),
  });
  const isWhole = content instanceof Uint8Array;
  if (request.method === 'HEAD' && !isWhole) content.destroy();
  if (request.method === 'HEAD' || isWhole)
    return void response.end(isWhole && request.method !== 'HEAD' ? content : undefined);
  // A client that disconnects ends the reading; a file that shrank ends the connection, so that a short answer cannot
  // look complete.
  await pipeline(content, response).catch(() => void response.destroy());
}

function partHeaders({ sizeBytes, version, part }: Whole): Record<string, string> {
  return {
    'Accept-Ranges': 'bytes',
    ...(version !== undefined && { ETag: `"${version}"` }),
    ...(part && part !== 'beyond' && { 'Content-Range': `bytes ${part.first}-${part.last}/${sizeBytes}` }),
  };
}

/** Both forms of RFC 6266: ASCII for old clients, UTF-8 for the rest. */
export function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
