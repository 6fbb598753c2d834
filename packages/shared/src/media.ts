/** What some models take besides text and images. */
export const MEDIA_TYPES = ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'application/pdf'] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

export interface Media {
  mimeType: MediaType;
  bytes: Uint8Array;
  /** Such as the address of the resource. */
  name: string;
}

/** The type by the first bytes; names and declared types are ignored. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('%PDF-')) return 'application/pdf';
  if (start.startsWith('RIFF') && start.endsWith('WAVE')) return 'audio/wav';
  if (start.startsWith('OggS')) return 'audio/ogg';
  if (start.startsWith('fLaC')) return 'audio/flac';
  // An MP3 file begins with its tags, or with a frame of layer III.
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
  return start.startsWith('ID3') || isFrame ? 'audio/mpeg' : undefined;
}

export function isMediaType(mimeType: string): mimeType is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(mimeType);
}

/** What the model reads instead of bytes that it cannot be shown. */
export function notShown({ name, mimeType, bytes }: { name: string; mimeType: string; bytes: Uint8Array }): string {
  return `(${name}, ${mimeType}, ${bytes.length} bytes: not shown)`;
}
