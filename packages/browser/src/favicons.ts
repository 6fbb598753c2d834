import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, OutboundError, type OutboundHttp, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import { browserError } from './errors.ts';
import { imageKind } from './image-kind.ts';

export interface Icon {
  mediaType: string;
  bytes: Buffer;
}

export interface Favicons extends AsyncDisposable {
  /** The icon of a public site; undefined when it has none. QUERY_INVALID for an invalid host name. */
  read(domain: string): Promise<Icon | undefined>;
}

interface FaviconNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  /** Created for the first icon. */
  folder: string;
}

const RETENTION_MS = 7 * 86_400_000;
const MISS_MS = 86_400_000;
const MAX_ICON_BYTES = 256 * 1024;
/** How much of a page is read for its links. */
const HEAD_BYTES = 256 * 1024;
const TOTAL_MS = 10_000;
/** How many links of one page are tried. */
const MAX_LINKS = 4;
const MAX_STORED = 1_000;

const kept = z.object({ at: z.number(), icon: z.object({ mediaType: z.string(), base64: z.string() }).nullable() });

/** One fetch at a time per site; an icon is cached on disk for a week, a miss for a day. */
export function createFavicons(needs: FaviconNeeds): Favicons {
  const running = new Map<string, Promise<Icon | undefined>>();
  const over = new AbortController();
  const look = async (host: string): Promise<Icon | undefined> => {
    const file = join(needs.folder, `${createHash('sha256').update(host).digest('hex')}.json`);
    const known = await recall(needs, file);
    if (known) return known.icon;
    const icon = await found(needs.http, host, over.signal);
    await keep(needs, file, icon);
    return icon;
  };
  return {
    async read(domain) {
      const host = hostName(domain);
      const started = running.get(host);
      if (started) return started;
      const finding = look(host).finally(() => running.delete(host));
      running.set(host, finding);
      return finding;
    },
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.allSettled(running.values());
    },
  };
}

function hostName(domain: string): string {
  const url = URL.canParse(`https://${domain}/`) ? new URL(`https://${domain}/`) : undefined;
  const isHost = url && url.host !== '' && url.href === `https://${url.hostname}/` && !/[/?#@\\\s]/.test(domain);
  if (!isHost || domain.length > 253 || /^\.|\.\./.test(url.hostname))
    throw browserError('QUERY_INVALID', { params: { field: 'dominio' } });
  return url.hostname;
}

/** Undefined: not cached, or expired. */
async function recall({ ambient }: FaviconNeeds, file: string): Promise<{ icon: Icon | undefined } | undefined> {
  const record = kept.safeParse(await readJson(file));
  if (!record.success) return undefined;
  const { at, icon } = record.data;
  const age = ambient.now() - at;
  if (age < 0 || age >= (icon ? RETENTION_MS : MISS_MS)) return undefined;
  return { icon: icon ? { mediaType: icon.mediaType, bytes: Buffer.from(icon.base64, 'base64') } : undefined };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    // A damaged entry is fetched again.
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A full disk only means another fetch later; this answer is not affected. */
async function keep({ ambient, folder }: FaviconNeeds, file: string, icon: Icon | undefined): Promise<void> {
  const record = icon ? { mediaType: icon.mediaType, base64: icon.bytes.toString('base64') } : null;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFileAtomically(file, JSON.stringify({ at: ambient.now(), icon: record }));
    await dropOldest(folder);
  } catch (error) {
    ambient.log.warn('favicon.not-kept', { error });
  }
}

async function dropOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MAX_STORED) return;
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = files.sort((one, other) => one.at - other.at).slice(0, names.length - MAX_STORED);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

/** The icons that the site's page names, then the usual locations. */
async function found(http: OutboundHttp, host: string, signal: AbortSignal): Promise<Icon | undefined> {
  const home = `https://${host}/`;
  const page = await fetched(http, home, { accept: 'text/html', maxBytes: HEAD_BYTES, signal });
  // Loaded on demand together with the HTML parser: most processes never need it.
  const named = page
    ? (await import('./icon-links.ts')).iconLinks(page.bytes.toString('utf8'), page.url).slice(0, MAX_LINKS)
    : [];
  for (const url of new Set([...named, new URL('/favicon.ico', home).href])) {
    const answer = await fetched(http, url, { accept: 'image/*', maxBytes: MAX_ICON_BYTES + 1, signal });
    const mediaType = answer && answer.bytes.length <= MAX_ICON_BYTES ? imageKind(answer.bytes) : undefined;
    if (answer && mediaType) return { mediaType, bytes: answer.bytes };
  }
  return undefined;
}

/** At most the first `maxBytes` of the response; undefined if there is none. */
async function fetched(
  http: OutboundHttp,
  url: string,
  { accept, maxBytes, signal }: { accept: string; maxBytes: number; signal: AbortSignal },
): Promise<{ url: string; bytes: Buffer } | undefined> {
  try {
    const limits = { totalMs: TOTAL_MS, bodyBytes: 0 };
    const answer = await http.send({ url, policy: 'public', signal, headers: { accept }, limits });
    if (answer.status !== 200) {
      answer.discard();
      return undefined;
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
    return { url: answer.url, bytes: Buffer.concat(chunks).subarray(0, maxBytes) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    signal.throwIfAborted();
    return undefined;
  }
}
