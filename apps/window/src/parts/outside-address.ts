import { isLoopbackName } from '../wire/loopback.ts';

const INSTANCE = /^fucina-[0-9a-f]+\.localhost$/;

/**
 * The address under which a link or a typed address opens. Cookies ignore ports: a server on another port of the
 * window's own host would receive the window's token. Addresses of this computer therefore open as `localhost`, and the
 * name of this instance with another port does not open: undefined.
 */
export function outsideAddress(address: string, own: Pick<URL, 'host' | 'hostname'> = location): string | undefined {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const name = url.hostname.replace(/\.$/, '');
  if (!/^https?:$/.test(url.protocol) || url.host === own.host) return address;
  if (INSTANCE.test(name) && name === own.hostname) return undefined;
  if (!INSTANCE.test(name) && !isLoopbackName(name)) return address;
  // A window at `localhost` has its cookie there.
  url.hostname = own.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return url.href;
}

/** Opens a new tab. False when the address is refused. */
export function openOutside(address: string): boolean {
  const href = outsideAddress(address);
  if (href !== undefined) window.open(href, '_blank', 'noopener,noreferrer');
  return href !== undefined;
}
