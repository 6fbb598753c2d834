import type { AnswerPart, ModelToolCall, Tool, ToolSpec } from '@fucina/shared';
import * as z from 'zod';
import type { MessageWithImages } from '../context/with-images.ts';

/**
 * The tool that calls the tools of no request, by name. The journal and all clients have the call of the named tool: it
 * is unwrapped where an answer is read, and wrapped again where the conversation is sent.
 */
export const USE_TOOL = 'use_tool';

const DESCRIPTION = 'Call a tool that find_tools named, by its name and with its arguments.';

export const USE_SPEC: ToolSpec = {
  name: USE_TOOL,
  description: DESCRIPTION,
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      arguments: { type: 'object', description: 'as the schema of that tool says' },
    },
    required: ['name', 'arguments'],
  },
};

const wrapped = z.object({
  name: z.string().min(1).max(200),
  arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).optional(),
});

/** The call inside; undefined where the arguments name no tool. */
export function unwrapped(args: string): Pick<ModelToolCall, 'name' | 'arguments'> | undefined {
  try {
    const { data } = wrapped.safeParse(JSON.parse(args));
    if (!data || data.name === USE_TOOL) return undefined;
    const { name, arguments: given = {} } = data;
    return { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
  } catch {
    // Not JSON: the tool itself says so.
    return undefined;
  }
}

/** The messages as the model wrote them: its calls of rare tools are calls of `use_tool`. */
export function withWrappedCalls(
  messages: readonly MessageWithImages[],
  isRare: (name: string) => boolean,
): readonly MessageWithImages[] {
  const isWrapped = (part: AnswerPart): boolean => part.type === 'call' && isRare(part.name);
  const isAny = messages.some((message) => message.role === 'assistant' && message.parts.some(isWrapped));
  if (!isAny) return messages;
  return messages.map((message) => {
    if (message.role === 'tool' && isRare(message.toolName)) return { ...message, toolName: USE_TOOL };
    if (message.role !== 'assistant' || !message.parts.some(isWrapped)) return message;
    return { ...message, parts: message.parts.map((part) => (isRareCall(part, isRare) ? wrap(part) : part)) };
  });
}

type CallPart = Extract<AnswerPart, { type: 'call' }>;

function isRareCall(part: AnswerPart, isRare: (name: string) => boolean): part is CallPart {
  return part.type === 'call' && isRare(part.name);
}

function wrap(part: CallPart): CallPart {
  const { name, arguments: given } = part;
  return { ...part, name: USE_TOOL, arguments: `{"name":${JSON.stringify(name)},"arguments":${objectText(given)}}` };
}

function objectText(given: string): string {
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? given : '{}';
  } catch {
    // As the model wrote it; it has read the error of its tool.
    return '{}';
  }
}

/** Runs only where the call names no tool. */
export const useTool: Tool<unknown> = {
  name: USE_TOOL,
  description: DESCRIPTION,
  category: 'base',
  effect: 'read',
  gate: null,
  input: z.unknown(),
  action: () => ({ tipo: USE_TOOL }),
  run: async () => ({
    content:
      'use_tool takes {"name": …, "arguments": {…}}: the name and the arguments of one tool that find_tools named.',
    isError: true,
  }),
};
