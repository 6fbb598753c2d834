import type { Question, ToolAction, UsageState } from './events.ts';

/** What one tool call did to one file; null: absent. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  turn: number;
  /** The file was too large for its events: neither text is known. */
  isTooLarge: boolean;
}

interface Row {
  /** Unique among its kind in the conversation, and stable. */
  key: string;
  turn: number;
}

/** When it began and ended: epoch ms, known only to readers of the journal. */
interface Timed {
  startedAt: number | undefined;
  endedAt: number | undefined;
}

/** A picture that the server keeps. */
export interface Picture {
  /** SHA-256. */
  id: string;
  name: string | undefined;
}

export interface UserItem extends Row {
  kind: 'person';
  text: string;
  images: readonly Picture[];
  /** By which the interface names the message; undefined while it is not part of the conversation. */
  reference: string | undefined;
  isRemoved: boolean;
  /** Of a message that steers the running turn: what became of it. */
  steer: 'asked' | 'applied' | 'cancelled' | 'failed' | undefined;
}

interface Prose extends Row, Timed {
  /** Markdown. */
  text: string;
  isOpen: boolean;
  isRemoved: boolean;
}

export interface TextItem extends Prose {
  kind: 'text';
}

export interface ReasoningItem extends Prose {
  kind: 'reasoning';
}

export type ProseItem = TextItem | ReasoningItem;

/** A command that continues after its call was answered. */
export interface Background {
  isRunning: boolean;
  by: 'persona' | 'tempo-scaduto' | 'modello' | undefined;
  /** null: ended by a signal, or lost. */
  exitCode: number | null;
}

/** How a call ended, as the model was answered. */
export interface ToolOutcome {
  content: string;
  durationMs: number | undefined;
  /** Of a command only. */
  command: string | undefined;
  cwd: string | undefined;
  stdout: string | undefined;
  stderr: string | undefined;
  exitCode: number | undefined;
  /** The tool refused or failed. */
  isFailed: boolean;
  /** The turn ended before the call was done. */
  isInterrupted: boolean;
  /** What held the command to its reach. */
  enforcement: string | undefined;
  images: readonly Picture[];
}

/** The end of what a command has printed, and how many lines before it were dropped. */
export interface Printed {
  output: string;
  droppedLines: number;
}

export interface ToolItem extends Row, Printed {
  kind: 'tool';
  name: string;
  /** JSON text, whole once `outcome` is there. */
  args: string;
  startedAt: number | undefined;
  /** Absent while it runs; `isOver` without an outcome: the turn ended first. */
  outcome: ToolOutcome | undefined;
  isOver: boolean;
  /** Whether the user was asked about it; `waiting`: it has not begun. */
  approval: ApprovalItem['state'] | undefined;
  changes: readonly FileChange[];
  background: Background | undefined;
  /** What it asks or shows is an item of its own. */
  hasCard: boolean;
}

/** A command that the user ran. */
export interface CommandItem extends Row, Timed, Printed {
  kind: 'command';
  command: string;
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

export const PLAN_DECISIONS = [
  'procedi-con-conferma',
  'procedi-accetta-modifiche',
  'conversazione-pulita',
  'continua-a-pianificare',
] as const;
export type PlanDecision = (typeof PLAN_DECISIONS)[number];

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

/** What the calls of one turn cost in dollars, as far as prices were stated. */
export interface Cost {
  usd: number;
  /** Calls with a price, of all that were made. */
  declared: number;
  calls: number;
}

export type TurnOutcome = 'done' | 'stopped' | 'exhausted' | 'interrupted' | 'failed';
export interface EndItem extends Row {
  kind: 'end';
  /** Sequence of the turn's beginning, by which the interface names it; undefined before it is kept. */
  start: number | undefined;
  /** What of the turn was reverted. */
  undone: { files: boolean; chat: boolean };
  outcome: TurnOutcome;
  message: string | undefined;
  /** What kind of failure of the model's call, in the interface's words. */
  failureClass: string | undefined;
  code: string | undefined;
  /** What the provider itself said of a call that failed: redacted and bounded. */
  providerMessage: string | undefined;
  usage: UsageState | undefined;
  cost: Cost;
  tools: number;
  /** What the user had asked in this turn. */
  request: string | undefined;
  /** Undefined where the times of events are not known. */
  durationMs: number | undefined;
  /** Files that the turn changed, each once. */
  changedFiles: number;
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

/** An interrupted turn was resumed without a message. */
export interface ResumedItem extends Row {
  kind: 'resumed';
}

/** A turn was reverted, or the revert was itself reverted. */
export interface UndoItem extends Row {
  kind: 'undo';
  isUndo: boolean;
  files: number;
  /** Files left as they are, because something else changed them since. */
  skipped: number;
}

export interface ArtifactItem extends Row {
  kind: 'artifact';
  title: string;
}

/** A workflow that this conversation proposed has ended, or needs attention. */
export interface WorkflowItem extends Row {
  kind: 'workflow';
  runId: string;
  title: string;
  /** The state of the run. */
  status: string;
}

/** One thing of a conversation, in the order in which things happened. */
export type Item =
  | UserItem
  | ProseItem
  | ToolItem
  | CommandItem
  | CardItem
  | EndItem
  | CompactionItem
  | FallbackItem
  | ModeItem
  | ResumedItem
  | UndoItem
  | WorkflowItem
  | ArtifactItem;
