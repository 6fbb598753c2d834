import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Bytes } from './answers.ts';

const POWERLESS = "default-src 'none'; sandbox";

/** With a name: an attachment a browser saves and never shows. Without one: shown where the policy lets it. */
export async function sendBytes(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { mediaType, headers = {} }: { mediaType: string; headers?: Readonly<Record<string, string>> },
  { name, sizeBytes, content, ...own }: Bytes,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': own.mediaType ?? mediaType,
    'Content-Length': sizeBytes,
    ...(name !== undefined && { 'Content-Disposition': disposition(name) }),
    'Content-Security-Policy': POWERLESS,
    ...headers,
    ...own.headers,
  });
  const isWhole = content instanceof Uint8Array;
  if (request.method === 'HEAD' && !isWhole) content.destroy();
  if (request.method === 'HEAD' || isWhole)
    return void response.end(isWhole && request.method !== 'HEAD' ? content : undefined);
  // A client that leaves ends the reading; a file that shrank ends the connection, so that no short answer looks whole.
  await pipeline(content, response).catch(() => void response.destroy());
}

/** Both forms of RFC 6266: plain letters for old clients, UTF-8 for the rest. */
export function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
