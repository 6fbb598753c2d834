import type { IncomingMessage } from 'node:http';
import { defineErrors, type ErrorCode } from '@fucina/shared';
import { headerValues } from '../header-values.ts';
import type { Check } from '../locals.ts';

/**
 * Checks Origin and fetch metadata. Reads reject other sites; writes require the window (own Origin, Sec-Fetch-Site
 * same-origin or none) or a caller that is not a browser.
 */
export function checkOrigin(code: ErrorCode = 'ORIGIN_FORBIDDEN'): Check {
  return (request, response) => {
    const { origins, site, isForeignSite } = senderOf(request);
    const isOwnOrigin = origins.length === 1 && origins[0] === `http://${response.locals.host}`;
    const isForeignWrite = origins.length > 0 ? !isOwnOrigin || isForeignSite : site !== undefined;
    if (isRead(request.method) ? isForeignSite : isForeignWrite) throw defineErrors(code)(code);
  };
}

/** Approvals, uploads and similar: only from the window, or from a program with the server's token. */
export function checkWindow(code: ErrorCode, hasToken: boolean): Check {
  return (request) => {
    const { origins, site } = senderOf(request);
    const isWindow = origins.length === 1 && (site === 'same-origin' || site === 'none');
    if (!isWindow && !hasToken) throw defineErrors(code)(code);
  };
}

/**
 * A terminal: only from the window, or from a program with the server's token. A browser always sends an Origin here.
 */
export function checkSocketOrigin(hasToken: boolean): Check {
  return (request, response) => {
    const { origins, site, isForeignSite } = senderOf(request);
    const isWindow = origins.length === 1 && origins[0] === `http://${response.locals.host}`;
    const isProgram = origins.length === 0 && site === undefined && hasToken;
    if (isForeignSite || !(isWindow || isProgram)) throw defineErrors('ORIGIN_FORBIDDEN')('ORIGIN_FORBIDDEN');
  };
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function senderOf(request: IncomingMessage): { origins: string[]; site: string | undefined; isForeignSite: boolean } {
  const site = headerValues(request, 'sec-fetch-site')[0];
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  return { origins: headerValues(request, 'origin'), site, isForeignSite };
}
