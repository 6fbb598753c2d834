import type { IncomingMessage } from 'node:http';
import { commonError, defineErrors } from '@fucina/shared';
import { headerValues } from '../header-values.ts';
import type { Step } from '../locals.ts';

const MAX_ADDRESS_BYTES = 4_096;

const hostError = defineErrors('HOST_FORBIDDEN');

/** Validates the address of the request: at most 4 KiB, exactly one Host header with one of our names, and a path. */
export function checkAddress(port: () => number): Step {
  return (request, response, next) => {
    const { url } = request;
    if (Buffer.byteLength(url) > MAX_ADDRESS_BYTES) throw commonError('PAYLOAD_LIMIT', { reason: 'address-length' });
    response.locals.host = hostOf(request, port());
    // Absolute-form and asterisk-form targets are for proxies.
    if (!url.startsWith('/')) throw commonError('NOT_FOUND');
    request.url = withRawPath(url);
    next();
  };
}

/** The only header that reveals DNS rebinding. Compared exactly, never by pattern. */
function hostOf(request: IncomingMessage, port: number): string {
  const [host = '', ...others] = headerValues(request, 'host').map((value) => value.toLowerCase());
  const isOurs = NAMES.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
  if (others.length > 0 || !isOurs) throw hostError('HOST_FORBIDDEN');
  return host;
}

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Express decodes path parameters while matching routes, before the gate, and handles decoding errors itself. Escaped
 * once more, they reach their operation as sent. `originalUrl` is unchanged.
 */
function withRawPath(url: string): string {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return `${path.replace(/[%#\s]/g, encodeURIComponent)}${at < 0 ? '' : url.slice(at)}`;
}
