import {
  type BlobStore,
  type ChatImageReference,
  type ImageReference,
  isAppError,
  type Media,
  type MediaReference,
  type MediaType,
  mediaTypeOf,
  type ToolImage,
  textStart,
} from '@fucina/shared';
import { sessionsError } from '../errors.ts';
import type { ImageChoice, MessageRequest, TurnInput } from '../state/session.ts';

/** Images of conversations: uploads of the user and images, audio and PDF read by tools, stored once by SHA-256. */
export interface ChatImages {
  /**
   * QUERY_INVALID when the text is not a canonical data URL or its bytes do not match the type; PAYLOAD_LIMIT above 5
   * MiB.
   */
  upload(upload: ImageUpload): Promise<ChatImageReference>;
  /** NOT_FOUND for an unknown id. */
  read(id: string): Promise<StoredPicture>;
  /** A message with its images loaded. QUERY_INVALID: more than 10, more than 12 MiB in total, or an unknown one. */
  compose(request: MessageRequest): Promise<TurnInput>;
  keep(images: readonly ToolImage[]): Promise<ImageReference[]>;
  keepMedia(media: readonly Media[]): Promise<MediaReference[]>;
  /** NOT_FOUND for an unknown id, and for an image. */
  readMedia(id: string): Promise<{ bytes: Buffer; mimeType: MediaType }>;
  /** Deletes images that no conversation shows and that were not uploaded recently (epoch ms); returns how many. */
  sweep(isUsed: (id: string) => boolean, keepSince: number): Promise<number>;
}

export interface ImageUpload {
  name: string;
  /** `data:image/png|jpeg|webp;base64,…` */
  dataUrl: string;
}

export interface StoredPicture {
  bytes: Buffer;
  mimeType: ToolImage['mimeType'];
}

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_PER_MESSAGE = 10;
/** Limits per message, and per model request. */
export const MAX_TOTAL_BYTES = 12 * 1024 * 1024;
const MAX_NAME = 240;
const DATA_URL = /^data:(image\/(?:png|jpeg|webp));base64,/;

export function createChatImages(blobs: BlobStore): ChatImages {
  const read = async (id: string): Promise<StoredPicture> => {
    const bytes = await blobs.get(id);
    const mimeType = bytes && mimeTypeOf(bytes);
    if (!bytes || !mimeType) throw sessionsError('NOT_FOUND', { reason: 'image-unknown' });
    return { bytes, mimeType };
  };

  const choose = async (choices: readonly ImageChoice[]): Promise<ChatImageReference[]> => {
    if (choices.length > MAX_PER_MESSAGE) throw sessionsError('QUERY_INVALID', { reason: 'too-many-images' });
    let room = MAX_TOTAL_BYTES;
    const references: ChatImageReference[] = [];
    for (const { id, name } of choices) {
      const { bytes, mimeType } = await read(id).catch((cause: unknown) => {
        if (isAppError(cause, 'NOT_FOUND')) throw sessionsError('QUERY_INVALID', { reason: 'image-unknown', cause });
        throw cause;
      });
      room -= bytes.length;
      if (room < 0) throw sessionsError('QUERY_INVALID', { reason: 'images-too-large' });
      references.push(referenceOf({ id, name: name ?? defaultName(mimeType), mimeType, sizeBytes: bytes.length }));
    }
    return references;
  };

  return {
    read,

    async upload({ name, dataUrl }) {
      const { mimeType, bytes } = decodeDataUrl(dataUrl);
      return referenceOf({ id: await blobs.put(bytes), name, mimeType, sizeBytes: bytes.length });
    },

    async compose({ images: choices = [], ...words }) {
      const images = await choose(choices);
      return images.length ? { ...words, images } : words;
    },

    keep: (images) =>
      Promise.all(images.map(async ({ bytes, mimeType }) => ({ id: await blobs.put(bytes), mimeType }))),

    keepMedia: (media) =>
      Promise.all(
        media.map(async ({ bytes, mimeType, name }) => ({
          id: await blobs.put(bytes),
          mimeType,
          nome: textStart(name, MAX_NAME),
          byte: bytes.length,
        })),
      ),

    async readMedia(id) {
      const bytes = await blobs.get(id);
      const mimeType = bytes && mediaTypeOf(bytes);
      if (!bytes || !mimeType) throw sessionsError('NOT_FOUND', { reason: 'media-unknown' });
      return { bytes, mimeType };
    },

    sweep: (isUsed, keepSince) => blobs.sweep(isUsed, keepSince),
  };
}

interface StoredImage {
  id: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
}

function referenceOf({ id, name, mimeType, sizeBytes }: StoredImage): ChatImageReference {
  return { id, tipo: 'immagine', nome: name, mimeType, byte: sizeBytes, url: `/api/v1/chat-images/${id}` };
}

function defaultName(mimeType: string): string {
  return `immagine.${mimeType.slice('image/'.length)}`;
}

function decodeDataUrl(dataUrl: string): { mimeType: string; bytes: Buffer } {
  const [prefix, mimeType] = DATA_URL.exec(dataUrl) ?? [];
  if (!prefix || !mimeType) throw sessionsError('QUERY_INVALID', { reason: 'image-data-url' });
  const text = dataUrl.slice(prefix.length);
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > MAX_BYTES) throw sessionsError('PAYLOAD_LIMIT', { reason: 'image-size' });
  // Node's decoder ignores invalid base64; only canonical text decodes to the same bytes everywhere.
  if (bytes.toString('base64') !== text) throw sessionsError('QUERY_INVALID', { reason: 'image-base64' });
  if (mimeTypeOf(bytes) !== mimeType) throw sessionsError('QUERY_INVALID', { reason: 'image-signature' });
  return { mimeType, bytes };
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The type by the first bytes; names and declared types are ignored. */
function mimeTypeOf(bytes: Buffer): ToolImage['mimeType'] | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return /^GIF8[79]a/.test(start) ? 'image/gif' : undefined;
}
