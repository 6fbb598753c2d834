import type { MessageQueue, Services } from '@fucina/host';
import type { Choices } from '../../choices.ts';
import type { BusyInput, ContextWindow, Message, SessionChoice } from '../workbench.ts';
import type { AgentWatch } from './agents.ts';
import type { AskedCard } from './answering.ts';
import { createSessionReader, type SessionReader } from './state.ts';

const EMPTY_QUEUE: MessageQueue = { messages: [], isPaused: false };

/** A message of the user that no turn has taken yet. */
export interface PendingWords {
  message: Message;
  how: BusyInput;
  callingOff: AbortController;
}

/** The mutable state of one conversation. */
export interface ConversationState {
  services: Services | undefined;
  sessionId: string | undefined;
  reader: SessionReader;
  choice: SessionChoice;
  queue: MessageQueue;
  asked: AskedCard | undefined;
  /** The card that is being prepared, or is on the screen. */
  askedId: string | undefined;
  sending: Message | undefined;
  /** Messages that are still being sent, oldest first: they can be cancelled. */
  onTheirWay: PendingWords[];
  /** The turn that takes the last sent message must stop at once. */
  endsAtOnce: boolean;
  agents: AgentWatch | undefined;
  /** Stops following the session on the screen. */
  leaving: AbortController;
  isReplayed: boolean;
  /** Waits until an event is on the screen. */
  waiting: { seq: number; settle(): void }[];
  cancelOwnerLook: (() => void) | undefined;
  /** Read once per model, and again after each turn, because its provider may have reported another size. */
  window: { model: string | null; window: ContextWindow | undefined } | undefined;
}

export function createConversationState({ model, effort, level, mode, isUnattended }: Choices): ConversationState {
  return {
    services: undefined,
    choice: { model: model ?? null, effort, level: level ?? 'Workspace write', mode: mode ?? 'normal', isUnattended },
    sending: undefined,
    onTheirWay: [],
    endsAtOnce: false,
    ...emptyScreen(),
  };
}

/** Clears the screen for a new conversation; the settings stay. */
export function resetConversation(place: ConversationState): void {
  place.leaving.abort();
  place.agents?.stop();
  place.cancelOwnerLook?.();
  for (const { settle } of place.waiting) settle();
  Object.assign(place, emptyScreen());
}

const emptyScreen = () =>
  ({
    sessionId: undefined,
    reader: createSessionReader(),
    queue: EMPTY_QUEUE,
    asked: undefined,
    askedId: undefined,
    agents: undefined,
    leaving: new AbortController(),
    isReplayed: false,
    waiting: [],
    cancelOwnerLook: undefined,
    window: undefined,
  }) satisfies Partial<ConversationState>;

/** Resolves when everything up to that event is on the screen, or another session is. */
export async function waitUntilShown(place: ConversationState, seq: number): Promise<void> {
  if (place.reader.lastSequence() >= seq) return;
  await new Promise<void>((settle) => place.waiting.push({ seq, settle }));
}

export function settleWaiting(place: ConversationState): void {
  if (place.waiting.length === 0) return;
  const lastSequence = place.reader.lastSequence();
  for (const { seq, settle } of place.waiting) if (seq <= lastSequence) settle();
  place.waiting = place.waiting.filter(({ seq }) => seq > lastSequence);
}

/**
 * Cancels messages that no turn has taken yet, and returns their text; a turn that takes an already sent one is stopped
 * as soon as it starts.
 */
export function cancelWaiting(place: ConversationState): string | undefined {
  const taken = place.onTheirWay.splice(0);
  for (const { callingOff } of taken) callingOff.abort();
  if (place.sending && taken.every(({ message }) => message !== place.sending)) place.endsAtOnce = true;
  return taken.length > 0 ? taken.map(({ message }) => message.text).join('\n') : undefined;
}

/** A turn runs in another process. */
export function runsInOtherProcess({ services, sessionId, reader, sending }: ConversationState): boolean {
  if (!services || sessionId === undefined || sending || !reader.state().isRunning) return false;
  return !services.sessions.turns.runsHere(sessionId);
}
