import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Step } from '../locals.ts';

/**
 * Without a nonce: the policy of every response. With one: the policy of the window's document, whose scripts carry it.
 */
function contentSecurityPolicy(nonce?: string) {
  const own = ["'self'", ...(nonce === undefined ? [] : [`'nonce-${nonce}'`])];
  return helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      frameSrc: ["'self'", 'http://localhost:*', 'http://127.0.0.1:*', 'https:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'none'"],
    },
  });
}

/** Created once: the same for every response, even those sent before a request was parsed. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  ...written(
    contentSecurityPolicy(),
    helmet.xContentTypeOptions(),
    helmet.xFrameOptions({ action: 'deny' }),
    helmet.referrerPolicy({ policy: 'no-referrer' }),
  ),
};

const LINES = Object.entries(SECURITY_HEADERS);

export const securityHeaders: Step = (_request, response, next) => {
  for (const [name, value] of LINES) response.setHeader(name, value);
  next();
};

/** The content security policy of one document whose scripts and styles carry `nonce`. */
export function setDocumentPolicy(request: IncomingMessage, response: ServerResponse, nonce: string): void {
  contentSecurityPolicy(nonce)(request, response, () => undefined);
}

type HeaderWriter = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

function written(...writers: readonly HeaderWriter[]): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = { setHeader: (name: string, value: string) => void (headers[name] = value) };
  for (const write of writers) write({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
