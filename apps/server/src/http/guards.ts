import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { commonError, defineErrors, type ErrorCode } from '@fucina/shared';

/**
 * Who may call an operation. `token` is the default; `from-window:CODE` names the code of its own refusal.
 * `sign-in-state` stands in the place of the token: the operation itself knows the state, one use, in its address.
 * So does `page-pass`, which opens one page of one session and its neighbours.
 */
export type Guard =
  | 'token'
  | 'sign-in-state'
  | 'loopback'
  | 'shutdown-token'
  | 'launcher-token'
  | 'page-pass'
  | `from-window:${ErrorCode}`;

export interface Secrets {
  token: string | undefined;
  shutdownToken: string | undefined;
  launcherToken: string | undefined;
}

const gatewayError = defineErrors('HOST_FORBIDDEN', 'ORIGIN_FORBIDDEN', 'WORKSPACE_LAUNCH_UNAUTHORIZED');

/** The addresses a browser may name for this server; compared whole, never by pattern. */
export function allowedHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

/** Exactly one Host header, one of ours: the only header that betrays a rebound page. */
export function checkHost(request: IncomingMessage, hosts: ReadonlySet<string>): string {
  const given = headerValues(request, 'host');
  const [host] = given;
  if (given.length !== 1 || host === undefined || !hosts.has(host.toLowerCase())) throw gatewayError('HOST_FORBIDDEN');
  return host.toLowerCase();
}

/**
 * Origin and fetch metadata. Reads refuse other sites; writes need the window (own Origin, Sec-Fetch-Site same-origin
 * or none) or a caller that is no browser. `own` is the operation's refusal code, where it has one.
 */
export function checkOrigin(request: IncomingMessage, host: string, own: ErrorCode | undefined): void {
  const site = headerValues(request, 'sec-fetch-site')[0];
  const origins = headerValues(request, 'origin');
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const refuse = (): never => {
    throw own ? defineErrors(own)(own) : gatewayError('ORIGIN_FORBIDDEN');
  };
  if (isRead(request.method)) {
    if (isForeignSite) refuse();
    return;
  }
  const isOwnOrigin = origins.length === 1 && origins[0] === `http://${host}`;
  if (origins.length > 0 && (!isOwnOrigin || isForeignSite)) refuse();
  if (origins.length === 0 && site !== undefined) refuse();
}

/** A terminal: from the window, or from a program that holds the server's token. */
export function checkSocketOrigin(request: IncomingMessage, host: string, hasToken: boolean): void {
  const site = headerValues(request, 'sec-fetch-site')[0];
  const origins = headerValues(request, 'origin');
  const isWindow = origins.length === 1 && origins[0] === `http://${host}`;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isProgram = origins.length === 0 && site === undefined && hasToken;
  if (isForeignSite || !(isWindow || isProgram)) throw gatewayError('ORIGIN_FORBIDDEN');
}

/** Approvals and uploads: from the window, or from a program that holds the server's token. */
export function checkWindow(request: IncomingMessage, code: ErrorCode, hasToken: boolean): void {
  const site = headerValues(request, 'sec-fetch-site')[0];
  const isWindow = headerValues(request, 'origin').length === 1 && (site === 'same-origin' || site === 'none');
  if (!isWindow && !hasToken) throw defineErrors(code)(code);
}

/** Reached by a link of another site and without a cookie: a narrower secret stands in the address. */
export function isOpenedFromOutside(guards: readonly Guard[]): boolean {
  return guards.includes('sign-in-state') || guards.includes('page-pass');
}

export function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

const COOKIE = 'svc_token';

/**
 * True without a token set; otherwise when any cookie of our name equals the token. Other servers on this computer share
 * the host, and so can add a cookie of the same name beside ours. Each value is compared in constant time, and all are.
 */
export function hasAccess(request: IncomingMessage, token: string | undefined): boolean {
  if (!token) return true;
  const cookies = headerValues(request, 'cookie').flatMap((header) => header.split(';'));
  const values = cookies.map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${COOKIE}=`));
  return values.filter((value) => isSame(value.slice(COOKIE.length + 1), token)).length > 0;
}

export function tokenCookie(token: string): string {
  return `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict`;
}

/** Hashed first: unequal lengths are then no exception and no hint. */
export function isSame(given: string | undefined, expected: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given ?? ''), digest(expected)) && given !== undefined;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** The narrower secrets that stand beside the token. */
export function checkGuards(request: IncomingMessage, guards: readonly Guard[], secrets: Secrets): void {
  for (const guard of guards) {
    if (guard === 'loopback' && !LOOPBACK.has(request.socket.remoteAddress ?? '')) throw commonError('AUTH_REQUIRED');
    if (guard === 'shutdown-token') {
      const given = headerValues(request, 'x-svc-shutdown-token')[0];
      if (!secrets.shutdownToken || !isSame(given, secrets.shutdownToken)) throw commonError('AUTH_REQUIRED');
    }
    if (guard === 'launcher-token') {
      const given = headerValues(request, 'x-svc-launcher-token')[0];
      const isLauncher = secrets.launcherToken && isSame(given, secrets.launcherToken);
      if (!isLauncher) throw gatewayError('WORKSPACE_LAUNCH_UNAUTHORIZED');
    }
    if (guard.startsWith('from-window:')) {
      checkWindow(request, guard.slice('from-window:'.length) as ErrorCode, secrets.token !== undefined);
    }
  }
}

/** The code with which an operation refuses a foreign Origin, when it has one of its own. */
export function ownOriginCode(guards: readonly Guard[]): ErrorCode | undefined {
  const guard = guards.find((candidate) => candidate.startsWith('from-window:'));
  return guard && (guard.slice('from-window:'.length) as ErrorCode);
}

/** Every value of a header as sent: Node joins or drops repeated ones, which would hide an attack. */
function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) values.push(request.rawHeaders[index + 1] ?? '');
  }
  return values;
}
