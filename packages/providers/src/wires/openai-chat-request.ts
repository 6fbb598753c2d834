import type { Media, ModelMessage, ToolSpec, UserPart } from '@fucina/shared';
import { excludedFor } from '../routing/exclusions.ts';
import { chatReasoning } from '../table/reasoning.ts';
import { fileName } from './taken-media.ts';
import type { WireCall } from './wire.ts';

type Json = Record<string, unknown>;

/**
 * The body of a chat-completions request in UTF-8. What most requests repeat, the system message, the messages before and
 * the tools, is encoded once.
 */
export function chatBytes(call: WireCall): Uint8Array {
  const { system, tools } = call.request;
  const isCacheMarked = call.record.id === 'aggregator' && call.model.startsWith('anthropic/');
  const listed = listedMessages(call, isCacheMarked);
  const parts: Uint8Array[] = [OPEN];
  if (system.length > 0) parts.push(encodedSystem(JSON.stringify(systemMessage(system, isCacheMarked))));
  if (system.length > 0 && listed.length > 0) parts.push(COMMA);
  parts.push(Buffer.from(`${listed.join(',')}],${JSON.stringify(settingsOf(call)).slice(1, -1)}`));
  if (tools.length > 0) parts.push(encodedTools(tools));
  parts.push(CLOSE);
  return Buffer.concat(parts);
}

const OPEN = Buffer.from('{"messages":[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from('}');
/** The JSON of messages, which later requests repeat. */
const written = new WeakMap<ChatMessage, Written>();
/** Longer ones are written anew: their JSON would take as much memory as the conversation. */
const MAX_WRITTEN = 16_384;

interface Written {
  json: string;
  /** Of an answer of the model, which may continue. */
  text: string;
  calls: number;
}
/** By the list, which stays the same from request to request. */
const toolLists = new WeakMap<readonly ToolSpec[], Buffer>();
/** The newest ones, by their JSON. */
const encodedSystems = new Map<string, Buffer>();
const MAX_SYSTEMS = 16;

function encodedTools(tools: readonly ToolSpec[]): Buffer {
  const known = toolLists.get(tools);
  if (known) return known;
  const listed = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } }),
  );
  const bytes = Buffer.from(`,"tools":[${listed.join(',')}]`);
  toolLists.set(tools, bytes);
  return bytes;
}

function encodedSystem(json: string): Buffer {
  const bytes = encodedSystems.get(json) ?? Buffer.from(json);
  encodedSystems.delete(json);
  encodedSystems.set(json, bytes);
  for (const oldest of [...encodedSystems.keys()].slice(0, -MAX_SYSTEMS)) encodedSystems.delete(oldest);
  return bytes;
}

/** The JSON of each message but the system's, with the provider's differences. */
function listedMessages({ record, request }: WireCall, isCacheMarked: boolean): string[] {
  const shown = withPictures(request.messages);
  if (record.quirks.wantsReasoningBack !== true && !isCacheMarked) return shown.map(writtenMessage);
  const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
  const recent = new Set<unknown>(request.messages.slice(lastUser + 1));
  const messages = shown.map((message) =>
    chatMessage(message, { withReasoning: record.quirks.wantsReasoningBack === true && recent.has(message) }),
  );
  if (isCacheMarked) for (const message of messages.filter(({ role }) => role !== 'assistant').slice(-2)) mark(message);
  return messages.map((message) => JSON.stringify(message));
}

function writtenMessage(message: ChatMessage): string {
  const [text, calls] = message.role === 'assistant' ? [message.text, message.toolCalls.length] : ['', 0];
  const known = written.get(message);
  if (known?.text === text && known.calls === calls) return known.json;
  const json = JSON.stringify(chatMessage(message, { withReasoning: false }));
  if (json.length <= MAX_WRITTEN) written.set(message, { json, text, calls });
  return json;
}

/** All but the messages and the tools, with the provider's differences. */
function settingsOf({ record, model, request, exclusions }: WireCall): Json {
  const { quirks, reasoning } = record;
  const ignored = exclusions ? excludedFor(model, exclusions) : [];
  return {
    model,
    stream: true,
    ...(!quirks.refusesStreamOptions && { stream_options: { include_usage: true } }),
    ...(record.id === 'aggregator' && { usage: { include: true } }),
    ...(request.maxOutputTokens && { [quirks.maxTokensField ?? 'max_tokens']: request.maxOutputTokens }),
    ...chatReasoning(reasoning, model, request.reasoning),
    ...(ignored.length > 0 && { provider: { ignore: ignored } }),
  };
}

/** A user message may also hold what tools read. */
type ChatMessage = Exclude<ModelMessage, { role: 'user' }> | { role: 'user'; content: readonly ChatPart[] };
type ChatPart = UserPart | { type: 'media'; media: Media };

/**
 * Tool messages support only text: images, audio and PDF of consecutive results are sent in a user message right after
 * them.
 */
function withPictures(messages: readonly ModelMessage[]): ChatMessage[] {
  const all: ChatMessage[] = [];
  let pictures: ChatPart[] = [];
  const show = (): void => {
    if (pictures.length > 0) all.push({ role: 'user', content: pictures });
    pictures = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') show();
    all.push(message);
    if (message.role !== 'tool') continue;
    const { toolName, toolCallId, images = [], media = [] } = message;
    const by = `read by ${toolName} (${toolCallId}):`;
    if (images.length > 0) pictures.push({ type: 'text', text: `Pictures ${by}` }, ...images);
    const files = media.map((one): ChatPart => ({ type: 'media', media: one }));
    if (files.length > 0) pictures.push({ type: 'text', text: `Files ${by}` }, ...files);
  }
  show();
  return all;
}

const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;

/** Marks the end of a prefix that the next call repeats. */
function mark(message: Json): void {
  const { content } = message;
  if (typeof content === 'string' && content !== '') {
    message['content'] = [{ type: 'text', text: content, ...CACHE_MARK }];
  } else if (Array.isArray(content)) {
    const last = content.findLast((part: Json) => part['type'] === 'text') as Json | undefined;
    if (last) Object.assign(last, CACHE_MARK);
  }
}

/** One message: local engines often use only the first, and all of them support a single string. */
function systemMessage(system: readonly string[], isCacheMarked: boolean): Json {
  if (!isCacheMarked) return { role: 'system', content: system.join('\n\n') };
  const parts = system.map((text, index) => ({
    type: 'text',
    text,
    ...((index === 0 || index === system.length - 1) && CACHE_MARK),
  }));
  return { role: 'system', content: parts };
}

function chatMessage(message: ChatMessage, { withReasoning }: { withReasoning: boolean }): Json {
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

/** Providers parse earlier calls of the model; an invalid one would make every later request fail. */
export function wellFormed(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text : '{}';
  } catch {
    // Invalid from the start; the model has read the error of its tool.
    return '{}';
  }
}

function userContent(parts: readonly ChatPart[]): unknown {
  const isText = parts.every((part) => part.type === 'text');
  if (isText) return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    return part.type === 'media' ? filePart(part.media) : { type: 'image_url', image_url: { url: dataUrl(part) } };
  });
}

function filePart(media: Media): Json {
  const { mimeType, bytes } = media;
  if (mimeType === 'application/pdf') {
    return { type: 'file', file: { filename: fileName(media), file_data: dataUrl(media) } };
  }
  const data = Buffer.from(bytes).toString('base64');
  return { type: 'input_audio', input_audio: { data, format: mimeType === 'audio/wav' ? 'wav' : 'mp3' } };
}

function dataUrl({ mimeType, bytes }: { mimeType: string; bytes: Uint8Array }): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`;
}
