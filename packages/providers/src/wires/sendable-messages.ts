import { createHash } from 'node:crypto';
import {
  type AnswerPart,
  answerCalls,
  type ModelMessage,
  modelFamily,
  type ToolSpec,
  textStart,
  type UserPart,
} from '@fucina/shared';

type Answer = Extract<ModelMessage, { role: 'assistant' }>;
type Result = Extract<ModelMessage, { role: 'tool' }>;

/** All vendors take these names and ids; some of them no others. */
const NAME = /^[\w-]{1,64}$/;
const CALL_ID = /^[\w-]{1,64}$/;
/** Mistral's models take ids of nine letters and digits only, wherever they are served. */
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

const NO_RESULT = 'No result: this call was interrupted before it finished.';
const GO_ON: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] };
const EMPTY: UserPart = { type: 'text', text: '[Empty message]' };

/**
 * The messages in a form that every vendor takes, whatever a model, an import or an older version left in a session:
 * names and ids of calls, results right after their calls, no empty parts, no half characters, a message of the user at
 * the beginning and not an answer at the end. A message that is fine is returned as the same object.
 */
export function sendableMessages(messages: readonly ModelMessage[], model: string): readonly ModelMessage[] {
  const idForm = modelFamily(model) === 'mistral' ? MISTRAL_ID : CALL_ID;
  const tidy = messages.flatMap((message) => tidyMessage(message, idForm));
  const ordered = isInOrder(tidy) ? tidy : inOrder(tidy);
  const begun = ordered[0]?.role === 'user' ? ordered : [GO_ON, ...ordered];
  return begun.at(-1)?.role === 'assistant' ? [...begun, GO_ON] : begun;
}

function tidyMessage(message: ModelMessage, idForm: RegExp): ModelMessage[] {
  if (message.role === 'user') return [tidyUser(message)];
  if (message.role === 'tool') return [tidyResult(message, idForm)];
  const parts = message.parts.filter(isSent);
  // Reasoning alone is no answer: where its signature is missing, nothing would be left of it.
  if (parts.every(({ type }) => type === 'reasoning')) return [];
  const isFine = parts.length === message.parts.length && parts.every((part) => isFinePart(part, idForm));
  return [isFine ? message : { role: 'assistant', parts: parts.map((part) => tidyPart(part, idForm)) }];
}

/** Reasoning without text may carry what its vendor wants back. */
const isSent = (part: AnswerPart): boolean => part.type !== 'text' || part.text.trim() !== '';

function isFinePart(part: AnswerPart, idForm: RegExp): boolean {
  if (part.type !== 'call') return part.text.isWellFormed();
  return isSendable(part.name) && idForm.test(part.id) && part.arguments.isWellFormed();
}

function tidyPart(part: AnswerPart, idForm: RegExp): AnswerPart {
  if (part.type !== 'call') return { ...part, text: part.text.toWellFormed() };
  const { name, id, arguments: given } = part;
  return { ...part, name: sentName(name), id: sentId(id, idForm), arguments: given.toWellFormed() };
}

function tidyUser(message: Extract<ModelMessage, { role: 'user' }>): ModelMessage {
  const isFine = (part: UserPart): boolean =>
    part.type !== 'text' || (part.text.trim() !== '' && part.text.isWellFormed());
  if (message.content.length > 0 && message.content.every(isFine)) return message;
  const content = message.content.flatMap((part): UserPart[] => {
    if (part.type !== 'text') return [part];
    return part.text.trim() === '' ? [] : [{ ...part, text: part.text.toWellFormed() }];
  });
  return { role: 'user', content: content.length > 0 ? content : [EMPTY] };
}

function tidyResult(result: Result, idForm: RegExp): Result {
  const { toolCallId, toolName, content } = result;
  if (idForm.test(toolCallId) && NAME.test(toolName) && content.isWellFormed()) return result;
  return {
    ...result,
    toolCallId: sentId(toolCallId, idForm),
    toolName: sentName(toolName),
    content: content.toWellFormed(),
  };
}

/** The vendors' libraries look names up in plain objects: a call of `toString` would be lost. */
function isSendable(name: string): boolean {
  return NAME.test(name) && !(name in Object.prototype);
}

/** A name that a model invented was refused by the turn, but stays in its history. */
function sentName(name: string): string {
  if (isSendable(name)) return name;
  const safe = textStart(name.replaceAll(/[^\w-]/g, '_'), 64) || 'unnamed';
  return safe in Object.prototype ? `${safe}_` : safe;
}

/** The same id for a call and its result, in every request. */
function sentId(id: string, form: RegExp): string {
  if (form.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex');
  return form === MISTRAL_ID ? hash.slice(0, 9) : `call_${hash.slice(0, 24)}`;
}

/** Whether each answer with calls is followed by the results of exactly these. */
function isInOrder(messages: readonly ModelMessage[]): boolean {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    if (message.role === 'user') continue;
    const ids = answerCalls(message.parts).map(({ id }) => id);
    open = new Set(ids);
    if (open.size < ids.length || ids.some((id) => seen.has(id))) return false;
    for (const id of ids) seen.add(id);
  }
  return open.size === 0;
}

/** Results move behind their calls; a call without one gets a closing one, a result without a call is left out. */
function inOrder(messages: readonly ModelMessage[]): ModelMessage[] {
  const results = new Map<string, Result>();
  for (const message of messages) {
    if (message.role === 'tool' && !results.has(message.toolCallId)) results.set(message.toolCallId, message);
  }
  const seen = new Set<string>();
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool') return [];
    return message.role === 'user' ? [message] : answered(message, results, seen);
  });
}

function answered(message: Answer, results: ReadonlyMap<string, Result>, seen: Set<string>): ModelMessage[] {
  const parts = message.parts.filter((part) => part.type !== 'call' || !seen.has(part.id));
  const own = answerCalls(parts).filter(({ id }, index, all) => all.findIndex((one) => one.id === id) === index);
  const kept = parts.filter((part) => part.type !== 'call' || own.includes(part));
  for (const { id } of own) seen.add(id);
  if (kept.every(({ type }) => type === 'reasoning')) return [];
  const closing = own.map(
    ({ id, name }): ModelMessage =>
      results.get(id) ?? { role: 'tool', toolCallId: id, toolName: name, content: NO_RESULT, isError: true },
  );
  return [{ role: 'assistant', parts: kept }, ...closing];
}

/** By the list, which stays the same from request to request. */
const tidyTools = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>();

/** Tools of MCP servers may hold half characters. */
export function sendableTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = tidyTools.get(tools);
  if (known) return known;
  const isFine = tools.every(({ description, inputSchema }) => {
    return description.isWellFormed() && !HALF_CHARACTER.test(JSON.stringify(inputSchema));
  });
  const sent = isFine ? tools : tools.map(tidyTool);
  tidyTools.set(tools, sent);
  return sent;
}

/** As JSON writes half of a pair. */
const HALF_CHARACTER = /\\ud[89a-f][\da-f]{2}/i;

function tidyTool({ name, description, inputSchema }: ToolSpec): ToolSpec {
  const schema = JSON.stringify(inputSchema, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  return { name, description: description.toWellFormed(), inputSchema: JSON.parse(schema) as ToolSpec['inputSchema'] };
}
