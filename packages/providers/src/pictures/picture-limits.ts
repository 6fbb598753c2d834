import { modelFamily } from '@fucina/shared';
import type { ProviderRecord } from '../table/record.ts';

export type PictureFormat = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** What a vendor takes of the pictures of one request. A field without a value: no limit is published. */
export interface PictureLimits {
  /** Of one picture, as base64 text. */
  base64Bytes?: number;
  /** Of all pictures of a request together, as base64 text. */
  totalBase64Bytes?: number;
  /** The longer side of a picture. */
  sidePx?: number;
  /** With more pictures than `above` in a request, another limit of the side holds for each. */
  many?: { above: number; sidePx: number };
  /** Width × height of a picture. */
  pixels?: number;
  /** Of one request. */
  pictures?: number;
  /** Other pictures are converted. */
  formats: readonly PictureFormat[];
  /** Whether animations are refused: they are sent as their first image. */
  refusesAnimation?: boolean;
}

const ALL: readonly PictureFormat[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const NO_GIF: readonly PictureFormat[] = ['image/png', 'image/jpeg', 'image/webp'];
const OLDEST: readonly PictureFormat[] = ['image/png', 'image/jpeg'];

/** platform.claude.com, "Vision": 5 MB, 8,000 px, 2,000 px in requests of more than 20, 100 in a request. */
const CLAUDE: PictureLimits = {
  base64Bytes: 5_242_880,
  sidePx: 8_000,
  many: { above: 20, sidePx: 2_000 },
  pictures: 100,
  formats: ALL,
};
/** platform.openai.com, "Images and vision": PNG, JPEG, WebP, GIF without animation; 50 MB in a request. */
const GPT: PictureLimits = {
  base64Bytes: 20_000_000,
  totalBase64Bytes: 50_000_000,
  formats: ALL,
  refusesAnimation: true,
};
/** ai.google.dev, "Image understanding": PNG, JPEG, WebP, HEIC; 20 MB in a request with inline data. */
const GEMINI: PictureLimits = { totalBase64Bytes: 19_000_000, formats: NO_GIF, refusesAnimation: true };
/** docs.x.ai, "Image understanding": 20 MiB, JPEG and PNG. */
const GROK: PictureLimits = { base64Bytes: 20_000_000, formats: OLDEST };
/** docs.z.ai, "GLM-4.5V": 5 MB, 6,000 px, JPEG and PNG. */
const ZAI: PictureLimits = { base64Bytes: 5_000_000, sidePx: 6_000, formats: OLDEST };
/** llama.cpp and what is built on it decode PNG and JPEG everywhere. */
const LOCAL: PictureLimits = { formats: OLDEST };

const PROVIDERS: Record<string, PictureLimits> = {
  anthropic: CLAUDE,
  openai: GPT,
  azure: GPT,
  gemini: GEMINI,
  xai: GROK,
  zai: ZAI,
  'zai-anthropic': ZAI,
  // docs.mistral.ai, "Vision": 10 MB, 8 in a request, GIF without animation.
  mistral: { base64Bytes: 10_000_000, pictures: 8, formats: ALL, refusesAnimation: true },
  // console.groq.com, "Images and vision": 33 megapixels, 5 in a request, 4 MB of base64 in a request.
  groq: { totalBase64Bytes: 3_900_000, pixels: 33_177_600, pictures: 5, formats: NO_GIF, refusesAnimation: true },
  // Model Studio, "Visual understanding": 10 MB as base64.
  qwen: { base64Bytes: 10_000_000, formats: NO_GIF, refusesAnimation: true },
};

/** The vendor's limit holds wherever its model is served. */
const FAMILIES: Record<string, PictureLimits> = { claude: CLAUDE, gpt: GPT, gemini: GEMINI, grok: GROK };

/** The stricter of what the provider and what the model's vendor take. Undefined: the program there decides. */
export function pictureLimitsOf(record: ProviderRecord, model: string): PictureLimits | undefined {
  if (record.wire === 'acp') return undefined;
  const own = PROVIDERS[record.id] ?? (record.execution === 'local' ? LOCAL : { formats: ALL });
  const vendors = FAMILIES[modelFamily(model)];
  return vendors && vendors !== own ? stricter(own, vendors) : own;
}

function stricter(a: PictureLimits, b: PictureLimits): PictureLimits {
  const smaller = (name: 'base64Bytes' | 'totalBase64Bytes' | 'sidePx' | 'pixels' | 'pictures') => {
    const value = Math.min(a[name] ?? Number.POSITIVE_INFINITY, b[name] ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(value) ? { [name]: value } : {};
  };
  const many = a.many ?? b.many;
  return {
    ...smaller('base64Bytes'),
    ...smaller('totalBase64Bytes'),
    ...smaller('sidePx'),
    ...smaller('pixels'),
    ...smaller('pictures'),
    ...(many && { many }),
    formats: a.formats.filter((format) => b.formats.includes(format)),
    refusesAnimation: Boolean(a.refusesAnimation || b.refusesAnimation),
  };
}
