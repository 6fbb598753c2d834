import { createHash } from 'node:crypto';
import { createKeyedQueue, type ImagePart, type ModelMessage, type UserPart } from '@fucina/shared';
import { base64Size, fits, MAX_PIXELS, type PictureTarget, pictureFacts } from './picture-facts.ts';
import type { PictureLimits } from './picture-limits.ts';
import { type CopyNeeds, type CopyProblem, type SmallerCopy, smallerCopy } from './smaller-copy.ts';

/** Pictures in the form that a vendor takes. */
export interface PictureFitting extends AsyncDisposable {
  /**
   * The messages with smaller copies of the pictures that exceed the limits. A sentence tells the model both sizes, or
   * why a picture is missing. Messages without such a picture are the same objects. Rejects once the signal is aborted.
   */
  fitted(
    messages: readonly ModelMessage[],
    limits: PictureLimits,
    signal: AbortSignal,
  ): Promise<readonly ModelMessage[]>;
  /**
   * For messages whose pictures were refused: without those that cannot be read, each of which a sentence replaces;
   * undefined when all can be. Rejects once the signal is aborted.
   */
  readable(messages: readonly ModelMessage[], signal: AbortSignal): Promise<readonly ModelMessage[] | undefined>;
  /** A copy with at most this many bytes; undefined if none can be made. */
  smaller(bytes: Uint8Array, maxBytes: number): Promise<SmallerCopy | undefined>;
}

/** A picture as it is sent, unless it is left out, and what the model is told about it. */
interface Shown {
  image?: ImagePart;
  note?: string;
}

/** Above it the oldest copies are dropped, and made again when they are needed. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** A large picture takes its process some hundred MB. */
const AT_ONCE = 2;
/** Of a key, and of what is said about a picture without a copy. */
const ENTRY_BYTES = 1024;

export function createPictureFitting(needs: CopyNeeds): PictureFitting {
  const copies = createCopies(needs);

  const show = async (image: ImagePart, target: PictureTarget): Promise<Shown> => {
    const facts = pictureFacts(image.bytes);
    // The vendor judges a header that we cannot read, unless the size alone is too much.
    if (fits(image, facts ?? NO_FACTS, target)) return { image };
    if (!facts) return { note: UNREADABLE };
    if (facts.width * facts.height > MAX_PIXELS) return { note: `left out, ${sizeText(facts)} is too large` };
    const copy = await copies.get(image.bytes, target);
    if (copy === 'no-library') return { image };
    if (copy === 'unreadable') return { note: UNREADABLE };
    const { mimeType, bytes } = copy;
    return { image: { type: 'image', mimeType, bytes }, note: noteOf(copy) };
  };

  const check = async (image: ImagePart): Promise<Shown> => {
    const isReadable = pictureFacts(image.bytes) && (await copies.get(image.bytes, TO_CHECK)) !== 'unreadable';
    return isReadable ? { image } : { note: UNREADABLE };
  };

  return {
    async fitted(messages, limits, signal) {
      const pictures = messages.flatMap(imagesOf);
      const sent = limits.pictures === undefined ? pictures : pictures.slice(-limits.pictures);
      const target = targetOf(limits, sent);
      const shown = new Map<ImagePart, Shown>();
      for (const image of pictures.slice(0, pictures.length - sent.length)) {
        shown.set(image, { note: `left out, the model takes ${limits.pictures} at once and newer ones are sent` });
      }
      for (const image of sent) shown.set(image, await untilAborted(show(image, target), signal));
      return messages.map((message) => withShown(message, shown));
    },

    async readable(messages, signal) {
      const pictures = messages.flatMap(imagesOf);
      const shown = new Map<ImagePart, Shown>();
      for (const image of pictures) shown.set(image, await untilAborted(check(image), signal));
      const isAnyLeftOut = pictures.some((image) => !shown.get(image)?.image);
      return isAnyLeftOut ? messages.map((message) => withShown(message, shown)) : undefined;
    },

    async smaller(bytes, maxBytes) {
      const formats = ['image/png', 'image/jpeg', 'image/webp'] as const;
      const copy = await copies.get(bytes, { base64Bytes: Math.floor(maxBytes / 3) * 4, formats });
      return typeof copy === 'string' ? undefined : copy;
    },

    [Symbol.asyncDispose]: () => copies[Symbol.asyncDispose](),
  };
}

