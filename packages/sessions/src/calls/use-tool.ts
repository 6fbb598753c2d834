import type { AnswerPart, ModelToolCall, Tool, ToolSpec } from '@fucina/shared';
import * as z from 'zod';

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

type CallPart = Extract<AnswerPart, { type: 'call' }>;

/** A call of a rare tool, as the model wrote it. */
export function wrapCall(part: CallPart): CallPart {
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
