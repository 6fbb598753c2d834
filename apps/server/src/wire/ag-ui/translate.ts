import type { SessionEvent, StatePatch } from '@fucina/shared';
import type { Language } from '@fucina/shared/sentences';
import type { AgUiEvent } from './event.ts';
import { interruptOf } from './interrupts.ts';
import { openedLine, retryLine } from './retry-line.ts';

const FILE_PREFIX = '/file/';
/** Not part of a run. */
const LEFT_OUT = new Set(['svc.fine-rigiocata', 'svc.coda']);

type Kind = 'text' | 'reasoning';
type ProseEvent = Extract<SessionEvent, { type: `TextMessage${string}` | `ReasoningMessage${string}` }>;
type CallEvent = Extract<SessionEvent, { toolCallId: string; type: `ToolCall${string}` }>;

/** The session as an AG-UI client sees it. */
export interface AgUiState {
  sessionId: string;
  cartella: string;
  usage: unknown;
  todo: unknown;
  /** What turns did to files: `creato`, `modificato`, `eliminato`. */
  file: Record<string, string>;
}

/** One run: session events in, AG-UI events out. */
export interface AgUiTranslation {
  /** What the client has already, before `begin`. */
  seed(event: SessionEvent): void;
  begin(): AgUiEvent[];
  translate(event: SessionEvent): AgUiEvent[];
  isOver(): boolean;
  /** For a stream that ended before its turn. */
  cut(): AgUiEvent[];
}

export interface TranslatedRun {
  threadId: string;
  runId: string;
  state: AgUiState;
  language: Language;
}

interface Draft {
  run: Pick<TranslatedRun, 'threadId' | 'runId'>;
  state: AgUiState;
  language: Language;
  open: Map<string, Kind>;
  openCalls: Set<string>;
  /** Calls of this turn without a result; true once an approval was asked for. */
  waiting: Map<string, { name: string; isAsked: boolean }>;
  known: Set<string>;
  isOver: boolean;
}

export function agUiTranslation({ state, language, ...run }: TranslatedRun): AgUiTranslation {
  const draft: Draft = {
    run,
    state,
    language,
    open: new Map(),
    openCalls: new Set(),
    waiting: new Map(),
    known: new Set(),
    isOver: false,
  };
  return {
    seed(event) {
      translate(draft, event);
      if (event.type === 'RunStarted') draft.waiting.clear();
    },
    begin() {
      draft.open.clear();
      draft.openCalls.clear();
      draft.isOver = false;
      return [
        { type: 'RUN_STARTED', ...run },
        { type: 'STATE_SNAPSHOT', snapshot: { ...state } },
      ];
    },
    translate: (event) => (draft.isOver ? [] : translate(draft, event)),
    isOver: () => draft.isOver,
    cut: () =>
      end(draft, { type: 'RUN_ERROR', message: 'The session ended before the turn.', code: 'SESSION_INTERRUPTED' }),
  };
}

function translate(draft: Draft, event: SessionEvent): AgUiEvent[] {
  switch (event.type) {
    case 'RunStarted':
      return [];
    case 'TextMessageStart':
    case 'TextMessageContent':
    case 'TextMessageEnd':
      return prose(draft, 'text', event);
    case 'ReasoningMessageStart':
    case 'ReasoningMessageContent':
    case 'ReasoningMessageEnd':
      return prose(draft, 'reasoning', event);
    case 'ToolCallStart':
    case 'ToolCallArgs':
    case 'ToolCallResult':
      return call(draft, event);
    case 'StateDelta':
      return event.delta.flatMap((patch) => changed(draft, patch));
    case 'RunRedirectApplied':
      return steered(event.redirectId, event.testo);
    case 'RunFinished':
      return end(draft, { type: 'RUN_FINISHED', ...draft.run, outcome: { type: 'success' } });
    case 'RunError':
      if (event.code === 'fermato') {
        return end(draft, { type: 'RUN_FINISHED', ...draft.run, outcome: { type: 'cancelled' } });
      }
      return end(draft, { type: 'RUN_ERROR', message: event.message, ...(event.code && { code: event.code }) });
    default:
      return other(draft, event);
  }
}

const OPENING: Record<Kind, (messageId: string) => AgUiEvent[]> = {
  text: (messageId) => [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }],
  reasoning: (messageId) => [
    { type: 'REASONING_START', messageId },
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
  ],
};
const CLOSING: Record<Kind, (messageId: string) => AgUiEvent[]> = {
  text: (messageId) => [{ type: 'TEXT_MESSAGE_END', messageId }],
  reasoning: (messageId) => [
    { type: 'REASONING_MESSAGE_END', messageId },
    { type: 'REASONING_END', messageId },
  ],
};

function prose({ open }: Draft, kind: Kind, event: ProseEvent): AgUiEvent[] {
  const { messageId } = event;
  const opened = open.has(messageId) ? [] : OPENING[kind](messageId);
  open.set(messageId, kind);
  if ('delta' in event) {
    const type = kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT';
    // Clients older than 1.0 reject an empty delta.
    return event.delta ? [...opened, { type, messageId, delta: event.delta }] : opened;
  }
  if (!event.type.endsWith('End')) return opened;
  open.delete(messageId);
  return [...opened, ...CLOSING[kind](messageId)];
}