const NO_FACTS = { width: 0, height: 0, isAnimated: false };
/** A small copy decodes all of a picture. */
const TO_CHECK: PictureTarget = { sidePx: 64, formats: ['image/png', 'image/jpeg'] };
const UNREADABLE = 'left out, it cannot be read';

/** Copies by picture and target: each is made once, also for sessions that ask at the same time. */
function createCopies(needs: CopyNeeds) {
  const copies = new Map<string, Promise<SmallerCopy | CopyProblem>>();
  const sizes = new Map<string, number>();
  const queue = createKeyedQueue();
  const closing = new AbortController();
  let total = 0;

  const dropOldest = (): void => {
    for (const [key, size] of sizes) {
      if (total <= MAX_KEPT_BYTES) return;
      total -= size;
      sizes.delete(key);
      copies.delete(key);
    }
  };

  return {
    get(bytes: Uint8Array, target: PictureTarget): Promise<SmallerCopy | CopyProblem> {
      const sha256 = createHash('sha256').update(bytes).digest();
      const key = `${sha256.toString('hex')} ${JSON.stringify(target)}`;
      const known = copies.get(key);
      if (known) return known;
      const make = () => smallerCopy({ ...needs, signal: closing.signal }, bytes, target);
      const made = queue(`${(sha256[0] ?? 0) % AT_ONCE}`, make).then((copy) => {
        const size = ENTRY_BYTES + (typeof copy === 'string' ? 0 : copy.bytes.length);
        sizes.set(key, size);
        total += size;
        dropOldest();
        return copy;
      });
      copies.set(key, made);
      return made;
    },

    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled(copies.values());
    },
  };
}

function targetOf(limits: PictureLimits, sent: readonly ImagePart[]): PictureTarget {
  const { many, formats, pixels, refusesAnimation = false } = limits;
  const sidePx = many && sent.length > many.above ? many.sidePx : limits.sidePx;
  const total = limits.totalBase64Bytes ?? Number.POSITIVE_INFINITY;
  const isTooMuch = sent.reduce((sum, { bytes }) => sum + base64Size(bytes.length), 0) > total;
  const share = isTooMuch ? Math.floor(total / sent.length) : Number.POSITIVE_INFINITY;
  const base64Bytes = Math.min(limits.base64Bytes ?? Number.POSITIVE_INFINITY, share);
  return { ...(Number.isFinite(base64Bytes) && { base64Bytes }), sidePx, pixels, formats, refusesAnimation };
}

function noteOf({ from, pages, ...copy }: SmallerCopy): string {
  const isSmaller = copy.width !== from.width || copy.height !== from.height;
  const notes = [
    ...(isSmaller
      ? [`made smaller for this model: ${sizeText(from)} became ${sizeText(copy)}, scale coordinates`]
      : []),
    ...(pages > 1 ? [`first image of an animation of ${pages}`] : []),
  ];
  return notes.join('; ');
}

function sizeText({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height} px`;
}

function imagesOf(message: ModelMessage): readonly ImagePart[] {
  if (message.role === 'tool') return message.images ?? [];
  return message.role === 'user' ? message.content.filter((part) => part.type === 'image') : [];
}

function withShown(message: ModelMessage, shown: ReadonlyMap<ImagePart, Shown>): ModelMessage {
  const images = imagesOf(message);
  if (images.every((image) => shown.get(image)?.image === image)) return message;
  if (message.role === 'user') {
    const content = message.content.flatMap((part): UserPart[] =>
      part.type === 'image' ? partsOf(part, shown) : [part],
    );
    return { ...message, content };
  }
  if (message.role !== 'tool') return message;
  const { images: _all, ...rest } = message;
  const sent = images.flatMap((image) => shown.get(image)?.image ?? []);
  const notes = images.flatMap((image, index) => {
    const { note } = shown.get(image) ?? {};
    return note ? [`[Picture${images.length > 1 ? ` ${index + 1}` : ''}: ${note}.]`] : [];
  });
  const content = [message.content, ...notes].filter((text) => text !== '').join('\n');
  return { ...rest, content, ...(sent.length > 0 && { images: sent }) };
}

/** The picture, and behind it what is said about it. */
function partsOf(part: ImagePart, shown: ReadonlyMap<ImagePart, Shown>): UserPart[] {
  const { image, note } = shown.get(part) ?? {};
  return [...(image ? [image] : []), ...(note ? [{ type: 'text' as const, text: `[Picture: ${note}.]` }] : [])];
}

/** The work itself continues for others who wait for it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
