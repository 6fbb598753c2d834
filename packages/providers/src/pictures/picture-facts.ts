import { imageSize } from 'image-size';
import type { PictureFormat } from './picture-limits.ts';

/** Decoding more takes minutes and gigabytes, whatever the size of the file. */
export const MAX_PIXELS = 100_000_000;

/** What the header of a picture says. */
export interface PictureFacts {
  width: number;
  height: number;
  isAnimated: boolean;
}

/** What a picture must be made into. */
export interface PictureTarget {
  base64Bytes?: number;
  sidePx?: number;
  pixels?: number;
  formats: readonly PictureFormat[];
  refusesAnimation?: boolean;
}

/** Undefined for a header that cannot be read. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    // From 5 on a viewer turns the picture by a quarter.
    const [w, h] = orientation >= 5 ? [height, width] : [width, height];
    return { width: w, height: h, isAnimated: isAnimated(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) };
  } catch {
    return undefined;
  }
}

export function fits(
  { bytes, mimeType }: { bytes: Uint8Array; mimeType: string },
  facts: PictureFacts,
  target: PictureTarget,
): boolean {
  const { base64Bytes = Number.POSITIVE_INFINITY, sidePx = Number.POSITIVE_INFINITY, formats } = target;
  if (base64Size(bytes.length) > base64Bytes || Math.max(facts.width, facts.height) > sidePx) return false;
  if (facts.width * facts.height > (target.pixels ?? Number.POSITIVE_INFINITY)) return false;
  return (formats as readonly string[]).includes(mimeType) && !(target.refusesAnimation && facts.isAnimated);
}

export function base64Size(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function isAnimated(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('GIF8')) return hasSecondImage(bytes);
  // Bit 1 of the flags in the extended header.
  return start.startsWith('RIFF') && start.endsWith('VP8X') && ((bytes[20] ?? 0) & 2) !== 0;
}

const COLOR_TABLE = 0x80;
const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** Walks the blocks of a GIF up to its second image. */
function hasSecondImage(bytes: Buffer): boolean {
  const table = (flags: number): number => (flags & COLOR_TABLE ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + table(bytes[10] ?? 0);
  for (let images = 0; at < bytes.length; ) {
    if (bytes[at] === IMAGE) {
      images += 1;
      if (images === 2) return true;
      at += 11 + table(bytes[at + 9] ?? 0);
    } else if (bytes[at] === EXTENSION) at += 2;
    else return false;
    while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  return false;
}
