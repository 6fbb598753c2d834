import type { Answers, PlanCard, Question } from '../../one-shot/dialogue.ts';
import type { Notice } from '../workbench.ts';

/** One thing of a conversation, in the order in which things happened. An item never changes: it is replaced. */
export type Item =
  | PersonItem
  | AnswerItem
  | ReasoningItem
  | ToolItem
  | OwnCommandItem
  | QuestionsItem
  | PlanItem
  | EventItem
  | EndItem
  | ToldItem;

interface Row {
  /** Unique in the conversation, and stable. */
  key: string;
}

export interface PersonItem extends Row {
  kind: 'person';
  text: string;
  /** Names of the pictures that came along. */
  images: readonly string[];
  /** Of a correction of the running turn: what became of it. */
  steer?: 'asked' | 'applied' | 'cancelled' | 'failed';
  isRemoved?: boolean;
}

interface Prose extends Row {
  text: string;
  isOpen: boolean;
  startedAt: number;
  endedAt?: number;
  isRemoved?: boolean;
}

/** Markdown. */
export interface AnswerItem extends Prose {
  kind: 'answer';
}

export interface ReasoningItem extends Prose {
  kind: 'reasoning';
}

/** What a tool did to a file. Null: it was not there before, or is not any more. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  /** Too large to be told: neither text is known. */
  isUntold: boolean;
}

export interface ToolOutcome {
  content: string;
  durationMs: number | undefined;
  isCommand: boolean;
  exitCode: number | undefined;
  isFailed: boolean;
  /** The turn ended before the call was done. */
  isInterrupted?: boolean;
}

export interface ToolItem extends Row {
  kind: 'tool';
  tool: string;
  /** JSON text, whole once `outcome` is there. */
  args: string;
  startedAt: number;
  /** The end of what it has printed, and how many lines before it were let go. */
  output: string;
  droppedLines: number;
  outcome?: ToolOutcome;
  /** Without an outcome: the turn ended first. */
  isOver: boolean;
  leave?: 'waiting' | 'allowed' | 'denied';
  changes: readonly FileChange[];
  /** It goes on after its call was answered. */
  background?: { isRunning: boolean; exitCode: number | null };
  /** What it asks or shows is an item of its own. */
  hasCard?: true;
}

export interface OwnCommandItem extends Row {
  kind: 'own';
  command: string;
  startedAt: number;
  endedAt?: number;
  output: string;
  droppedLines: number;
  isOver: boolean;
  exitCode?: number;
  /** Why it never started. */
  problem?: string;
}

export interface QuestionsItem extends Row {
  kind: 'questions';
  questions: readonly Question[];
  status: 'open' | 'answered' | 'skipped' | 'cancelled' | 'expired';
  answers: Answers;
}

export interface PlanItem extends Row {
  kind: 'plan';
  content: string;
  hash: string;
  status: PlanCard['status'];
  feedback?: string;
}

/** Something that happened to the conversation itself. */
export interface EventItem extends Row {
  kind: 'event';
  event: ConversationEvent;
}

export type ConversationEvent =
  | { name: 'compaction'; state: 'running' | 'done' | 'failed' | 'undone'; before?: number; after?: number }
  | { name: 'fallback'; from: string; to: string }
  | { name: 'mode'; isPlanning: boolean }
  | { name: 'resumed' }
  | { name: 'undo'; isUndo: boolean; files: number; skipped: number }
  | { name: 'workflow'; title: string; status: string }
  | { name: 'artifact'; title: string }
  /** A server of the project asked the person. */
  | { name: 'elicitation'; server: string; message: string; state: 'waiting' | 'accept' | 'decline' | 'cancel' };

export type TurnEnd = 'finished' | 'stopped' | 'steps-used-up' | 'interrupted' | 'error';

export interface EndItem extends Row {
  kind: 'end';
  outcome: TurnEnd;
  code?: string;
  message?: string;
  failureClass?: string;
  /** What the provider itself said: redacted and bounded. */
  providerMessage?: string;
  durationMs: number;
  tokens: number | undefined;
  changedFiles: number;
}

/** Said by the tool itself: on this screen only. */
export interface ToldItem extends Row {
  kind: 'told';
  notice: Notice;
}
