import * as z from 'zod';
import { bytes, json, maybeBytes } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { frameVerdict, localPageQuery, pageQuery, pageReading, proxiedPage } from '../../wire/browser.ts';

const tag = 'Browser';

export const checkFrame = operation({
  id: 'browser.check-frame',
  tag,
  summary: 'Check whether a page can be framed, and how to show it',
  method: 'GET',
  path: '/browser/incorniciabile',
  query: pageQuery,
  answer: json(frameVerdict),
  handle: ({ query, services, origin, signal }) =>
    services.browser.checkFrame(query.url, { ownOrigin: origin, signal }),
});

export const proxyPage = operation({
  id: 'browser.proxy',
  tag,
  summary: 'A page of a local development server, with the element picker overlay',
  method: 'GET',
  path: '/browser/proxy',
  query: localPageQuery,
  answer: bytes('text/html; charset=utf-8'),
  errors: [
    'BROWSER_PROXY_SOLO_LOCALE',
    'BROWSER_PROXY_NON_HTML',
    'BROWSER_PROXY_TROPPO_GRANDE',
    'BROWSER_PROXY_IRRAGGIUNGIBILE',
  ],
  handle: async ({ query: { url, sessionId }, services, origin, signal }) =>
    proxiedPage(await services.browser.localPage(url, { ownOrigin: origin, signal, sessionId })),
});

export const readWebPage = operation({
  id: 'browser.read',
  tag,
  summary: 'Text of a public web page, as the agent reads it',
  method: 'GET',
  path: '/browser/leggi',
  query: pageQuery,
  answer: json(pageReading),
  errors: ['BROWSER_PROXY_IRRAGGIUNGIBILE'],
  handle: ({ query, services, signal }) => services.browser.read(query.url, signal),
});

export const readFavicon = operation({
  id: 'favicon.read',
  tag,
  summary: 'The icon of a cited site',
  method: 'GET',
  path: '/favicon',
  query: renamed(z.strictObject({ dominio: z.string().min(1).max(253) }), { dominio: 'domain' }),
  answer: maybeBytes('image/*'),
  headers: { 'Cache-Control': 'private, max-age=86400' },
  handle: async ({ query, services }) => {
    const icon = await services.browser.icon(query.domain);
    return icon && { content: icon.bytes, sizeBytes: icon.bytes.length, mediaType: icon.mediaType };
  },
});