function call(draft: Draft, event: CallEvent): AgUiEvent[] {
  const { toolCallId } = event;
  switch (event.type) {
    case 'ToolCallStart':
      // Sent once when the model requests the call, and again when it runs.
      if (draft.known.has(toolCallId)) return closeCall(draft, toolCallId);
      draft.waiting.set(toolCallId, { name: event.toolCallName, isAsked: false });
      return openCall(draft, event);
    case 'ToolCallArgs':
      if (!draft.openCalls.has(toolCallId) || !event.delta) return [];
      return [{ type: 'TOOL_CALL_ARGS', toolCallId, delta: event.delta }];
    case 'ToolCallResult': {
      draft.waiting.delete(toolCallId);
      const { messageId, content } = event;
      return [
        ...closeCall(draft, toolCallId),
        { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' },
      ];
    }
    default:
      return [];
  }
}

function openCall(draft: Draft, event: Extract<CallEvent, { type: 'ToolCallStart' }>): AgUiEvent[] {
  const { toolCallId, toolCallName, parentMessageId } = event;
  draft.known.add(toolCallId);
  draft.openCalls.add(toolCallId);
  return [{ type: 'TOOL_CALL_START', toolCallId, toolCallName, ...(parentMessageId && { parentMessageId }) }];
}

function closeCall({ openCalls }: Draft, toolCallId: string): AgUiEvent[] {
  return openCalls.delete(toolCallId) ? [{ type: 'TOOL_CALL_END', toolCallId }] : [];
}

/** The contents of files stay out: clients send the whole state back with each run. */
function changed({ state }: Draft, { op, path, value }: StatePatch): AgUiEvent[] {
  if (path === '/usage') {
    state.usage = value;
    return [{ type: 'STATE_DELTA', delta: [{ op: 'add', path, value }] }];
  }
  if (!path.startsWith(FILE_PREFIX)) return [];
  const file = path.slice(FILE_PREFIX.length).replaceAll('~1', '/').replaceAll('~0', '~');
  const effect = op === 'add' ? 'creato' : op === 'remove' ? 'eliminato' : 'modificato';
  state.file[file] = effect;
  // Stored paths are not escaped as JSON Pointer demands.
  const pointer = FILE_PREFIX + file.replaceAll('~', '~0').replaceAll('/', '~1');
  return [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: pointer, value: effect }] }];
}

/** A message with which the user steered the turn. */
function steered(messageId: string, delta: string): AgUiEvent[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'user' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
}

function other(draft: Draft, event: SessionEvent): AgUiEvent[] {
  const interrupt = interruptOf(event, heldCall(draft, event));
  if (interrupt) {
    return end(draft, { type: 'RUN_FINISHED', ...draft.run, outcome: { type: 'interrupt', interrupts: [interrupt] } });
  }
  if (event.type === 'CUSTOM') return custom(draft, event.name, event.value);
  const { type: name, ...value } = event;
  return [{ type: 'CUSTOM', name, value }];
}

function custom(draft: Draft, name: string, value: unknown): AgUiEvent[] {
  const { state } = draft;
  if (name === 'svc.todo') {
    state.todo = (value as { items?: unknown } | null)?.items ?? [];
    return [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/todo', value: state.todo }] }];
  }
  const line = name === 'svc.provider-retry' ? retried(draft, value) : [];
  return LEFT_OUT.has(name) ? [] : [...line, { type: 'CUSTOM', name, value }];
}

/** A wait before the model is asked again is a line that people see until the next try starts. */
function retried({ open, language }: Draft, value: unknown): AgUiEvent[] {
  const line = retryLine(value, language);
  if (!line) return [];
  const { messageId, text } = line;
  if (text === undefined) return open.delete(messageId) ? CLOSING.reasoning(messageId) : [];
  open.set(messageId, 'reasoning');
  return openedLine(messageId, text);
}

/** Approvals come one at a time, in the order of the calls: the first call of the name without one is meant. */
function heldCall({ waiting }: Draft, event: SessionEvent): string | undefined {
  if (event.type !== 'ApprovalRequested') return undefined;
  const held = [...waiting].find(([, { name, isAsked }]) => name === event.azione.tipo && !isAsked);
  if (held) held[1].isAsked = true;
  return held?.[0];
}

type LastEvent = Extract<AgUiEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;

/** Whatever is open is closed first: the protocol demands it. */
function end(draft: Draft, last: LastEvent): AgUiEvent[] {
  const closed = [
    ...[...draft.open].flatMap(([messageId, kind]) => CLOSING[kind](messageId)),
    ...[...draft.openCalls].map((toolCallId): AgUiEvent => ({ type: 'TOOL_CALL_END', toolCallId })),
  ];
  draft.open.clear();
  draft.openCalls.clear();
  draft.isOver = true;
  return [...closed, { ...last, ...usageOf(draft.state.usage) }];
}

function usageOf(usage: unknown): Pick<LastEvent, 'usage'> {
  if (!usage) return {};
  const { prompt_tokens, completion_tokens, cached_tokens } = usage as Record<string, number | null>;
  const cached = cached_tokens === null || cached_tokens === undefined ? {} : { cachedInputTokens: cached_tokens };
  return { usage: [{ inputTokens: prompt_tokens ?? 0, outputTokens: completion_tokens ?? 0, ...cached }] };
}
