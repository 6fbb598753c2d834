import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Ambient, AppError, commonError, systemCode } from '@fucina/shared';
import send from 'send';
import type { Call, Reply, Step } from '../locals.ts';
import { secretCheck, tokenCookie } from './access.ts';
import { hasBody } from './body.ts';
import { isRead } from './origin.ts';
import { SECURITY_HEADERS, setDocumentPolicy } from './security-headers.ts';

export interface WindowFilesNeeds {
  ambient: Ambient;
  /** The built window. */
  folder: string;
  /** Contains `openapi.json`, served at the root. */
  openApiFolder: string;
  token: string | undefined;
  /** The canonical host and port: a cookie for another local name would be sent to other servers' pages. */
  origin(): string;
  /** The host name of this instance, if it answers to it: no other server gets its cookie. */
  instance(): string | undefined;
}

/** Serves the window: its document with a fresh nonce, its hashed assets, and sign-in with `/?token=`. */
export function serveWindow(needs: WindowFilesNeeds): Step {
  return async (request, response) => {
    // The body is ignored: a slow sender must not hold the connection.
    if (hasBody(request)) response.set('Connection', 'close');
    if (!isRead(request.method)) {
      response.set('Allow', 'GET, HEAD');
      throw commonError('METHOD_NOT_ALLOWED');
    }
    const { host } = response.locals;
    const url = urlOf(request.originalUrl, host);
    const isDocument = extname(url.pathname) === '';
    const origin = originAt(url.port);
    if (isDocument && url.origin !== origin && url.hostname !== needs.instance())
      return redirect(response, `${origin}${url.pathname}${url.search}`);
    if (url.pathname === '/' && url.searchParams.has('token')) return enter(request, response, url);
    if (isDocument) return sendDocument(request, response);
    const isDescription = url.pathname === '/openapi.json';
    await sendFile(request, response, { root: isDescription ? needs.openApiFolder : needs.folder, path: url.pathname });
  };

  /** The canonical host, with the port that the client uses: the user may forward another one. */
  function originAt(port: string): string {
    const canonical = new URL(needs.origin());
    canonical.port = port;
    return canonical.origin;
  }

  /**
   * `/?token=`: sets the cookie for the right token and removes it from the address; no other parameters are allowed.
   */
  function enter(request: Call, response: Reply, url: URL): void {
    const site = request.headers['sec-fetch-site'];
    const isOwnDoor = site === undefined || site === 'none' || site === 'same-origin';
    const given = url.searchParams.getAll('token');
    const isAlone = [...url.searchParams.keys()].length === 1;
    if (!needs.token) return redirect(response, '/');
    if (!isOwnDoor || !isAlone || !secretCheck(needs.token)(given[0])) throw commonError('AUTH_REQUIRED');
    response.set('Set-Cookie', tokenCookie(needs.token));
    redirect(response, '/');
  }

  async function sendDocument(request: Call, response: Reply): Promise<void> {
    const nonce = needs.ambient.randomBytes(16).toString('base64');
    const html = (await readIndex()).replaceAll('__CSP_NONCE__', nonce);
    setDocumentPolicy(request, response, nonce);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(html) });
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
}

/** Sets the parts separately: a path that begins with two slashes stays a path, never another host. */
function urlOf(target: string, host: string): URL {
  const url = new URL(`http://${host}`);
  const at = target.indexOf('?');
  url.pathname = at < 0 ? target : target.slice(0, at);
  url.search = at < 0 ? '' : target.slice(at);
  return url;
}

/** Only below `root`, without hidden files. Asset names contain a hash of their content. */
function sendFile(request: Call, response: Reply, { root, path }: { root: string; path: string }): Promise<void> {
  const options = { root, acceptRanges: false, cacheControl: false, etag: false, lastModified: false, index: false };
  return new Promise((resolve, reject) => {
    response.once('close', resolve);
    send(request, path, { ...options, dotfiles: 'ignore' })
      .on('headers', () => {
        if (path.startsWith('/assets/')) response.set('Cache-Control', 'public, max-age=31536000, immutable');
      })
      .on('directory', () => reject(commonError('NOT_FOUND')))
      .on('error', (cause: HttpError) => {
        // A failed precondition is detected after the headers of the file were set.
        response.set('Cache-Control', SECURITY_HEADERS['Cache-Control']);
        reject(cause.status < 500 ? commonError('NOT_FOUND', { cause }) : cause);
      })
      .pipe(response);
  });
}

type HttpError = Error & { status: number };

function redirect(response: Reply, location: string): void {
  response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();
}
