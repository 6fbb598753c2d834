import { browserError } from './errors.ts';

/** An address of a page: http or https, without credentials. QUERY_INVALID otherwise. */
export function pageAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPage = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPage) throw browserError('QUERY_INVALID', { reason: 'page-address', params: { field: 'url' } });
  return url;
}

/** Of this computer and no other. URL has brought every way to write an address to one form. */
export function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** This very server, whose pages are never shown inside themselves. */
export function isOwn(url: URL, ownOrigin: string): boolean {
  return isLocal(url) && portOf(url) === portOf(new URL(ownOrigin));
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/**
 * A local address under a name that the window does not have. Cookies know no ports: under the window's own name a
 * development server would be sent the window's cookie.
 */
export function underOtherName(url: URL, ownOrigin: string): URL {
  const other = new URL(url);
  if (url.hostname === '[::1]') return other;
  other.hostname = new URL(ownOrigin).hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return other;
}
