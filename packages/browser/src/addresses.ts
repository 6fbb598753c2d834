import { browserError } from './errors.ts';

/** A web address: http or https, without credentials. Throws QUERY_INVALID otherwise. */
export function pageAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPage = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPage) throw browserError('QUERY_INVALID', { reason: 'page-address', params: { field: 'url' } });
  return url;
}

/** Whether it points to this computer. URL has already normalized every spelling of the address. */
export function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * This server itself, whose pages are never shown inside themselves; also any port of the name of this instance, under
 * which another server would receive the window's cookie.
 */
export function isOwn(url: URL, ownOrigin: string): boolean {
  const own = new URL(ownOrigin);
  const isInstance = own.hostname.endsWith('.localhost') && url.hostname.replace(/\.$/, '') === own.hostname;
  return isInstance || (isLocal(url) && portOf(url) === portOf(own));
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/**
 * A local address under another host name than the window's. Cookies ignore ports: under the window's own host name a
 * development server would receive the window's cookie.
 */
export function underOtherName(url: URL, ownOrigin: string): URL {
  const other = new URL(url);
  other.hostname = new URL(ownOrigin).hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return other;
}
