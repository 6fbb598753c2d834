import { wasStopped } from '@fucina/conversation';
import type { SessionEvent } from '@fucina/shared';
import * as z from 'zod';
import { sessionsError } from '../errors.ts';

/**
 * What of an exported session is taken over: who said what, and which tools were called with which result. Everything
 * else of a document that anyone may have written is left out: file changes, which `/undo` would write, answers to
 * requests, settings, and what belongs to a process or the data folder of the original. Each event is built anew.
 */

const MAX_EVENTS = 250_000;
const MAX_NAME = 80;

const id = z.string().min(1).max(200);
/** What the model got where it differs from the user's text. */
const testoModello = z.string().optional();
const EVENTS = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('RunStarted'),
    input: z.object({ consegna: z.string(), comando: z.string().max(200).optional(), testoModello }).optional(),
  }),
  z.object({ type: z.literal('RunFinished') }),
  z.object({ type: z.literal('RunError'), message: z.string(), code: z.string().max(200).optional() }),
  z.object({ type: z.literal('RunRedirectApplied'), testo: z.string(), testoModello }),
  z.object({ type: z.literal('QueuedMessageDelivered'), testo: z.string(), testoModello }),
  z.object({ type: z.literal('TextMessageStart'), messageId: id }),
  z.object({ type: z.literal('TextMessageContent'), messageId: id, delta: z.string() }),
  z.object({ type: z.literal('TextMessageEnd'), messageId: id }),
  z.object({ type: z.literal('ReasoningMessageStart'), messageId: id }),
  z.object({ type: z.literal('ReasoningMessageContent'), messageId: id, delta: z.string() }),
  z.object({ type: z.literal('ReasoningMessageEnd'), messageId: id }),
  z.object({ type: z.literal('ToolCallStart'), toolCallId: id, toolCallName: z.string().min(1).max(128) }),
  z.object({ type: z.literal('ToolCallArgs'), toolCallId: id, delta: z.string() }),
  z.object({
    type: z.literal('ToolCallResult'),
    toolCallId: id,
    content: z.string(),
    durataMs: z.number().min(0).optional(),
    exitCode: z.int().optional(),
    fallito: z.literal(true).optional(),
    interrotto: z.literal(true).optional(),
    comando: z.string().optional(),
  }),
]);
type Known = z.infer<typeof EVENTS>;

/** As the interface exports it, or the command line. */
const DOCUMENT = z.union([
  z.object({
    schema: z.literal('svc.session-export.v1'),
    nome: z.string().nullish(),
    eventi: z.array(z.unknown()).max(MAX_EVENTS),
  }),
  z.object({
    session: z.object({ name: z.string().nullish() }).optional(),
    events: z.array(z.unknown()).max(MAX_EVENTS),
  }),
]);

export interface ImportedSession {
  name: string | null;
  /** The first message. */
  assignment: string;
  events: readonly SessionEvent[];
}

