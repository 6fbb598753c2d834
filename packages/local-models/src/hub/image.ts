import { isIP } from 'node:net';
import { isPublicAddress, type OutboundAnswer, OutboundError, type OutboundHttp } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { isHubHost } from './hub-http.ts';

export interface HubImage {
  bytes: Buffer;
  mediaType: string;
}

/** Hosts of model card images in addition to the hub; a leading dot includes all subdomains. */
const IMAGE_HOSTS: readonly string[] = ['github.com', '.githubusercontent.com', '.github.io'];
const MAX_BYTES = 8_388_608;
const LIMITS = { connectMs: 5_000, firstResponseMs: 10_000, idleMs: 10_000, totalMs: 20_000, bodyBytes: MAX_BYTES };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
const HOST = /^\.?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

export interface ImageNeeds {
  http: OutboundHttp;
  /** Replaces this release's hosts. HUB_IMAGE_CONFIG_INVALID for an invalid host name. */
  imageHosts?: readonly string[];
}

/** An image of a model card, fetched here so that the window contacts no other host. SVG with scripts is rejected. */
export async function readHubImage(needs: ImageNeeds, address: string, signal?: AbortSignal): Promise<HubImage> {
  const hosts = needs.imageHosts ?? IMAGE_HOSTS;
  if (!hosts.every((host) => HOST.test(host))) throw localModelsError('HUB_IMAGE_CONFIG_INVALID');
  let url = checkedUrl(address, hosts);
  for (let hop = 0; ; hop++) {
    const answer = await send(needs.http, url, signal);
    if (!REDIRECTS.has(answer.status)) return await imageIn(answer);
    answer.discard();
    const location = answer.headers['location'] ?? '';
    const isReadable = location !== '' && URL.canParse(location, url);
    if (hop === MAX_REDIRECTS || !isReadable) throw localModelsError('HUB_IMAGE_REDIRECT_REJECTED');
    url = redirected(new URL(location, url).href, hosts);
  }
}

function checkedUrl(address: string, hosts: readonly string[]): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.port === '';
  if (!isPlain) throw localModelsError('HUB_IMAGE_URL_INVALID');
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw localModelsError('HUB_IMAGE_PRIVATE_ADDRESS');
  if (!isAllowed(url.hostname, hosts)) throw localModelsError('HUB_IMAGE_HOST_REJECTED');
  return url.href;
}

function isAllowed(host: string, hosts: readonly string[]): boolean {
  return isHubHost(host) || hosts.some((one) => (one.startsWith('.') ? host.endsWith(one) : host === one));
}

function redirected(address: string, hosts: readonly string[]): string {
  try {
    return checkedUrl(address, hosts);
  } catch (cause) {
    throw localModelsError('HUB_IMAGE_REDIRECT_REJECTED', { cause });
  }
}

const PROBLEMS = {
  dns: 'HUB_IMAGE_DNS_FAILED',
  'forbidden-address': 'HUB_IMAGE_PRIVATE_ADDRESS',
  timeout: 'HUB_IMAGE_ABORTED',
  aborted: 'HUB_IMAGE_ABORTED',
  'too-large': 'HUB_IMAGE_TOO_LARGE',
} as const satisfies Partial<Record<OutboundError['problem'], string>>;

async function send(http: OutboundHttp, url: string, signal: AbortSignal | undefined): Promise<OutboundAnswer> {
  try {
    const headers = { accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' };
    return await http.send({ url, headers, policy: 'public', redirects: 'answer', signal, limits: LIMITS });
  } catch (error) {
    throw asImageError(error);
  }
}

async function imageIn(answer: OutboundAnswer): Promise<HubImage> {
  if (answer.status !== 200) {
    answer.discard();
    throw localModelsError('HUB_IMAGE_UPSTREAM', { reason: `status-${answer.status}` });
  }
  if (Number(answer.headers['content-length']) > MAX_BYTES) {
    answer.discard();
    throw localModelsError('HUB_IMAGE_TOO_LARGE');
  }
  const bytes = await answer.bytes().catch((error: unknown) => {
    throw asImageError(error);
  });
  const mediaType = kindOf(bytes);
  if (mediaType === undefined) throw localModelsError('HUB_IMAGE_MIME_REJECTED');
  return { bytes, mediaType };
}

function asImageError(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error;
  const code = PROBLEMS[error.problem as keyof typeof PROBLEMS] ?? 'HUB_IMAGE_UPSTREAM';
  return localModelsError(code, { cause: error });
}

/** Detected by the first bytes, whatever type is declared. */
function kindOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.slice(4, 12) === 'ftypavif') return 'image/avif';
  return undefined;
}
