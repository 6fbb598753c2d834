import type { Elicitation } from '../../forms/elicitation.ts';
import type { Question } from '../../one-shot/dialogue.ts';
import type { Item } from './items.ts';

export interface ContextPart {
  id: string;
  tokens: number;
}

export interface TodoEntry {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** A card of the journal that waits for the person, before it is made ready to be shown. */
export type PendingCard =
  | { kind: 'approval'; requestId: string; action: Readonly<Record<string, unknown>> }
  | { kind: 'questions'; requestId: string; questions: readonly Question[] }
  | { kind: 'plan'; requestId: string; hash: string; content: string }
  | ({ kind: 'elicitation' } & Elicitation);

/** A call to the model that is made again after a while. */
export interface Retry {
  attempt: number;
  /** Epoch ms; null while it is being made. */
  at: number | null;
}

/** What the events of a session amount to. A value: what did not change is the same object as before. */
export interface ConversationState {
  items: readonly Item[];
  lastSeq: number;
  isRunning: boolean;
  /** Of the turn that runs, or ran last: epoch ms. */
  turnStartedAt: number | undefined;
  /** Of that turn. */
  turnTokens: number | undefined;
  /** What the model's window holds now: measured by the provider where it says, else estimated. */
  contextTokens: number | undefined;
  /** The estimated shares of that. */
  contextParts: readonly ContextPart[];
  /** Dollars, as far as anybody stated prices; undefined where nobody did. */
  costUsd: number | undefined;
  todo: readonly TodoEntry[];
  pending: PendingCard | undefined;
  retry: Retry | undefined;
  branch: string | undefined;
  /** Agents were started in this conversation. */
  hasAgents: boolean;
}

export const EMPTY_STATE: ConversationState = {
  items: [],
  lastSeq: 0,
  isRunning: false,
  turnStartedAt: undefined,
  turnTokens: undefined,
  contextTokens: undefined,
  contextParts: [],
  costUsd: undefined,
  todo: [],
  pending: undefined,
  retry: undefined,
  branch: undefined,
  hasAgents: false,
};
