import type { ServerResponse } from 'node:http';

const FRAMES = "frame-src 'self' http://localhost:* http://127.0.0.1:* https:";
const DENIED = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** For every answer but documents: nothing may load. With a nonce: the window's own document. */
export function contentSecurityPolicy(nonce?: string): string {
  const own = nonce ? ` 'nonce-${nonce}'` : '';
  const sources = `default-src 'self'; script-src 'self'${own}; style-src 'self'${own}; img-src 'self' data:; connect-src 'self'`;
  return `${sources}; ${FRAMES}; ${DENIED}`;
}

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': contentSecurityPolicy(),
};

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}
