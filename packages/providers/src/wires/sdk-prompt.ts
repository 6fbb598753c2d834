import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { ImagePart, ModelMessage, ToolSpec, UserPart } from '@fucina/shared';
import { wellFormed } from './openai-chat-request.ts';
import type { WireCall } from './wire.ts';

/** Differences between the vendors' libraries. */
export interface PromptStyle {
  /** How a proof is sent back with its reasoning; undefined drops the part. */
  proof(data: string): SharedV3ProviderOptions | undefined;
  /** The index of the call in its message that a proof signs, and how it is sent back with that call. */
  callProof?(data: string): { index: number; options: SharedV3ProviderOptions } | undefined;
  /**
   * Set on the first and the last system part and on the last two messages: the ends of the constant part, the rarely
   * changing part, and the part that the next call repeats.
   */
  cacheMark?: SharedV3ProviderOptions;
}

export function sdkPrompt({ request, record }: WireCall, style: PromptStyle): LanguageModelV3Message[] {
  const system = request.system.map((content): LanguageModelV3Message => ({ role: 'system', content }));
  const messages = grouped(request.messages).map((message) => sdkMessage(message, record.id, style));
  for (const part of new Set([system[0], system.at(-1)])) mark(part, style.cacheMark);
  for (const message of messages.filter(({ role }) => role !== 'assistant').slice(-2)) mark(message, style.cacheMark);
  return [...system, ...messages];
}

export function sdkTools(tools: readonly ToolSpec[]): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
}

function mark(message: LanguageModelV3Message | undefined, cacheMark: SharedV3ProviderOptions | undefined): void {
  if (message && cacheMark) message.providerOptions = cacheMark;
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type Grouped = Exclude<ModelMessage, ToolMessage> | { role: 'tool'; results: ToolMessage[] };

/** Results of parallel calls are sent together. */
function grouped(messages: readonly ModelMessage[]): Grouped[] {
  const groups: Grouped[] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role !== 'tool') groups.push(message);
    else if (last?.role === 'tool') last.results.push(message);
    else groups.push({ role: 'tool', results: [message] });
  }
  return groups;
}

function sdkMessage(message: Grouped, provider: string, style: PromptStyle): LanguageModelV3Message {
  if (message.role === 'user') return { role: 'user', content: message.content.map(userPart) };
  if (message.role === 'tool') {
    const content = message.results.map(({ toolCallId, toolName, content: value, isError, images = [] }) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName,
      output: resultOutput({ value, isError, images }),
    }));
    return { role: 'tool', content };
  }
  const reasoning = message.reasoning.flatMap(({ text, proof }) => {
    const providerOptions = proof?.provider === provider ? style.proof(proof.data) : undefined;
    return providerOptions ? [{ type: 'reasoning' as const, text, providerOptions }] : [];
  });
  const signatures = new Map(
    message.reasoning.flatMap(({ proof }) => {
      const signed = proof?.provider === provider ? style.callProof?.(proof.data) : undefined;
      return signed ? [[signed.index, signed.options] as const] : [];
    }),
  );
  const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }];
  const calls = message.toolCalls.map(({ id, name, arguments: given }, index) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: JSON.parse(wellFormed(given)) as unknown,
    ...(signatures.has(index) && { providerOptions: signatures.get(index) }),
  }));
  return { role: 'assistant', content: [...reasoning, ...text, ...calls] };
}

/** Images of a failed call are left out: the error format only supports text. */
function resultOutput({
  value,
  isError,
  images,
}: {
  value: string;
  isError: boolean;
  images: readonly ImagePart[];
}): LanguageModelV3ToolResultOutput {
  if (isError) return { type: 'error-text', value };
  if (images.length === 0) return { type: 'text', value };
  const pictures = images.map(({ mimeType: mediaType, bytes }) => ({
    type: 'image-data' as const,
    mediaType,
    data: Buffer.from(bytes).toString('base64'),
  }));
  return { type: 'content', value: [{ type: 'text', text: value }, ...pictures] };
}

function userPart(
  part: UserPart,
): { type: 'text'; text: string } | { type: 'file'; mediaType: string; data: Uint8Array } {
  return part.type === 'text' ? part : { type: 'file', mediaType: part.mimeType, data: part.bytes };
}
