import { ApiError } from '@fucina/client';
import { useMutation } from '@tanstack/react-query';
import { type Departure, sendDraft } from '../../../shell/drafts.ts';
import { api } from '../../../wire/client.ts';
import { useWords } from '../../../words/words.ts';
import type { Attachment } from './attachment.ts';
import type { Attachments } from './use-attachments.ts';

/** How a message is sent; a draft may also be a command. */
export type MessageMode = 'resume' | 'queue' | 'redirect';
export type SendMode = MessageMode | 'shell';

/** `!` followed by text. */
export const isUserCommand = (text: string): boolean => /^\s*!/.test(text);
const commandIn = (text: string) => text.trimStart().slice(1).trim();

interface SendNeeds {
  sessionId: string;
  text: string;
  attachments: Attachments;
  isRunning: boolean;
}

export interface SendState {
  canSend: boolean;
  /** The message being sent. */
  pending: SendMode | undefined;
  error: Error | null;
  /** Default: depends on the session's state. */
  send(way?: SendMode): void;
}

interface Message {
  message: string;
  images?: { id: string; name: string }[];
}

/** If the turn ended at this moment, a message for the queue starts the next turn. */
export async function sendAs(sessionId: string, way: MessageMode, message: Message): Promise<unknown> {
  try {
    return await api.post(`/sessions/{sessionId}/${way}`, { path: { sessionId }, body: message });
  } catch (error) {
    const isOver = way === 'queue' && error instanceof ApiError && error.code === 'SESSION_NOT_READY';
    if (!isOver) throw error;
    return api.post('/sessions/{sessionId}/resume', { path: { sessionId }, body: message });
  }
}

interface Outgoing {
  way: SendMode;
  departure: Departure;
  attached: readonly Attachment[];
  message: Message;
}

/** A sent message leaves the field at once, in order; a refused one is restored. */
export function useSend({ sessionId, text, attachments, isRunning }: SendNeeds): SendState {
  const { say } = useWords();
  const isCommand = isUserCommand(text);
  const mutation = useMutation({
    scope: { id: `send ${sessionId}` },
    mutationFn: ({ way, message }: Outgoing) =>
      way === 'shell'
        ? api.post('/sessions/{sessionId}/shell', { path: { sessionId }, body: { command: message.message } })
        : sendAs(sessionId, way, message),
    onSuccess: (_answer, { departure }) => departure.accepted(),
    onError: (_error, { departure, attached }) => {
      departure.refused();
      attachments.restore(attached);
    },
  });
  const canSend = isCommand ? commandIn(text) !== '' : text.trim() !== '' && !attachments.isSending;
  const outgoing = (way: SendMode): Omit<Outgoing, 'departure'> => {
    if (way === 'shell') return { way, attached: [], message: { message: commandIn(text) } };
    const { images, paths } = attachments.ready();
    const names = paths.length > 0 ? `\n\n${say('attach.mention', { paths: paths.join(', ') })}` : '';
    const message = { message: `${text}${names}`, ...(images.length > 0 ? { images } : {}) };
    return { way, attached: attachments.all, message };
  };
  return {
    canSend,
    pending: mutation.isPending ? mutation.variables.way : undefined,
    error: mutation.error,
    send(wanted) {
      if (!canSend) return;
      const way = isCommand ? 'shell' : (wanted ?? (isRunning ? 'queue' : 'resume'));
      mutation.mutate({ ...outgoing(way), departure: sendDraft(sessionId) });
      if (way !== 'shell') attachments.clear();
    },
  };
}
