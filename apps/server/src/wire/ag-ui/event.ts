import * as z from 'zod';

const id = z.string();
const patch = z.object({ op: z.enum(['add', 'remove', 'replace']), path: z.string(), value: z.unknown().optional() });
const interrupt = z.object({
  id: id.describe('Id of the request; the answer names it'),
  reason: z.enum(['tool_call', 'input_required', 'confirmation']).describe('Why the run stopped'),
  message: z.string().optional().describe('What is asked'),
  toolCallId: id.optional().describe('The tool call that waits for approval'),
  responseSchema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the payload of the answer'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('The request, as the session has it'),
});
const outcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success') }),
  z.object({ type: z.literal('interrupt'), interrupts: z.array(interrupt) }),
  z.object({ type: z.literal('cancelled') }),
]);
const usage = z
  .array(z.object({ inputTokens: z.number(), outputTokens: z.number(), cachedInputTokens: z.number().optional() }))
  .optional();
const run = { threadId: id, runId: id };

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}

/** The events of the AG-UI protocol (1.0) that a run sends. */
export const agUiEvent = z
  .discriminatedUnion('type', [
    event('RUN_STARTED', run),
    event('RUN_FINISHED', { ...run, outcome, usage }),
    event('RUN_ERROR', { message: z.string(), code: z.string().optional(), usage }),
    event('TEXT_MESSAGE_START', { messageId: id, role: z.enum(['assistant', 'user']) }),
    event('TEXT_MESSAGE_CONTENT', { messageId: id, delta: z.string() }),
    event('TEXT_MESSAGE_END', { messageId: id }),
    event('REASONING_START', { messageId: id }),
    event('REASONING_MESSAGE_START', { messageId: id, role: z.literal('reasoning') }),
    event('REASONING_MESSAGE_CONTENT', { messageId: id, delta: z.string() }),
    event('REASONING_MESSAGE_END', { messageId: id }),
    event('REASONING_END', { messageId: id }),
    event('TOOL_CALL_START', { toolCallId: id, toolCallName: z.string(), parentMessageId: id.optional() }),
    event('TOOL_CALL_ARGS', { toolCallId: id, delta: z.string() }),
    event('TOOL_CALL_END', { toolCallId: id }),
    event('TOOL_CALL_RESULT', { messageId: id, toolCallId: id, content: z.string(), role: z.literal('tool') }),
    event('STATE_SNAPSHOT', { snapshot: z.record(z.string(), z.unknown()) }),
    event('STATE_DELTA', { delta: z.array(patch) }),
    event('CUSTOM', { name: z.string(), value: z.unknown() }),
  ])
  .meta({ id: 'AgUiEvent', description: 'One event of the AG-UI protocol' });

export type AgUiEvent = z.infer<typeof agUiEvent>;
export type AgUiInterrupt = z.infer<typeof interrupt>;
