import type { Bytes } from '../http/answers.ts';

/**
 * The isolated page that draws diagrams: its own origin, no network, no storage. The window keeps one such frame and
 * sends it texts; the messages are in `apps/window/src/guest/diagram.ts`. The drawing library writes style elements,
 * which only this page allows.
 */
export function diagramPage(nonce: string): Bytes {
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
  const html =
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Fucina</title></head>' +
    `<body><script nonce="${nonce}" src="/diagrammi.js"></script></body></html>\n`;
  const content = Buffer.from(html);
  return { content, sizeBytes: content.length, headers: { 'Content-Security-Policy': policy } };
}
