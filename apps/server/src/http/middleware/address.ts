import type { IncomingMessage } from 'node:http';
import { commonError, defineErrors } from '@fucina/shared';
import { headerValues } from '../header-values.ts';
import type { Step } from '../locals.ts';
import { cookieValues, secretCheck } from './access.ts';

const MAX_ADDRESS_BYTES = 4_096;

const hostError = defineErrors('HOST_FORBIDDEN');

export interface AddressNeeds {
  /** The server's port, set once it listens. */
  port(): number;
  /** The host name of this instance, if it answers to it. */
  instance(): string | undefined;
  token: string | undefined;
}

/**
 * Validates the address of the request: at most 4 KiB, exactly one Host header with one of our names, and a path.
 * Another port of such a name is one that the user forwards (`ssh -L`): only with the right token.
 */
export function checkAddress(needs: AddressNeeds): Step {
  const isToken = needs.token ? secretCheck(needs.token) : () => false;
  return (request, response, next) => {
    const { url } = request;
    if (Buffer.byteLength(url) > MAX_ADDRESS_BYTES) throw commonError('PAYLOAD_LIMIT', { reason: 'address-length' });
    response.locals.host = hostOf(request, needs, isToken);
    // Absolute-form and asterisk-form targets are for proxies.
    if (!url.startsWith('/')) throw commonError('NOT_FOUND');
    request.url = withRawPath(url);
    next();
  };
}

/** The only header that reveals DNS rebinding. Compared exactly, never by pattern. */
function hostOf(
  request: IncomingMessage,
  needs: Pick<AddressNeeds, 'port' | 'instance'>,
  isToken: (given: string) => boolean,
): string {
  const [host = '', ...others] = headerValues(request, 'host').map((value) => value.toLowerCase());
  const instance = needs.instance();
  const names = instance === undefined ? NAMES : [...NAMES, instance];
  const port = needs.port();
  const isOurs = names.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
  const isForwarded = () =>
    names.some((name) => host.startsWith(`${name}:`) && PORT.test(host.slice(name.length + 1))) &&
    tokensIn(request).some(isToken);
  if (others.length > 0 || !(isOurs || isForwarded())) throw hostError('HOST_FORBIDDEN');
  return host;
}

const NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const PORT = /^[1-9]\d{0,4}$/;

/** Of the cookies, and of the window's sign-in address. */
function tokensIn(request: IncomingMessage): string[] {
  const [path, query = ''] = (request.url ?? '').split('?', 2);
  return [...cookieValues(request), ...(path === '/' ? new URLSearchParams(query).getAll('token') : [])];
}

/**
 * Express decodes path parameters while matching routes, before the gate, and handles decoding errors itself. Escaped
 * once more, they reach their operation as sent. `originalUrl` is unchanged.
 */
function withRawPath(url: string): string {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return `${path.replace(/[%#\s]/g, encodeURIComponent)}${at < 0 ? '' : url.slice(at)}`;
}
