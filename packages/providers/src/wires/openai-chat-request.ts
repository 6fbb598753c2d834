import {
  type AnswerPart,
  answerCalls,
  answerText,
  type Media,
  type ModelMessage,
  type ModelRequest,
  modelFamily,
  type ToolSpec,
  type UserPart,
} from '@fucina/shared';
import { excludedFor } from '../routing/exclusions.ts';
import { chatReasoning } from '../table/reasoning.ts';
import { sentReasoning } from './chat-reasoning.ts';
import { fileName } from './taken-media.ts';
import { ownValues, type VendorValues } from './vendor-value.ts';
import type { WireCall } from './wire.ts';

type Json = Record<string, unknown>;

/**
 * The body of a chat-completions request in UTF-8. What most requests repeat, the system message, the messages before and
 * the tools, is encoded once.
 */
export function chatBytes(call: WireCall): Uint8Array {
  const { system, tools } = call.request;
  const isCacheMarked = call.record.id === 'aggregator' && call.model.startsWith('anthropic/');
  const mark = isCacheMarked ? cacheMark(call.request) : undefined;
  const listed = listedMessages(call, mark);
  const parts: Uint8Array[] = [OPEN];
  if (system.length > 0) parts.push(encodedSystem(JSON.stringify(systemMessage(system, mark))));
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
  /** An answer may continue, and its reasoning goes back in some requests only. */
  state: string;
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
function listedMessages(call: WireCall, cacheMark: CacheMark | undefined): string[] {
  const { request, model } = call;
  const shown = withPictures(request.messages, modelFamily(model) === 'mistral');
  const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
  const recent = new Set<unknown>(request.messages.slice(lastUser + 1));
  if (!cacheMark) return shown.map((message) => writtenMessage(message, call, recent.has(message)));
  const messages = shown.map((message) => chatMessage(message, call, recent.has(message)));
  for (const message of messages.filter(({ role }) => role !== 'assistant').slice(-2)) mark(message, cacheMark);
  return messages.map((message) => JSON.stringify(message));
}

function writtenMessage(message: ChatMessage, call: WireCall, isOfTurn: boolean): string {
  const state = message.role === 'assistant' ? stateOf(message.parts, call, isOfTurn) : '';
  const known = written.get(message);
  if (known?.state === state) return known.json;
  const json = JSON.stringify(chatMessage(message, call, isOfTurn));
  if (json.length <= MAX_WRITTEN) written.set(message, { json, state });
  return json;
}

function stateOf(parts: readonly AnswerPart[], { record, model, withoutReasoning }: WireCall, isOfTurn: boolean) {
  const last = parts.at(-1);
  const length = last?.type === 'call' ? last.arguments.length : (last?.text.length ?? 0);
  return `${parts.length} ${length} ${isOfTurn} ${withoutReasoning === true} ${record.id} ${model}`;
}

/** All but the messages and the tools, with the provider's differences. */
function settingsOf({ record, model, request, exclusions, withoutReasoning }: WireCall): Json {
  const { quirks, reasoning } = record;
  const ignored = exclusions ? excludedFor(model, exclusions) : [];
  return {
    model,
    stream: true,
    ...(!quirks.refusesStreamOptions && { stream_options: { include_usage: true } }),
    ...(record.id === 'aggregator' && { usage: { include: true } }),
    ...(request.maxOutputTokens && { [quirks.maxTokensField ?? 'max_tokens']: request.maxOutputTokens }),
    ...(!withoutReasoning && chatReasoning(reasoning, model, request.reasoning)),
    ...(ignored.length > 0 && { provider: { ignore: ignored } }),
  };
}

/** A user message may also hold what tools read. */
type ChatMessage = Exclude<ModelMessage, { role: 'user' }> | { role: 'user'; content: readonly ChatPart[] };
type ChatPart = UserPart | { type: 'media'; media: Media };

/**
 * Tool messages support only text: images, audio and PDF of consecutive results are sent in a user message right after
 * them.
 * @param isBridged whether an answer has to stand between a result and a message of the user
 */
function withPictures(messages: readonly ModelMessage[], isBridged: boolean): ChatMessage[] {
  const all: ChatMessage[] = [];
  let pictures: ChatPart[] = [];
  const bridge = (): void => {
    if (isBridged && all.at(-1)?.role === 'tool') all.push(BRIDGE);
  };
  const show = (): void => {
    if (pictures.length === 0) return;
    bridge();
    all.push({ role: 'user', content: pictures });
    pictures = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') show();
    if (message.role === 'user') bridge();
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

const BRIDGE: ChatMessage = { role: 'assistant', parts: [{ type: 'text', text: 'I have the results.' }] };

type CacheMark = { cache_control: { type: 'ephemeral'; ttl?: '1h' } };

function cacheMark({ isPausing }: ModelRequest): CacheMark {
  return { cache_control: { type: 'ephemeral', ...(isPausing && { ttl: '1h' as const }) } };
}

/** Marks the end of a prefix that the next call repeats. */
function mark(message: Json, cacheMark: CacheMark): void {
  const { content } = message;
  if (typeof content === 'string' && content !== '') {
    message['content'] = [{ type: 'text', text: content, ...cacheMark }];
  } else if (Array.isArray(content)) {
    const last = content.findLast((part: Json) => part['type'] === 'text') as Json | undefined;
    if (last) Object.assign(last, cacheMark);
  }
}

/** One message: local engines often use only the first, and all of them support a single string. */
function systemMessage(system: readonly string[], mark: CacheMark | undefined): Json {
  if (!mark) return { role: 'system', content: system.join('\n\n') };
  const parts = system.map((text, index) => ({
    type: 'text',
    text,
    ...((index === 0 || index === system.length - 1) && mark),
  }));
  return { role: 'system', content: parts };
}

function chatMessage(message: ChatMessage, call: WireCall, isOfTurn: boolean): Json {
  if (message.role === 'user') return { role: 'user', content: userContent(message.content) };
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  const { fields, prefix, chunks } = sentReasoning(call, message.parts, isOfTurn);
  const text = prefix + answerText(message.parts);
  const calls = answerCalls(message.parts).map(({ id, name, arguments: given, vendor }) => ({
    id,
    type: 'function',
    function: { name, arguments: wellFormed(given) },
    ...extraContent(call, ownValues(call, vendor)),
  }));
  return {
    role: 'assistant',
    content: chunks.length > 0 ? [...chunks, ...textChunk(text)] : text === '' && calls.length > 0 ? null : text,
    ...fields,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

const textChunk = (text: string): Json[] => (text === '' ? [] : [{ type: 'text', text }]);

/** Gemini's signature of a call, in its OpenAI form; for a call of another model the word that Google names for it. */
function extraContent({ record, model }: WireCall, values: VendorValues | undefined): Json {
  const isGemini = record.id === 'vertex' && modelFamily(model) === 'gemini';
  const extra = values?.['extra_content'] ?? (isGemini ? UNSIGNED : undefined);
  return extra === undefined ? {} : { extra_content: extra };
}

const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

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
