import { type Media, type MediaType, type ModelMessage, notShown } from '@fucina/shared';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/**
 * Replaces audio and PDF that the model does not take by a sentence, also those of failed calls, whose form has only
 * text. Other messages are the same objects.
 */
export function withTakenMedia(
  messages: readonly ModelMessage[],
  takes: (type: MediaType) => boolean,
): readonly ModelMessage[] {
  return messages.map((message) => (message.role === 'tool' && message.media ? taken(message, takes) : message));
}

function taken({ media = [], ...message }: ToolMessage, takes: (type: MediaType) => boolean): ToolMessage {
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
  const plain = last.replaceAll(/[^\w.-]+/g, '-').slice(0, 80) || 'file';
  const ending = mimeType === 'application/pdf' ? '.pdf' : '';
  return plain.endsWith(ending) ? plain : plain + ending;
}
