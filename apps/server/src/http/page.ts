import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Language } from '@fucina/shared/sentences';

/** A short message for the user. */
export interface Page {
  title: string;
  explanation: string;
  action: string;
  language: Language;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem;color:#1d1a17;background:#faf8f5}' +
  'h1{font-size:1.4rem}p{margin:.6rem 0}@media(prefers-color-scheme:dark){body{color:#ece7e1;background:#1a1817}}';
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Text only: nothing on the page can load or run. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page & { status: number }): void {
  const { title, explanation, action, language, status } = page;
  const bytes = Buffer.from(
    `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)} · Fucina</title>` +
      `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>` +
      `<body><main><h1>${escaped(title)}</h1><p>${escaped(explanation)}</p><p>${escaped(action)}</p></main></body></html>\n`,
  );
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': bytes.length,
    'Content-Security-Policy': POLICY,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
