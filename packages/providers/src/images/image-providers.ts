import { OutboundError, type OutboundHttp, type OutboundRequest } from '@fucina/shared';
import { type Access, providerHeaders } from '../connection/access.ts';
import { joinAddress } from '../connection/runtime.ts';
import type { ProviderRecord } from '../table/record.ts';

export type ImageShape = 'square' | 'portrait' | 'landscape';

export interface Picture {
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  bytes: Buffer;
}

export interface ImageCall {
  http: OutboundHttp;
  record: ProviderRecord;
  endpoint: string;
  access: Access;
  prompt: string;
  shape: ImageShape;
  signal: AbortSignal;
}

/** Why there is no image: the id of the sentence for the model. */
export class ImageError extends Error {
  override readonly name = 'PictureError';
  readonly problem: 'refused' | 'key-refused' | 'busy' | 'unreachable' | 'no-picture';

  constructor(problem: ImageError['problem'], cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** In order of preference: the first one with a key is used. */
export const IMAGE_PROVIDERS = ['openai', 'gemini', 'aggregator'] as const;

const LIMITS = {
  connectMs: 10_000,
  firstResponseMs: 180_000,
  idleMs: 120_000,
  totalMs: 300_000,
  bodyBytes: 41_943_040,
};
const MAX_PICTURE_BYTES = 20_971_520;

/** Throws PictureError; rejects with the signal's reason when aborted. */
export async function generateImage(call: ImageCall): Promise<Picture> {
  const way = WAYS[call.record.id as (typeof IMAGE_PROVIDERS)[number]];
  try {
    const { url, body } = way.request(call);
    const headers = providerHeaders(call.record, call.access, {
      'content-type': 'application/json',
      accept: 'application/json',
    });
    const request: OutboundRequest = { url, method: 'POST', policy: 'configured', headers, body: JSON.stringify(body) };
    const answer = await call.http.send({ ...request, limits: LIMITS, signal: call.signal });
    if (answer.status >= 300) {
      answer.discard();
      throw new ImageError(problemOf(answer.status));
    }
    return checked(way.read(JSON.parse(await answer.text())));
  } catch (cause) {
    call.signal.throwIfAborted();
    if (cause instanceof OutboundError) throw new ImageError('unreachable', cause);
    if (cause instanceof SyntaxError) throw new ImageError('no-picture', cause);
    throw cause;
  }
}

interface Way {
  request(call: ImageCall): { url: string; body: unknown };
  /** Base64, or undefined when the response contains none. */
  read(answer: unknown): string | undefined;
}

const SIZES: Record<ImageShape, string> = { square: '1024x1024', portrait: '1024x1536', landscape: '1536x1024' };
const RATIOS: Record<ImageShape, string> = { square: '1:1', portrait: '2:3', landscape: '3:2' };

const WAYS: Record<(typeof IMAGE_PROVIDERS)[number], Way> = {
  openai: {
    request: ({ endpoint, prompt, shape }) => ({
      url: joinAddress(endpoint, '/images/generations'),
      body: { model: 'gpt-image-1', prompt, n: 1, size: SIZES[shape] },
    }),
    read: (answer) => text(at(answer, 'data', 0, 'b64_json')),
  },
  gemini: {
    request: ({ endpoint, prompt, shape }) => ({
      url: joinAddress(endpoint, '/models/gemini-2.5-flash-image:generateContent'),
      body: {
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: RATIOS[shape] } },
      },
    }),
    read(answer) {
      const parts = at(answer, 'candidates', 0, 'content', 'parts');
      const found = Array.isArray(parts) ? parts.find((part) => at(part, 'inlineData')) : undefined;
      return text(at(found, 'inlineData', 'data'));
    },
  },
  aggregator: {
    request: ({ endpoint, prompt, shape }) => ({
      url: joinAddress(endpoint, '/chat/completions'),
      body: {
        model: 'google/gemini-2.5-flash-image',
        modalities: ['image', 'text'],
        image_config: { aspect_ratio: RATIOS[shape] },
        messages: [{ role: 'user', content: prompt }],
      },
    }),
    read(answer) {
      const url = text(at(answer, 'choices', 0, 'message', 'images', 0, 'image_url', 'url'));
      return /^data:image\/[a-z]+;base64,(.+)$/s.exec(url ?? '')?.[1];
    },
  },
};

function checked(base64: string | undefined): Picture {
  const bytes = base64 === undefined ? undefined : Buffer.from(base64, 'base64');
  const mimeType = bytes && kindOf(bytes);
  if (!bytes || !mimeType || bytes.length > MAX_PICTURE_BYTES) throw new ImageError('no-picture');
  return { bytes, mimeType };
}

/** Detected by the first bytes; the declared type is ignored. */
function kindOf(bytes: Buffer): Picture['mimeType'] | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : undefined;
}

function problemOf(status: number): ImageError['problem'] {
  if (status === 401 || status === 402 || status === 403) return 'key-refused';
  return status === 429 || status >= 500 ? 'busy' : 'refused';
}

function at(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    found = typeof found === 'object' && found !== null ? (found as Record<string | number, unknown>)[name] : undefined;
  }
  return found;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
