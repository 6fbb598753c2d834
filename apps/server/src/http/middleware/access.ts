import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Services } from '@fucina/host';
import { commonError, defineErrors } from '@fucina/shared';
import type { Guard, Secrets } from '../guard.ts';
import { headerValues } from '../header-values.ts';
import type { Call, Check } from '../locals.ts';

const COOKIE = 'svc_token';
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

const launchError = defineErrors('WORKSPACE_LAUNCH_UNAUTHORIZED');

/** AUTH_REQUIRED without the server's token in a cookie. A server without a token accepts every request. */
export function checkAccess(token: string | undefined): Check {
  const isToken = token ? secretCheck(token) : undefined;
  return (request) => {
    if (isToken && !tokensOf(request).some(isToken)) throw commonError('AUTH_REQUIRED');
  };
}

/** An automation's webhook: only with the secret of that automation. */
export function checkHookAccess(services: Pick<Services, 'automations'>): Check {
  return (request) => {
    const { automationId = '' } = request.params;
    if (!services.automations.hooks.accepts(automationId, bearerOf(request))) throw commonError('AUTH_REQUIRED');
  };
}

/** The MCP server: for a program with its own token, or with the server's. */
export function checkMcpAccess({ token, mcpToken }: Pick<Secrets, 'token' | 'mcpToken'>): Check {
  const ofServer = checkAccess(token);
  return (request, response) => {
    if (!isSecret(bearerOf(request), mcpToken)) ofServer(request, response);
  };
}

function bearerOf(request: Call): string | undefined {
  return /^Bearer (\S+)$/i.exec(headerValues(request, 'authorization')[0] ?? '')?.[1];
}

/**
 * All values of our cookie. Servers on other ports share the host and can add one of the same name, and cookie-parser
 * returns only the first.
 */
function tokensOf(request: Call): string[] {
  const first: unknown = (request.cookies as Record<string, unknown>)[COOKIE];
  return [first, ...cookieValues(request).slice(1)].filter((value) => typeof value === 'string');
}

/** All values of our cookie, as sent. */
export function cookieValues({ headers }: Pick<IncomingMessage, 'headers'>): string[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${COOKIE}=`)).map((pair) => pair.slice(COOKIE.length + 1));
}

/** The narrower secrets that some operations require in addition to the token. */
export function checkSecrets(guards: readonly Guard[], secrets: Secrets): Check {
  return (request) => {
    const given = (name: string): string | undefined => headerValues(request, name)[0];
    if (guards.includes('loopback') && !LOOPBACK.has(request.socket.remoteAddress ?? ''))
      throw commonError('AUTH_REQUIRED');
    if (guards.includes('shutdown-token') && !isSecret(given('x-svc-shutdown-token'), secrets.shutdownToken))
      throw commonError('AUTH_REQUIRED');
    if (guards.includes('launcher-token') && !isSecret(given('x-svc-launcher-token'), secrets.launcherToken))
      throw launchError('WORKSPACE_LAUNCH_UNAUTHORIZED');
  };
}

export function tokenCookie(token: string): string {
  return `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict`;
}

/** False if the server has no such secret. */
function isSecret(given: string | undefined, secret: string | undefined): boolean {
  return secret ? secretCheck(secret)(given) : false;
}

/** Compares in constant time. Hashed first, so that unequal lengths neither throw nor leak information. */
export function secretCheck(expected: string): (given: string | undefined) => boolean {
  const digest = (value: string): Buffer => hash('sha256', value, 'buffer');
  const wanted = digest(expected);
  return (given) => timingSafeEqual(digest(given ?? ''), wanted) && given !== undefined;
}
