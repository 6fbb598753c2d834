import { type Media, mediaTypeOf, type ToolImage } from '@fucina/shared';
import type { ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';

/** What a server answered, for the model: text, and images, audio and PDF of the types that models take. */
export interface ReadContent {
  texts: string[];
  images: ToolImage[];
  media: Media[];
}

export const nothingRead = (): ReadContent => ({ texts: [], images: [], media: [] });

/** Of images, and of audio and PDF together. */
const MAX_EACH = 4;
const MAX_BYTES = 5 * 1024 * 1024;
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** Whatever no model takes is a sentence with its type and size. */
export function readBlocks(blocks: readonly ContentBlock[]): ReadContent {
  const read = nothingRead();
  for (const block of blocks) {
    if (block.type === 'text') read.texts.push(block.text);
    else if (block.type === 'image') addBytes(read, { ...block, name: 'image' });
    else if (block.type === 'audio') addBytes(read, { ...block, name: 'audio' });
    else if (block.type === 'resource') addResource(read, block.resource);
    else read.texts.push(`Resource ${block.name}: ${block.uri}${facts(block.mimeType, block.size)}`);
  }
  return read;
}

export function readResources(contents: ReadResourceResult['contents']): ReadContent {
  const read = nothingRead();
  for (const part of contents) addResource(read, part);
  return read;
}

function addResource(read: ReadContent, part: ReadResourceResult['contents'][number]): void {
  if ('text' in part) read.texts.push(part.text);
  else addBytes(read, { data: part.blob, mimeType: part.mimeType ?? 'application/octet-stream', name: part.uri });
}

function addBytes(
  { texts, images, media }: ReadContent,
  given: { data: string; mimeType: string; name: string },
): void {
  const { data, mimeType, name } = given;
  const bytes = Buffer.from(data, 'base64');
  const isSmall = bytes.length <= MAX_BYTES;
  const mediaType = IMAGE_TYPES.has(mimeType) ? undefined : mediaTypeOf(bytes);
  if (IMAGE_TYPES.has(mimeType) && images.length < MAX_EACH && isSmall) {
    images.push({ mimeType: mimeType as ToolImage['mimeType'], bytes });
  } else if (mediaType && media.length < MAX_EACH && isSmall) media.push({ mimeType: mediaType, bytes, name });
  else texts.push(`(${name}${facts(mimeType, bytes.length)}: not shown)`);
}

function facts(mimeType: string | undefined, size: number | undefined): string {
  return [mimeType, size !== undefined && `${size} bytes`]
    .filter(Boolean)
    .map((fact) => `, ${fact}`)
    .join('');
}
