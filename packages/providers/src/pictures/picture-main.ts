// A program of its own: decoders of pictures are written in C++, and a file that breaks one must not end the server. Reads a
// line with the target and the picture from standard input; writes a line about its copy, and the copy.
import type { Sharp } from 'sharp';
import { base64Size, MAX_PIXELS, type PictureTarget } from './picture-facts.ts';
import type { PictureFormat } from './picture-limits.ts';
import type { CopyReport } from './smaller-copy.ts';

/** Each try that is still too large is followed by one with fewer pixels. */
const TRIES = 12;
const STEP = 0.75;

interface Source {
  bytes: Buffer;
  format: string;
  width: number;
  height: number;
  hasAlpha: boolean;
  pages: number;
}

interface Size {
  width: number;
  height: number;
}

interface Encoding {
  type: PictureFormat;
  apply(picture: Sharp): Sharp;
}

const PNG: Encoding = { type: 'image/png', apply: (picture) => picture.png() };
const PALETTE: Encoding = { type: 'image/png', apply: (picture) => picture.png({ palette: true }) };
const webp = (quality: number): Encoding => ({ type: 'image/webp', apply: (picture) => picture.webp({ quality }) });
const jpeg = (quality: number): Encoding => ({
  type: 'image/jpeg',
  // Text in screenshots stays sharp; what is transparent becomes white, as it is on a page.
  apply: (picture) => picture.flatten({ background: 'white' }).jpeg({ quality, chromaSubsampling: '4:4:4' }),
});

void main();

async function main(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const input = Buffer.concat(chunks);
  const end = input.indexOf('\n');
  const target = JSON.parse(input.toString('utf8', 0, end)) as PictureTarget;
  const { report, bytes } = await copyOf(input.subarray(end + 1), target);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (bytes) process.stdout.write(bytes);
}

async function copyOf(bytes: Buffer, target: PictureTarget): Promise<{ report: CopyReport; bytes?: Buffer }> {
  const library = await import('sharp').catch(() => undefined);
  if (!library) return { report: { problem: 'no-library' } };
  const open = library.default;
  open.cache(false);
  open.concurrency(1);
  const decoded = (): Sharp => open(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  try {
    const { width, height, format, hasAlpha, pages = 1, autoOrient } = await decoded().metadata();
    const source: Source = {
      bytes,
      format,
      width: autoOrient.width || width,
      height: autoOrient.height || height,
      hasAlpha,
      pages,
    };
    return (await smaller(source, decoded, target)) ?? { report: { problem: 'unreadable' } };
  } catch {
    return { report: { problem: 'unreadable' } };
  }
}

async function smaller(
  source: Source,
  decoded: () => Sharp,
  target: PictureTarget,
): Promise<{ report: CopyReport; bytes: Buffer } | undefined> {
  const limit = target.base64Bytes ?? Number.POSITIVE_INFINITY;
  let size = withinSides(source, target);
  for (let tries = 0; tries < TRIES; tries += 1) {
    for (const encoding of encodings(source, size, target)) {
      const picture = decoded()
        .autoOrient()
        .resize({ ...size, fit: 'fill' });
      const bytes = await encoding.apply(picture).toBuffer();
      if (base64Size(bytes.length) > limit) continue;
      const { width, height, pages } = source;
      return { report: { mimeType: encoding.type, ...size, from: { width, height }, pages }, bytes };
    }
    size = scaled(size, STEP);
  }
  return undefined;
}

function withinSides(
  source: Size,
  { sidePx = Number.POSITIVE_INFINITY, pixels = Number.POSITIVE_INFINITY }: PictureTarget,
): Size {
  const bySide = sidePx / Math.max(source.width, source.height);
  const byPixels = Math.sqrt(pixels / (source.width * source.height));
  return scaled(source, Math.min(1, bySide, byPixels));
}

/** Rounded down: a limit is kept. */
function scaled({ width, height }: Size, factor: number): Size {
  const side = (px: number): number => Math.max(1, Math.floor(px * factor));
  return { width: side(width), height: side(height) };
}

/** The most exact first; one without loss only where its size can fit. */
function encodings(
  source: Source,
  size: Size,
  { formats, base64Bytes = Number.POSITIVE_INFINITY }: PictureTarget,
): Encoding[] {
  const share = (size.width * size.height) / (source.width * source.height);
  const growth = source.format === 'png' || source.format === 'gif' ? 0.8 : 3;
  const isSmall = base64Size(source.bytes.length) * share * growth <= base64Bytes;
  const exact = source.format !== 'jpeg' && isSmall ? [PNG] : [];
  return [...exact, ...lossy(source, formats)].filter(({ type }) => formats.includes(type));
}

function lossy({ hasAlpha }: Source, formats: readonly PictureFormat[]): Encoding[] {
  if (!hasAlpha) return [jpeg(90), jpeg(75)];
  return formats.includes('image/webp') ? [webp(85), webp(70)] : [PALETTE, jpeg(85)];
}
