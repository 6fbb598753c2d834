import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider';
import type { AnswerPart, Media, ModelMessage, ToolSpec, UserPart } from '@fucina/shared';
import { wellFormed } from './openai-chat-request.ts';
import { fileName } from './taken-media.ts';
import { ownValues, type VendorValues } from './vendor-value.ts';
import type { WireCall } from './wire.ts';

/** Differences between the vendors' libraries. */
export interface PromptStyle {
  /** The library's key for the vendor's own values. */
  vendorName: string;
  /**
   * Whether reasoning with these values is whole: partial reasoning, without its signature, is left out. `answer` has the
   * values of all parts.
   */
  isWhole(values: VendorValues, answer: readonly VendorValues[]): boolean;
  /**
   * Set on the first and the last system part and on the last two messages: the ends of the constant part, the rarely
   * changing part, and the part that the next call repeats.
   */
  cacheMark?(call: WireCall): SharedV3ProviderOptions;
}

export function sdkPrompt(call: WireCall, style: PromptStyle): LanguageModelV3Message[] {
  const { request } = call;
  const system = request.system.map((content): LanguageModelV3Message => ({ role: 'system', content }));
  const messages = grouped(request.messages).flatMap((message) => {
    const sent = sdkMessage(message, call, style);
    const heard = message.role === 'tool' ? audioOf(message.results) : [];
    return heard.length > 0 ? [sent, { role: 'user' as const, content: heard }] : [sent];
  });
  const cacheMark = style.cacheMark?.(call);
  for (const part of new Set([system[0], system.at(-1)])) mark(part, cacheMark);
  for (const message of messages.filter(({ role }) => role !== 'assistant').slice(-2)) mark(message, cacheMark);
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

function sdkMessage(message: Grouped, call: WireCall, style: PromptStyle): LanguageModelV3Message {
  if (message.role === 'user') return { role: 'user', content: message.content.map(userPart) };
  if (message.role === 'tool') {
    const content = message.results.map((result) => ({
      type: 'tool-result' as const,
      toolCallId: result.toolCallId,
      toolName: result.toolName,
      output: resultOutput(result),
    }));
    return { role: 'tool', content };
  }
  const given = message.parts.map((part) => ({ part, values: ownValues(call, part.vendor) }));
  const answer = given.flatMap(({ values }) => (values ? [values] : []));
  const isWhole = (values: VendorValues): boolean => style.isWhole(values, answer);
  return { role: 'assistant', content: given.flatMap((one) => sdkPart(one, { ...style, isWhole })) };
}

type SdkAnswer = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

function sdkPart(
  { part, values }: { part: AnswerPart; values: VendorValues | undefined },
  { vendorName, isWhole }: { vendorName: string; isWhole(values: VendorValues): boolean },
): SdkAnswer {
  const own = values && { providerOptions: { [vendorName]: values } as SharedV3ProviderOptions };
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text, ...own }];
  if (part.type === 'reasoning') {
    return values && isWhole(values) ? [{ type: 'reasoning', text: part.text, ...own }] : [];
  }
  const input = JSON.parse(wellFormed(part.arguments)) as unknown;
  return [{ type: 'tool-call', toolCallId: part.id, toolName: part.name, input, ...own }];
}

/** Images of a failed call are left out: the error format only supports text. */
function resultOutput({
  content: value,
  isError,
  images = [],
  media = [],
}: ToolMessage): LanguageModelV3ToolResultOutput {
  if (isError) return { type: 'error-text', value };
  const pictures = images.map(({ mimeType: mediaType, bytes }) => ({
    type: 'image-data' as const,
    mediaType,
    data: Buffer.from(bytes).toString('base64'),
  }));
  const documents = media.filter(isDocument).map((document) => ({
    type: 'file-data' as const,
    mediaType: document.mimeType,
    data: Buffer.from(document.bytes).toString('base64'),
    filename: fileName(document),
  }));
  if (pictures.length + documents.length === 0) return { type: 'text', value };
  const text = value === '' ? [] : [{ type: 'text' as const, text: value }];
  return { type: 'content', value: [...text, ...pictures, ...documents] };
}

const isDocument = ({ mimeType }: Media): boolean => mimeType === 'application/pdf';

/** No result format has audio: it follows in a user message. */
function audioOf(results: readonly ToolMessage[]): SdkUserPart[] {
  return results.flatMap(({ toolName, toolCallId, media = [] }) => {
    const audio = media.filter((one) => !isDocument(one));
    if (audio.length === 0) return [];
    const files = audio.map(({ mimeType, bytes }): SdkUserPart => ({ type: 'file', mediaType: mimeType, data: bytes }));
    return [{ type: 'text', text: `Audio read by ${toolName} (${toolCallId}):` }, ...files];
  });
}

type SdkUserPart = { type: 'text'; text: string } | { type: 'file'; mediaType: string; data: Uint8Array };

function userPart(part: UserPart): SdkUserPart {
  return part.type === 'text' ? part : { type: 'file', mediaType: part.mimeType, data: part.bytes };
}
