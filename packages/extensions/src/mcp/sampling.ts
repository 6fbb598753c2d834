import type { SideMessage, SideModel, SidePart } from '@fucina/shared';
import type { CreateMessageRequestParams, CreateMessageResult, SamplingMessage } from '@modelcontextprotocol/client';
import type { AskingCall, Elicitations } from './elicitations.ts';

/** Of all texts of a request: more cannot be reviewed. */
const MAX_TEXT = 64 * 1024;
const MAX_MESSAGES = 64;
const MAX_IMAGES = 4;
const MAX_OUTPUT_TOKENS = 16_384;
/** The specification's error for a request that the user rejected. */
const REJECTED = -1;
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
/** Nothing to fill in: the user allows the request, or does not. */
const NO_FIELDS = { type: 'object', properties: {} };

interface Sampling {
  elicitations: Elicitations;
  sessionId: string;
  serverId: string;
  /** The call during which the server asks; undefined: outside of any. */
  call: (AskingCall & { sideModel?: SideModel | undefined }) | undefined;
}

/**
 * A request of a server to the model of the session (sampling). The user sees the whole request and allows it, each time;
 * the model gets nothing else of the conversation, and no tools.
 */
export async function answerSampling(
  params: CreateMessageRequestParams,
  { elicitations, sessionId, serverId, call }: Sampling,
): Promise<CreateMessageResult> {
  const model = call?.sideModel;
  if (!call || !model) return refuse(REJECTED, 'User rejected sampling request: no user is available');
  const { ProtocolErrorCode } = await import('@modelcontextprotocol/client');
  const messages = readMessages(params.messages);
  if (typeof messages === 'string') return refuse(ProtocolErrorCode.InvalidParams, messages);
  const system = params.systemPrompt ?? '';
  const message = shownText(system, messages);
  if (message.length > MAX_TEXT)
    return refuse(ProtocolErrorCode.InvalidParams, 'the request is too long to be reviewed');
  const maxOutputTokens = Math.min(Math.max(params.maxTokens, 1), MAX_OUTPUT_TOKENS);
  const sampling = { model: model.name(), maxOutputTokens };
  const asked = { sessionId, serverId, message, form: NO_FIELDS, sampling };
  const { action } = await elicitations.ask(asked, call);
  if (action !== 'accept') return refuse(REJECTED, 'User rejected sampling request');
  const question = { system, messages, maxOutputTokens };
  const answer = await ask(model, question, call.signal);
  return { role: 'assistant', model: answer.model, ...endingOf(answer, params.stopSequences ?? []) };
}

async function ask(model: SideModel, question: Parameters<SideModel['ask']>[0], signal: AbortSignal) {
  try {
    return await model.ask(question, signal);
  } catch (error) {
    const { ProtocolErrorCode } = await import('@modelcontextprotocol/client');
    return refuse(ProtocolErrorCode.InternalError, (error as Error).message);
  }
}

/** Models stop where they want: what follows a stop sequence is cut here. */
function endingOf(
  { text, isCut }: { text: string; isCut: boolean },
  stopSequences: readonly string[],
): Pick<CreateMessageResult, 'content' | 'stopReason'> {
  const stops = stopSequences.map((sequence) => (sequence ? text.indexOf(sequence) : -1)).filter((at) => at >= 0);
  if (stops.length > 0) {
    return { content: { type: 'text', text: text.slice(0, Math.min(...stops)) }, stopReason: 'stopSequence' };
  }
  return { content: { type: 'text', text }, stopReason: isCut ? 'maxTokens' : 'endTurn' };
}

/** A text says why the request cannot be passed on. */
function readMessages(given: readonly SamplingMessage[]): SideMessage[] | string {
  if (given.length === 0 || given.length > MAX_MESSAGES) return `between 1 and ${MAX_MESSAGES} messages are accepted`;
  const read: SideMessage[] = [];
  let images = 0;
  for (const { role, content } of given) {
    const parts: SidePart[] = [];
    for (const block of Array.isArray(content) ? content : [content]) {
      if (block.type === 'text') parts.push({ type: 'text', text: block.text });
      else if (block.type === 'image' && role === 'user' && IMAGE_TYPES.has(block.mimeType)) {
        images += 1;
        parts.push({ type: 'image', mimeType: block.mimeType, bytes: Buffer.from(block.data, 'base64') });
      } else return `content of type ${block.type} is not supported`;
    }
    if (images > MAX_IMAGES) return `at most ${MAX_IMAGES} images are accepted`;
    if (role === 'user') read.push({ role, content: parts });
    else read.push({ role, text: textOf(parts) });
  }
  return read;
}

const textOf = (parts: readonly SidePart[]): string =>
  parts
    .map((part) => (part.type === 'text' ? part.text : `(image, ${part.mimeType}, ${part.bytes.length} bytes)`))
    .join('\n');

/** All that the model would get, for the user. */
function shownText(system: string, messages: readonly SideMessage[]): string {
  const shown = messages.map((each) => {
    const text = each.role === 'user' ? textOf(each.content) : each.text;
    return messages.length === 1 && !system ? text : `${each.role}: ${text}`;
  });
  return [...(system ? [`system: ${system}`] : []), ...shown].join('\n\n');
}

async function refuse(code: number, message: string): Promise<never> {
  const { ProtocolError } = await import('@modelcontextprotocol/client');
  throw new ProtocolError(code, message);
}
