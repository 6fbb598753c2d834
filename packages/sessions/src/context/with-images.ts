import type { ImagePart, ModelMessage, UserPart } from '@fucina/shared';
import { type ChatImages, MAX_TOTAL_BYTES } from './images.ts';

/** A message from the journal: its images are references. */
export type MessageWithImages =
  | { role: 'user'; content: readonly (Extract<UserPart, { type: 'text' }> | PictureReference)[] }
  | Extract<ModelMessage, { role: 'assistant' }>
  | (Omit<Extract<ModelMessage, { role: 'tool' }>, 'images'> & { pictures?: readonly PictureReference[] });

export interface PictureReference {
  type: 'picture';
  id: string;
  mimeType: string;
  /** null for an image that a tool read. */
  name: string | null;
}

/** An image for the model, or why it is missing. */
type Shown = ImagePart | { type: 'text'; text: string };

/**
 * The messages in the form for a model: references become bytes, newest first up to 12 MiB; a text replaces images that
 * are omitted or no longer stored. Messages without images are returned unchanged.
 */
export async function withImages(
  messages: readonly MessageWithImages[],
  read: ChatImages['read'],
): Promise<readonly ModelMessage[]> {
  if (!messages.some((message) => picturesOf(message).length)) return messages as readonly ModelMessage[];
  const budget = { room: MAX_TOTAL_BYTES };
  const shown: ModelMessage[] = [];
  for (const message of messages.toReversed()) {
    const pictures = new Map<PictureReference, Shown>();
    for (const picture of picturesOf(message)) pictures.set(picture, await show(picture, read, budget));
    shown.push(pictures.size ? withPictures(message, pictures) : (message as ModelMessage));
  }
  return shown.reverse();
}

function picturesOf(message: MessageWithImages): readonly PictureReference[] {
  if (message.role === 'tool') return message.pictures ?? [];
  return message.role === 'user' ? message.content.filter((part) => part.type === 'picture') : [];
}

async function show(picture: PictureReference, read: ChatImages['read'], budget: { room: number }): Promise<Shown> {
  const name = picture.name === null ? '' : ` ${JSON.stringify(picture.name)}`;
  // Whatever the reason (deleted, damaged, a disk error): an old image must not fail the turn.
  const kept = await read(picture.id).catch(() => undefined);
  if (!kept) return { type: 'text', text: `[Picture${name}: no longer kept.]` };
  if (kept.bytes.length > budget.room)
    return { type: 'text', text: `[Picture${name}: left out, newer pictures fill what can be sent at once.]` };
  budget.room -= kept.bytes.length;
  return { type: 'image', mimeType: kept.mimeType, bytes: kept.bytes };
}

function withPictures(message: MessageWithImages, shown: ReadonlyMap<PictureReference, Shown>): ModelMessage {
  if (message.role === 'assistant') return message;
  if (message.role === 'user') {
    const content = message.content.map((part) => (part.type === 'text' ? part : (shown.get(part) as Shown)));
    return { role: 'user', content };
  }
  const { pictures: _references, content, ...rest } = message;
  const words = [...shown.values()].flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const images = [...shown.values()].filter((part) => part.type === 'image');
  return { ...rest, content: [content, ...words].join('\n'), ...(images.length && { images }) };
}
