import type { SessionEvent } from '@fucina/shared';
import type { Repeats } from './calls/repeats.ts';
import type { Conversation } from './context/conversation.ts';
import type { FolderBrief } from './context/folder-brief.ts';
import type { WorkRules } from './context/system-prompt.ts';
import type { CardSlot } from './permission/pending-card.ts';
import type { TurnInput } from './state/session.ts';
import type { AppendOptions, SessionRecord } from './store/store.ts';

/** A running turn in this process. */
export interface LiveTurn {
  readonly record: SessionRecord;
  readonly runId: string;
  readonly cardSlot: CardSlot;
  /** `user` ends the turn; `shutdown` leaves the session interrupted, so that it can be resumed. */
  stop(by: 'user' | 'shutdown'): void;
  /**
   * Redirects the turn to this message, which is already in the journal, at its next safe boundary. False when another
   * one is pending.
   */
  redirect(redirect: Redirect): boolean;
  /** Ends the wait before a retry. False when there is none. */
  tryNow(): boolean;
  /** Ends the turn after the calls of the current step. */
  finishSoon(): void;
  append(events: readonly SessionEvent[], extras?: AppendOptions): void;
  /** What the session knows, for its sub-agents. */
  readonly addresses: Conversation['addresses'];
  readonly signal: AbortSignal;
  /** Settles when the turn's last event is committed. */
  readonly done: Promise<void>;
}

export interface Redirect {
  redirectId: string;
  input: TurnInput;
}

/** What a session keeps in memory between its turns while this process has it loaded. */
export interface TurnMemory {
  runId: string;
  conversation: Conversation;
  usedCallIds: Set<string>;
  repeats: Repeats;
  /** Hidden paths about which the user was already asked. */
  askedReads: Set<string>;
  /** Read once, so that the start of every request stays the same. */
  brief: FolderBrief | undefined;
  /** In the system prompt: a change is a late message, and the prompt stays. */
  rules: WorkRules | undefined;
  /** When the last answer ended, epoch ms, and whether the session has paused for long before a call. */
  pace: { answeredAt: number | undefined; isPausing: boolean };
  /** Last event included in the conversation. */
  throughSeq: number;
}
