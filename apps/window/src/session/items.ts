import type { ChatImage, ToolOutcome } from '../wire/events.ts';
import type { PlanDecision, Question, ToolAction, Usage } from '../wire/records.ts';

/** What one tool call did to one file; null: absent. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  turn: number;
  /** Too large to be told: neither text is known. */
  isUntold: boolean;
}

interface Row {
  /** Unique among its kind in the conversation, and stable. */
  key: string;
  turn: number;
}

export interface PersonItem extends Row {
  kind: 'person';
  text: string;
  images: readonly ChatImage[];
  /** By which the interface names the message; undefined while it is not part of the conversation. */
  reference: string | undefined;
  isRemoved: boolean;
  /** Of a correction: where it stands. */
  redirect: 'asked' | 'applied' | 'cancelled' | 'failed' | undefined;
}

export interface ProseItem extends Row {
  kind: 'text' | 'reasoning';
  text: string;
  isOpen: boolean;
  isRemoved: boolean;
}

/** A command that goes on after its call was answered. */
export interface Background {
  isRunning: boolean;
  by: 'persona' | 'tempo-scaduto' | 'modello' | undefined;
  /** null: ended by a signal, or lost. */
  exitCode: number | null;
}

export interface ToolItem extends Row {
  kind: 'tool';
  name: string;
  /** JSON text, whole once `isAsked`. */
  args: string;
  startedAt: number | undefined;
  /** The end of what the command has printed so far. */
  output: string;
  /** Absent while it runs; `isOver` without an outcome: the turn ended first. */
  outcome: ToolOutcome | undefined;
  isOver: boolean;
  /** What the person was asked about it and answered; `waiting`: it has not begun. */
  leave: ApprovalItem['state'] | undefined;
  changes: readonly FileChange[];
  background: Background | undefined;
}

/** A command that the person ran. */
export interface CommandItem extends Row {
  kind: 'command';
  command: string;
  output: string;
  isOver: boolean;
  /** Absent after a signal, or when it never started. */
  exitCode: number | undefined;
  enforcement: string | undefined;
  /** Why it never started. */
  error: string | undefined;
}

export interface ApprovalItem extends Row {
  kind: 'approval';
  action: ToolAction;
  state: 'waiting' | 'allowed' | 'denied' | 'gone';
  /** The call that was asked about, which then shows the answer itself. */
  call: string | undefined;
}

export interface QuestionItem extends Row {
  kind: 'question';
  questions: readonly Question[];
  state: 'waiting' | 'answered' | 'skipped' | 'cancelled' | 'expired';
  answers: Record<string, string | string[]>;
  notes: Record<string, string>;
  call: string | undefined;
}

export interface PlanItem extends Row {
  kind: 'plan';
  revision: number;
  hash: string;
  /** Markdown. */
  content: string;
  state: 'waiting' | 'approved' | 'changes-requested' | 'cancelled';
  decision: PlanDecision | undefined;
  feedback: string | undefined;
  newSessionId: string | undefined;
  call: string | undefined;
}

/** A server of the project asks, in the middle of a call. */
export interface ElicitationItem extends Row {
  kind: 'elicitation';
  server: string;
  message: string;
  /** JSON schema of what is asked for; absent where a page is to be opened. */
  form: unknown;
  url: string | undefined;
  state: 'waiting' | 'accept' | 'decline' | 'cancel';
}

export type CardItem = ApprovalItem | QuestionItem | PlanItem | ElicitationItem;

/** What the calls of one turn cost in dollars, as far as it was declared. */
export interface Cost {
  usd: number;
  /** Calls that declared a price, of all that were made. */
  declared: number;
  calls: number;
}

export type TurnOutcome = 'done' | 'stopped' | 'exhausted' | 'interrupted' | 'failed';
export interface EndItem extends Row {
  kind: 'end';
  /** Sequence of the turn's beginning, by which the interface names it; undefined before it is kept. */
  start: number | undefined;
  /** What of the turn was taken back. */
  undone: { files: boolean; chat: boolean };
  outcome: TurnOutcome;
  message: string | undefined;
  /** What kind of failure of the model's call, in the interface's words. */
  failureClass: string | undefined;
  code: string | undefined;
  /** What the provider itself said of a call that failed. */
  providerMessage: string | undefined;
  usage: Usage | undefined;
  cost: Cost;
  tools: number;
  /** What the person had asked in this turn. */
  request: string | undefined;
}

export interface CompactionItem extends Row {
  kind: 'compaction';
  state: 'running' | 'done' | 'failed' | 'undone';
  before: number | undefined;
  after: number | undefined;
  isUndoable: boolean;
}

/** Another model answers from here on. */
export interface FallbackItem extends Row {
  kind: 'fallback';
  from: string;
  to: string;
  /** A class of failure. */
  cause: string | undefined;
}

export interface ModeItem extends Row {
  kind: 'mode';
  isPlanning: boolean;
}

export interface ArtifactItem extends Row {
  kind: 'artifact';
  title: string;
}

/** A workflow that this conversation proposed has ended, or needs a look. */
export interface OutcomeItem extends Row {
  kind: 'outcome';
  runId: string;
  title: string;
  /** The state of the run. */
  status: string;
}

export type Item =
  | PersonItem
  | ProseItem
  | ToolItem
  | CommandItem
  | CardItem
  | EndItem
  | CompactionItem
  | FallbackItem
  | ModeItem
  | OutcomeItem
  | ArtifactItem;
