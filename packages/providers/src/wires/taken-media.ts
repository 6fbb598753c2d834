import { type Media, type MediaType, type ModelMessage, notShown, textStart, type UserPart } from '@fucina/shared';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type UserMessage = Extract<ModelMessage, { role: 'user' }>;

interface Taken {
  /** Whether the model takes this kind of audio or document. */
  takes(type: MediaType): boolean;
  takesImages: boolean;
}

const NO_IMAGES = '(picture: not shown, this model takes none)';

/**
 * Replaces audio, PDF and pictures that the model does not take by a sentence, audio and PDF also in failed calls, whose
 * form has only text. Other messages are the same objects.
 */
export function withTakenMedia(messages: readonly ModelMessage[], what: Taken): readonly ModelMessage[] {
  return messages.map((message) => {
    const shown = message.role === 'tool' && message.media ? taken(message, what.takes) : message;
    return what.takesImages ? shown : withoutImages(shown);
  });
}

/** Whether a message of the user or a result has a picture. */
export function hasImages(message: ModelMessage): boolean {
  return message.role === 'user' ? hasImage(message) : message.role === 'tool' && (message.images ?? []).length > 0;
}

export function withoutImages(message: ModelMessage): ModelMessage {
  if (message.role === 'user')
    return hasImage(message) ? { ...message, content: message.content.map(asText) } : message;
  if (message.role !== 'tool' || !message.images?.length) return message;
  const { images, ...rest } = message;
  return { ...rest, content: [message.content, ...images.map(() => NO_IMAGES)].filter(Boolean).join('\n') };
}

const hasImage = ({ content }: UserMessage): boolean => content.some(({ type }) => type === 'image');
const asText = (part: UserPart): UserPart => (part.type === 'image' ? { type: 'text', text: NO_IMAGES } : part);

function taken({ media = [], ...message }: ToolMessage, takes: Taken['takes']): ToolMessage {
  const isShown = ({ mimeType }: Media): boolean => !message.isError && takes(mimeType);
  const shown = media.filter(isShown);
  const sentences = media.filter((one) => !isShown(one)).map(notShown);
  const content = [message.content, ...sentences].filter((text) => text !== '').join('\n');
  return { ...message, content, ...(shown.length > 0 && { media: shown }) };
}

/** A file name for a wire that wants one: the last part of an address, without what a header could break. */
export function fileName({ name, mimeType }: Media): string {
  const last =
    name
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  const plain = textStart(last.replaceAll(/[^\w.-]+/g, '-'), 80) || 'file';
  const ending = mimeType === 'application/pdf' ? '.pdf' : '';
  return plain.endsWith(ending) ? plain : plain + ending;
}
