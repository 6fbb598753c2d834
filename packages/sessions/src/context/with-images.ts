import { type ImagePart, isMediaType, type Media, type ModelMessage, type UserPart } from '@fucina/shared';
import { type ChatImages, MAX_TOTAL_BYTES } from './images.ts';

/** A message from the journal: its images are references. */
export type MessageWithImages =
  | { role: 'user'; content: readonly (Extract<UserPart, { type: 'text' }> | PictureReference)[] }
  | Extract<ModelMessage, { role: 'assistant' }>
  | (Omit<Extract<ModelMessage, { role: 'tool' }>, 'images' | 'media'> & { pictures?: readonly PictureReference[] });

export interface PictureReference {
  type: 'picture';
  id: string;
  mimeType: string;
  /** null for an image that a tool read. */
  name: string | null;
  sizeBytes: number | null;
}

/** An image, audio or a PDF for the model, or why it is missing. */
type Shown = ImagePart | { type: 'media'; media: Media } | { type: 'text'; text: string };

type Stored = Pick<ChatImages, 'read' | 'readMedia'>;

/**
 * The messages in the form for a model: references become bytes, newest first up to 12 MiB; a text replaces images that
 * are omitted or no longer stored. Messages without images are returned unchanged.
 */
export async function withImages(
  messages: readonly MessageWithImages[],
  stored: Stored,
): Promise<readonly ModelMessage[]> {
  if (!messages.some(hasPictures)) return messages as readonly ModelMessage[];
  const budget = { room: MAX_TOTAL_BYTES };
  const shown: ModelMessage[] = [];
  for (const message of messages.toReversed()) {
    const pictures = new Map<PictureReference, Shown>();
    for (const picture of picturesOf(message)) pictures.set(picture, await show(picture, stored, budget));
    shown.push(pictures.size ? withPictures(message, pictures) : (message as ModelMessage));
  }
  return shown.reverse();
}

/** Asked of every message before each request: it makes no list. */
function hasPictures(message: MessageWithImages): boolean {
  if (message.role === 'tool') return message.pictures !== undefined && message.pictures.length > 0;
  return message.role === 'user' && message.content.some((part) => part.type === 'picture');
}

function picturesOf(message: MessageWithImages): readonly PictureReference[] {
  if (message.role === 'tool') return message.pictures ?? [];
  return message.role === 'user' ? message.content.filter((part) => part.type === 'picture') : [];
}

async function show(picture: PictureReference, stored: Stored, budget: { room: number }): Promise<Shown> {
  if (isMediaType(picture.mimeType)) return showMedia(picture, stored, budget);
  const name = picture.name === null ? '' : ` ${JSON.stringify(picture.name)}`;
  // Whatever the reason (deleted, damaged, a disk error): an old image must not fail the turn.
  const kept = await stored.read(picture.id).catch(() => undefined);
  if (!kept) return { type: 'text', text: `[Picture${name}: no longer kept.]` };
  if (kept.bytes.length > budget.room)
    return { type: 'text', text: `[Picture${name}: left out, newer pictures fill what can be sent at once.]` };
  budget.room -= kept.bytes.length;
  return { type: 'image', mimeType: kept.mimeType, bytes: kept.bytes };
}

/** As images are: they share the bytes of a request. */
async function showMedia(
  { id, name }: PictureReference,
  { readMedia }: Stored,
  budget: { room: number },
): Promise<Shown> {
  const kept = await readMedia(id).catch(() => undefined);
  const text = (why: string): Shown => ({ type: 'text', text: `[File ${JSON.stringify(name)}: ${why}.]` });
  if (!kept) return text('no longer kept');
  if (kept.bytes.length > budget.room) return text('left out, newer ones fill what can be sent at once');
  budget.room -= kept.bytes.length;
  return { type: 'media', media: { ...kept, name: name ?? 'file' } };
}

function withPictures(message: MessageWithImages, shown: ReadonlyMap<PictureReference, Shown>): ModelMessage {
  if (message.role === 'assistant') return message;
  if (message.role === 'user') {
    const content = message.content.map((part) => (part.type === 'text' ? part : (shown.get(part) as UserPart)));
    return { role: 'user', content };
  }
  const { pictures: _references, content, ...rest } = message;
  const words = [...shown.values()].flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const images = [...shown.values()].filter((part) => part.type === 'image');
  const media = [...shown.values()].flatMap((part) => (part.type === 'media' ? [part.media] : []));
  return {
    ...rest,
    content: [content, ...words].join('\n'),
    ...(images.length && { images }),
    ...(media.length && { media }),
  };
}
