import type { SessionEvent } from '@fucina/shared';
import type { Conversation } from '../context/conversation.ts';
import type { FolderBrief } from '../context/folder-brief.ts';
import type { TurnInput } from '../state/session.ts';
import type { AppendOptions, SessionRecord } from '../store/store.ts';
import type { CardSlot } from './pending-card.ts';
import type { Repeats } from './repeats.ts';

/** A turn in progress, in this process. */
export interface LiveTurn {
  readonly record: SessionRecord;
  readonly runId: string;
  readonly cardSlot: CardSlot;
  /** `person` ends the turn; `shutdown` leaves the session interrupted, ready to be resumed. */
  stop(by: 'person' | 'shutdown'): void;
  /** Leads the turn to these words at its next safe boundary; they are in the journal already. False when one waits. */
  redirect(redirect: Redirect): boolean;
  /** Ends the turn after the calls of the present step. */
  finishSoon(): void;
  append(events: readonly SessionEvent[], extras?: AppendOptions): void;
  readonly signal: AbortSignal;
  /** Settles when the turn's last event is committed. */
  readonly done: Promise<void>;
}

export interface Redirect {
  redirectId: string;
  input: TurnInput;
}

/** What a session remembers between its turns while this process keeps it loaded. */
export interface TurnMemory {
  runId: string;
  conversation: Conversation;
  /** Files read so far → SHA-256 of what was read. */
  seen: Map<string, string>;
  usedCallIds: Set<string>;
  repeats: Repeats;
  /** Places that the sandbox hid and the user was asked about. */
  askedReads: Set<string>;
  /** Read once, so that the beginning of every request stays the same. */
  brief: FolderBrief | undefined;
  /** Last event the conversation holds. */
  throughSeq: number;
}