/** QUERY_INVALID with `import-malformed`, or `import-empty` when nothing was said in it. */
export function readImport(document: unknown, newId: () => string): ImportedSession {
  const parsed = DOCUMENT.safeParse(document);
  if (!parsed.success) throw sessionsError('QUERY_INVALID', { reason: 'import-malformed', cause: parsed.error });
  const given = 'eventi' in parsed.data ? parsed.data : { nome: parsed.data.session?.name, eventi: parsed.data.events };
  const builder = createBuilder(newId);
  for (const value of given.eventi) {
    const event = EVENTS.safeParse(value);
    if (event.success) builder.add(event.data);
  }
  const { events, assignment } = builder.end();
  if (assignment === undefined) throw sessionsError('QUERY_INVALID', { reason: 'import-empty' });
  const name = [...(given.nome ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()].slice(0, MAX_NAME).join('');
  return { name: name === '' ? null : name, assignment, events };
}

type Start = Extract<SessionEvent, { type: 'TextMessageStart' | 'ReasoningMessageStart' }>;

type Input = NonNullable<Extract<Known, { type: 'RunStarted' }>['input']>;

/** A message or call that has begun; its pieces are joined. */
type Open = { text: string } & ({ message: Start } | { toolName: string; toolCallId: string });

/** Well-formed turns: messages and calls that end, inside a turn that ends. Ids are new. */
function createBuilder(newId: () => string) {
  const events: SessionEvent[] = [];
  const threadId = newId();
  let assignment: string | undefined;
  let runId: string | undefined;
  let open = new Map<string, Open>();

  const endTurn = (error?: { message: string; code?: string | undefined }): void => {
    if (runId === undefined) return;
    for (const key of open.keys()) endMessage(key);
    open = new Map();
    const code = error?.code === undefined ? {} : { code: error.code };
    if (error) events.push({ type: 'RunError', message: error.message, ...code });
    else events.push({ type: 'RunFinished', threadId, runId });
    runId = undefined;
  };
  const startTurn = ({ consegna, comando, testoModello: modelText }: Input): void => {
    endTurn();
    runId = newId();
    const input = {
      consegna,
      ...(assignment === undefined ? {} : { seguito: true }),
      ...(comando === undefined ? {} : { comando }),
      ...(modelText === undefined ? {} : { testoModello: modelText }),
    };
    assignment ??= consegna;
    events.push({ type: 'RunStarted', threadId, runId, input });
  };
  /** An unfinished call is left out: it has no result. */
  const endMessage = (key: string): void => {
    const one = open.get(key);
    open.delete(key);
    if (!one || !('message' in one)) return;
    const { message, text } = one;
    const { messageId } = message;
    const isReasoning = message.type === 'ReasoningMessageStart';
    events.push(message);
    if (text !== '')
      events.push({ type: isReasoning ? 'ReasoningMessageContent' : 'TextMessageContent', messageId, delta: text });
    events.push({ type: isReasoning ? 'ReasoningMessageEnd' : 'TextMessageEnd', messageId });
  };
  const endCall = ({ toolCallId: key, ...result }: Extract<Known, { type: 'ToolCallResult' }>): void => {
    const call = open.get(key);
    open.delete(key);
    if (!call || !('toolName' in call)) return;
    const { toolCallId, toolName, text } = call;
    const { content, durataMs, exitCode, fallito, interrotto, comando } = result;
    const facts = {
      ...(durataMs === undefined ? {} : { durataMs }),
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(fallito ? { fallito } : {}),
      ...(interrotto ? { interrotto } : {}),
      // Without it, a command that was stopped would be one that failed.
      ...(comando !== undefined &&
      wasStopped({ isInterrupted: interrotto, isFailed: fallito, command: comando, exitCode })
        ? { comando }
        : {}),
    };
    events.push(
      { type: 'ToolCallStart', toolCallId, toolCallName: toolName },
      { type: 'ToolCallArgs', toolCallId, delta: text },
      { type: 'ToolCallResult', messageId: newId(), toolCallId, content, role: 'tool', ...facts },
    );
  };

  const add = (event: Known): void => {
    if (event.type === 'RunStarted') return startTurn(event.input ?? { consegna: '' });
    if (runId === undefined) return;
    switch (event.type) {
      case 'RunFinished':
        return endTurn();
      case 'RunError':
        return endTurn(event);
      case 'RunRedirectApplied':
        return void events.push({ redirectId: newId(), ...event });
      case 'QueuedMessageDelivered':
        return void events.push(event);
      case 'TextMessageStart':
        return void open.set(event.messageId, {
          text: '',
          message: { type: 'TextMessageStart', messageId: newId(), role: 'assistant' },
        });
      case 'ReasoningMessageStart':
        return void open.set(event.messageId, {
          text: '',
          message: { type: 'ReasoningMessageStart', messageId: newId(), role: 'reasoning' },
        });
      case 'ToolCallStart':
        return void open.set(event.toolCallId, { text: '', toolName: event.toolCallName, toolCallId: newId() });
      case 'ToolCallResult':
        return endCall(event);
      case 'TextMessageEnd':
      case 'ReasoningMessageEnd':
        return endMessage(event.messageId);
      default: {
        const one = open.get(event.type === 'ToolCallArgs' ? event.toolCallId : event.messageId);
        if (one) one.text += event.delta;
      }
    }
  };
  return {
    add,
    end(): { events: readonly SessionEvent[]; assignment: string | undefined } {
      endTurn();
      return { events, assignment };
    },
  };
}
