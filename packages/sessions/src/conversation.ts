import type { ChatImageReference, ImageReference, ReasoningPart, SessionEvent } from '@fucina/shared';
import type { ReasoningProof } from './store.ts';
import type { KeptMessage, PictureReference } from './with-images.ts';

type AssistantMessage = {
  role: 'assistant';
  text: string;
  reasoning: ReasoningPart[];
  toolCalls: { id: string; name: string; arguments: string }[];
};
type ToolMessage = Extract<KeptMessage, { role: 'tool' }>;

/** The model's view of a session, built event by event from its journal. Pure but for its own memory. */
export interface Conversation {
  apply(event: SessionEvent): void;
  /** A proof that arrived with a reasoning block already applied. */
  learn(proof: ReasoningProof): void;
  /**
   * With a closing result for every call that never got one, since providers refuse a call without its answer. Pictures
   * are references: `withImages` makes them bytes.
   */
  messages(): KeptMessage[];
}

export const NO_RESULT = 'No result: this call was interrupted before it finished.';

export function createConversation(proofs: readonly ReasoningProof[] = []): Conversation {
  const proofOf = new Map(proofs.map((proof) => [proof.messageId, proof]));
  const blocks = new Map<string, ReasoningPart>();
  const messages: (Extract<KeptMessage, { role: 'user' }> | AssistantMessage | ToolMessage)[] = [];
  const callNames = new Map<string, string>();
  let reasoning: { messageId: string; text: string } | undefined;

  const assistant = (): AssistantMessage => {
    const last = messages.at(-1);
    if (last?.role === 'assistant') return last;
    const fresh: AssistantMessage = { role: 'assistant', text: '', reasoning: [], toolCalls: [] };
    messages.push(fresh);
    return fresh;
  };
  const closeReasoning = (): void => {
    if (!reasoning) return;
    const { messageId, text } = reasoning;
    const block: ReasoningPart = { text };
    blocks.set(messageId, block);
    assistant().reasoning.push(block);
    reasoning = undefined;
    const proof = proofOf.get(messageId);
    if (proof) learn(proof);
  };
  const learn = ({ messageId, provider, data }: ReasoningProof): void => {
    const block = blocks.get(messageId);
    if (block) block.proof = { provider, data };
  };
  const user = (text: string, images: readonly ChatImageReference[] = []): void => {
    if (!text && !images.length) return;
    messages.push({ role: 'user', content: [{ type: 'text', text }, ...images.map(pictureOf)] });
  };

  const apply = (event: SessionEvent): void => {
    switch (event.type) {
      case 'RunStarted':
        if (event.input) return user(event.input.consegna, event.input.immagini);
        // An interrupted turn goes on; models that were cut in the middle of their text need a word to go on from.
        return messages.at(-1)?.role === 'assistant' ? user('Go on from where you were interrupted.') : undefined;
      case 'RunRedirectApplied':
        return user(event.testo, event.immagini);
      case 'QueuedMessageDelivered':
        return user(event.testo);
      case 'ReasoningMessageStart':
        reasoning = { messageId: event.messageId, text: '' };
        return;
      case 'ReasoningMessageContent':
        if (reasoning) reasoning.text += event.delta;
        return;
      case 'ReasoningMessageEnd':
        return closeReasoning();
      case 'TextMessageContent':
        assistant().text += event.delta;
        return;
      case 'ToolCallStart':
        callNames.set(event.toolCallId, event.toolCallName);
        assistant().toolCalls.push({ id: event.toolCallId, name: event.toolCallName, arguments: '' });
        return;
      case 'ToolCallArgs': {
        const call = assistant().toolCalls.find(({ id }) => id === event.toolCallId);
        if (call) call.arguments += event.delta;
        return;
      }
      case 'ToolCallResult':
        messages.push({
          role: 'tool',
          toolCallId: event.toolCallId,
          toolName: callNames.get(event.toolCallId) ?? 'unknown',
          content: event.content,
          isError: event.fallito === true,
          ...(event.immagini && { pictures: event.immagini.map(pictureOf) }),
        });
        return;
      default:
        return;
    }
  };

  return { apply, learn, messages: () => closeUnanswered(messages) };
}

function pictureOf({ id, mimeType, ...rest }: ImageReference | ChatImageReference): PictureReference {
  return { type: 'picture', id, mimeType, name: 'nome' in rest ? rest.nome : null };
}

function closeUnanswered(messages: readonly KeptMessage[]): KeptMessage[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])));
  return messages.flatMap((message): KeptMessage[] => {
    if (message.role !== 'assistant') return [message];
    if (!message.text && !message.toolCalls.length) return [];
    const missing = message.toolCalls.filter(({ id }) => !answered.has(id));
    return [
      message,
      ...missing.map(
        ({ id, name }): KeptMessage => ({
          role: 'tool',
          toolCallId: id,
          toolName: name,
          content: NO_RESULT,
          isError: true,
        }),
      ),
    ];
  });
}
