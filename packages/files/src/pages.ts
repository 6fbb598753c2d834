import { posix } from 'node:path';
import { type Ambient, PathError, parseRelativePath, statInside } from '@fucina/shared';
import type { Download, PartAsk } from './download.ts';
import { asFileError, filesError } from './errors.ts';
import type { Tree } from './tree.ts';

/** A web page of a session's folder, shown in a frame with an access token instead of the user's cookie. */
export interface Pages {
  /** Throws QUERY_INVALID (invalid path, outside, not a page), FILE_NOT_FOUND. */
  open(sessionId: string, page: { folder: string; path: string }): Promise<PagePass>;
  /** The session of an access token. NOT_FOUND for an unknown one. */
  sessionOf(pass: string): string;
  /**
   * The page or a file beside it, or a range of one, by its path from the page's folder; a folder means its index.html.
   * Throws FILE_NOT_FOUND (also for hidden files and invalid segments), FILE_TOO_LARGE.
   */
  read(pass: string, path: string, ask?: PartAsk): Promise<PageFile>;
}

export interface PagePass {
  pass: string;
  /** Path of the page itself. */
  fileName: string;
}

export type PageFile = Download & { mediaType: string };

const PASS_BYTES = 32;
const MAX_PASSES = 1_000;
const PAGE = /\.(?:html?|xhtml)$/i;

export function createPages({ ambient, tree }: { ambient: Ambient; tree: Pick<Tree, 'download'> }): Pages {
  const passes = new Map<string, { sessionId: string; folder: string; base: string }>();

  const find = (pass: string) => {
    const known = passes.get(pass);
    if (!known) throw filesError('NOT_FOUND', { reason: 'page-pass' });
    return known;
  };

  return {
    async open(sessionId, { folder, path }) {
      try {
        const wanted = parseRelativePath(path);
        if (!PAGE.test(wanted)) throw filesError('QUERY_INVALID', { reason: 'not-a-page' });
        const { stats, realPath } = await statInside(folder, wanted);
        if (!stats.isFile()) throw new PathError('not-a-file', path);
        const pass = ambient.randomBytes(PASS_BYTES).toString('base64url');
        passes.set(pass, { sessionId, folder, base: parentOf(realPath) });
        for (const oldest of [...passes.keys()].slice(0, -MAX_PASSES)) passes.delete(oldest);
        return { pass, fileName: posix.basename(realPath) };
      } catch (error) {
        throw asFileError(error);
      }
    },

    sessionOf: (pass) => find(pass).sessionId,

    async read(pass, path, ask) {
      const { folder, base } = find(pass);
      const segments = path.split('/').filter((part, index, all) => part !== '' || index < all.length - 1);
      if (segments.some(isRefused)) throw filesError('FILE_NOT_FOUND', { reason: 'page-segment' });
      const file = await fileAt(folder, { base, path: posix.join(base, ...segments) });
      const download = await tree.download(folder, file, ask);
      return { ...download, mediaType: MEDIA_TYPES[posix.extname(file).toLowerCase()] ?? 'application/octet-stream' };
    },
  };
}

/** Hidden files are not served, and `..` is rejected. */
function isRefused(segment: string): boolean {
  return segment === '' || segment.startsWith('.') || /[/\\:\0]/.test(segment);
}

/** A link may point only into the page's own folder or below it. */
async function fileAt(folder: string, { base, path }: { base: string; path: string }): Promise<string> {
  try {
    const first = await statInside(folder, path);
    const file = first.stats.isDirectory() ? posix.join(path, 'index.html') : path;
    const { realPath } = file === path ? first : await statInside(folder, file);
    const isNeighbour = base === '' || realPath.startsWith(`${base}/`);
    if (
      !isNeighbour ||
      realPath
        .slice(base.length)
        .split('/')
        .some((part) => part.startsWith('.'))
    ) {
      throw new PathError('outside', path);
    }
    return realPath;
  } catch (error) {
    if (error instanceof PathError)
      throw filesError('FILE_NOT_FOUND', { reason: `path-${error.problem}`, cause: error });
    throw error;
  }
}

function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.xhtml': 'application/xhtml+xml; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};
