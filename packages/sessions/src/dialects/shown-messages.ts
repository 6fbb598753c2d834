import type { AnswerPart } from '@fucina/shared';
import { USE_TOOL, wrapCall } from '../calls/use-tool.ts';
import type { MessageWithImages } from '../context/with-images.ts';
import { shownCall } from './shown-calls.ts';
import type { Dialect } from './table.ts';

type Answer = Extract<MessageWithImages, { role: 'assistant' }>;
type Result = Extract<MessageWithImages, { role: 'tool' }>;

/** A conversation as a model of this dialect has it: its calls under the dialect's names, rare ones as `use_tool`. */
export type ShowMessages = (messages: readonly MessageWithImages[]) => readonly MessageWithImages[];

interface Shown {
  /** An answer grows while it streams. */
  state: string;
  message: MessageWithImages;
}

/** The same message gives the same object again: what later steps keep for it stays valid. */
export function createShowMessages(dialect: Dialect, isRare: (name: string) => boolean): ShowMessages {
  const known = new WeakMap<MessageWithImages, Shown>();
  const remembered = (message: MessageWithImages, state: string, show: () => MessageWithImages): MessageWithImages => {
    const before = known.get(message);
    if (before?.state === state) return before.message;
    const shown = show();
    known.set(message, { state, message: shown });
    return shown;
  };
  const showPart = (part: AnswerPart): AnswerPart => {
    if (part.type !== 'call') return part;
    const shown = shownCall(part, dialect);
    return isRare(part.name) ? wrapCall(shown) : shown;
  };
  return (messages) => {
    const names = new Map<string, string>();
    return messages.map((message) => {
      if (message.role === 'user') return message;
      if (message.role === 'tool') {
        const name = names.get(message.toolCallId) ?? (isRare(message.toolName) ? USE_TOOL : message.toolName);
        return remembered(message, name, () => renamedResult(message, name));
      }
      const shown = remembered(message, stateOf(message), () => withParts(message, message.parts.map(showPart)));
      if (shown.role === 'assistant') {
        for (const part of shown.parts) if (part.type === 'call') names.set(part.id, part.name);
      }
      return shown;
    });
  };
}

function renamedResult(message: Result, toolName: string): Result {
  return message.toolName === toolName ? message : { ...message, toolName };
}

function withParts(message: Answer, parts: AnswerPart[]): Answer {
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}

/** Differs once an answer has grown, or a vendor has added to a part of it. */
function stateOf({ parts }: Answer): string {
  const last = parts.at(-1);
  const length = last?.type === 'call' ? last.arguments.length : (last?.text.length ?? 0);
  return `${parts.length} ${length} ${parts.filter(({ vendor }) => vendor).length}`;
}
