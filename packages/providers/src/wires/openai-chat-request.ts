import type { ModelMessage, ToolSpec, UserPart } from '@fucina/shared';
import { chatReasoning } from '../reasoning.ts';
import type { WireCall } from './wire.ts';

type Json = Record<string, unknown>;

/** The body of a chat-completions request, with what the provider wants otherwise. */
export function chatBody({ record, model, request, exclusions }: WireCall): Json {
  const { quirks, reasoning } = record;
  const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
  const isCacheMarked = record.id === 'aggregator' && model.startsWith('anthropic/');
  const messages = request.messages.map((message, index) =>
    chatMessage(message, { withReasoning: quirks.wantsReasoningBack === true && index > lastUser }),
  );
  return {
    model,
    messages: [...systemMessages(request.system, isCacheMarked), ...messages],
    stream: true,
    ...(!quirks.refusesStreamOptions && { stream_options: { include_usage: true } }),
    ...(request.tools.length > 0 && { tools: request.tools.map(chatTool) }),
    ...(request.maxOutputTokens && { [quirks.maxTokensField ?? 'max_tokens']: request.maxOutputTokens }),
    ...chatReasoning(reasoning, model, request.reasoning),
    ...(exclusions?.excluded.length && { provider: { ignore: exclusions.excluded } }),
  };
}

/** One message: local engines often keep only the first, and a single string is the form all of them know. */
function systemMessages(system: readonly string[], isCacheMarked: boolean): Json[] {
  if (system.length === 0) return [];
  if (!isCacheMarked) return [{ role: 'system', content: system.join('\n\n') }];
  const parts = system.map((text, index) => ({
    type: 'text',
    text,
    ...(index === system.length - 1 && { cache_control: { type: 'ephemeral' } }),
  }));
  return [{ role: 'system', content: parts }];
}

function chatMessage(message: ModelMessage, { withReasoning }: { withReasoning: boolean }): Json {
  if (message.role === 'user') return { role: 'user', content: userContent(message.content) };
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  const reasoning = withReasoning ? message.reasoning.map(({ text }) => text).join('') : '';
  const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: wellFormed(text) },
  }));
  return {
    role: 'assistant',
    content: message.text === '' && calls.length > 0 ? null : message.text,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Providers parse what a model wrote before; a broken call would make every later request fail. */
export function wellFormed(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}';
  } catch {
    // Broken on the day it was made; its tool answered with an error the model has read.
    return '{}';
  }
}

function userContent(parts: readonly UserPart[]): unknown {
  const hasImage = parts.some((part) => part.type === 'image');
  if (!hasImage) return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : {
          type: 'image_url',
          image_url: { url: `data:${part.mimeType};base64,${Buffer.from(part.bytes).toString('base64')}` },
        },
  );
}

function chatTool({ name, description, inputSchema }: ToolSpec): Json {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}
