import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Services } from '@fucina/host';
import { fenced } from '../fenced.ts';

/** Converts an editor's message for sessions. */
export interface PromptWords {
  message: string;
  images?: { id: string; name: string }[];
}

/** Texts unchanged, files by their path, embedded content quoted, images as attachments. */
export async function readPrompt(blocks: readonly ContentBlock[], { sessions }: Services): Promise<PromptWords> {
  const texts: string[] = [];
  const images: { id: string; name: string }[] = [];
  for (const block of blocks) {
    if (block.type === 'image') {
      const dataUrl = `data:${block.mimeType};base64,${block.data}`;
      const { id, nome } = await sessions.images.upload({ name: nameOf(block.mimeType), dataUrl });
      images.push({ id, name: nome });
    } else texts.push(textOf(block));
  }
  return { message: texts.filter(Boolean).join('\n\n'), ...(images.length > 0 && { images }) };
}

function textOf(block: Exclude<ContentBlock, { type: 'image' }>): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `@${pathOf(block.uri)}`;
    case 'resource': {
      const { resource } = block;
      if (!('text' in resource)) return `@${pathOf(resource.uri)}`;
      return `${pathOf(resource.uri)}:\n${fenced(resource.text)}`;
    }
    default:
      return '';
  }
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri; // not a file
  }
}

function nameOf(mimeType: string): string {
  return `image.${mimeType.split('/')[1] ?? 'png'}`;
}
