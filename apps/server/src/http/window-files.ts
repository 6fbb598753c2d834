import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { type Ambient, AppError, commonError, systemCode } from '@fucina/shared';
import { isRead, isSame, tokenCookie } from './guards.ts';
import { contentSecurityPolicy } from './headers.ts';

export interface WindowFilesNeeds {
  ambient: Ambient;
  /** The built window; a missing folder is told, not hidden. */
  folder: string;
  /** `openapi.json`, served at the root for people and tools. */
  openApiFile: string;
  token: string | undefined;
  /** The name and port people are sent to: a cookie of another local name would reach other servers' pages. */
  origin(): string;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Serves the window: its document with a fresh nonce, its hashed assets, and the way in by `/?token=`. */
export function createWindowFiles(needs: WindowFilesNeeds) {
  return async function serveWindow(request: IncomingMessage, response: ServerResponse, host: string): Promise<void> {
    if (!isRead(request.method)) {
      response.setHeader('Allow', 'GET, HEAD');
      throw commonError('METHOD_NOT_ALLOWED');
    }
    const url = urlOf(request.url ?? '/', host);
    const isDocument = extname(url.pathname) === '';
    if (isDocument && `http://${host}` !== needs.origin()) {
      return redirect(response, `${needs.origin()}${url.pathname}${url.search}`);
    }
    if (url.pathname === '/' && url.searchParams.has('token')) return enter(request, response, url);
    if (isDocument) return sendDocument(request, response);
    if (url.pathname === '/openapi.json') return sendFile(request, response, needs.openApiFile);
    await sendFile(request, response, assetPath(url.pathname));
  };

  /** `/?token=`: sets the cookie for the right token and drops it from the address; nothing else may ride along. */
  function enter(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const site = request.headers['sec-fetch-site'];
    const isOwnDoor = site === undefined || site === 'none' || site === 'same-origin';
    const given = url.searchParams.getAll('token');
    const isAlone = [...url.searchParams.keys()].length === 1;
    if (!needs.token) return redirect(response, '/');
    if (!isOwnDoor || !isAlone || !isSame(given[0], needs.token)) throw commonError('AUTH_REQUIRED');
    response.setHeader('Set-Cookie', tokenCookie(needs.token));
    redirect(response, '/');
  }

  async function sendDocument(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = needs.ambient.randomBytes(16).toString('base64');
    const html = (await readIndex()).replaceAll('__CSP_NONCE__', nonce);
    response.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce));
    response.writeHead(200, { 'Content-Type': TYPES['.html'], 'Content-Length': Buffer.byteLength(html) });
    response.end(request.method === 'HEAD' ? undefined : html);
  }

  async function readIndex(): Promise<string> {
    try {
      return await readFile(join(needs.folder, 'index.html'), 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw new AppError('NOT_FOUND', { reason: 'window-not-built', cause: error });
      throw error;
    }
  }

  function assetPath(pathname: string): string {
    let name: string;
    try {
      name = decodeURIComponent(pathname);
    } catch (cause) {
      throw commonError('NOT_FOUND', { cause });
    }
    const file = normalize(join(needs.folder, name));
    const isHidden = name.split('/').some((segment) => segment.startsWith('.'));
    if (!file.startsWith(needs.folder + sep) || name.includes('\0') || isHidden) throw commonError('NOT_FOUND');
    return file;
  }

  async function sendFile(request: IncomingMessage, response: ServerResponse, file: string): Promise<void> {
    const facts = await statFile(file);
    // Asset names carry a hash of their content; everything else is asked again.
    const isHashed = file.includes(`${sep}assets${sep}`);
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': facts.size,
      ...(isHashed && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
    });
    if (request.method === 'HEAD') return void response.end();
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  }
}

/** Set part by part: what begins with two slashes is a path here, never another host. */
function urlOf(target: string, host: string): URL {
  const url = new URL(`http://${host}`);
  const at = target.indexOf('?');
  url.pathname = at < 0 ? target : target.slice(0, at);
  url.search = at < 0 ? '' : target.slice(at);
  return url;
}

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

async function statFile(file: string): Promise<{ size: number }> {
  try {
    const facts = await stat(file);
    if (facts.isFile()) return facts;
  } catch (error) {
    if (!ABSENT.has(systemCode(error))) throw error;
  }
  throw commonError('NOT_FOUND');
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();
}
