import type { Question, ToolAction, UsageState } from './events.ts';

/** The change of one file by one tool call; null: absent. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  turn: number;
  /** The file was too large for its events: neither text is available. */
  isTooLarge: boolean;
}

interface Row {
  /** Unique among its kind in the conversation, and stable. */
  key: string;
  turn: number;
}

/** Start and end: epoch ms, known only to readers of the journal. */
interface Timed {
  startedAt: number | undefined;
  endedAt: number | undefined;
}

/** An image stored by the server. */
export interface Picture {
  /** SHA-256. */
  id: string;
  name: string | undefined;
}

/** Audio or a PDF stored by the server. */
export interface StoredMedia {
  /** SHA-256. */
  id: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
}

export interface UserItem extends Row {
  kind: 'user';
  text: string;
  images: readonly Picture[];
  /** The message id of the interface; undefined while it is not part of the conversation. */
  reference: string | undefined;
  isRemoved: boolean;
  /** Outcome of a message that steers the running turn. */
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

/** A command that continues after its call returned. */
export interface Background {
  isRunning: boolean;
  by: 'user' | 'timed-out' | 'model' | undefined;
  /** null: ended by a signal, or unknown. */
  exitCode: number | null;
}

/** How a call ended, as reported to the model. */
export interface ToolOutcome {
  content: string;
  durationMs: number | undefined;
  /** Only for a command. */
  command: string | undefined;
  cwd: string | undefined;
  stdout: string | undefined;
  stderr: string | undefined;
  exitCode: number | undefined;
  /** The tool refused or failed. */
  isFailed: boolean;
  /** The turn ended before the call did. */
  isInterrupted: boolean;
  /** How the command was sandboxed. */
  enforcement: string | undefined;
  images: readonly Picture[];
  /** Audio and PDF. */
  media: readonly StoredMedia[];
}

/** The end of a command's output, and how many lines before it were dropped. */
export interface Printed {
  output: string;
  droppedLines: number;
}

export interface ToolItem extends Row, Printed {
  kind: 'tool';
  name: string;
  /** JSON text, complete once `outcome` is present. */
  args: string;
  /** Of a call that waited for others: when it began, or an estimate of it. */
  startedAt: number | undefined;
  /** The answer of the model that contains it; undefined: it began when it was announced. */
  answer: string | undefined;
  /** It has not begun: other calls of the answer run first. */
  isQueued: boolean;
  /** Absent while it runs; `isOver` without an outcome: the turn ended first. */
  outcome: ToolOutcome | undefined;
  isOver: boolean;
  /** Whether it needed approval; `waiting`: it has not started. */
  approval: ApprovalItem['state'] | undefined;
  changes: readonly FileChange[];
  background: Background | undefined;
  /** Its request is shown as a separate item. */
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
  /** Why it did not start. */
  error: string | undefined;
}

export interface ApprovalItem extends Row {
  kind: 'approval';
  action: ToolAction;
  state: 'waiting' | 'allowed' | 'denied' | 'gone';
  /** The call that needed the approval; it shows the answer itself. */
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

export const PLAN_DECISIONS = ['ask-before-edits', 'accept-edits', 'new-conversation', 'keep-planning'] as const;
export type PlanDecision = (typeof PLAN_DECISIONS)[number];

/** An MCP server of the project asks the user during a call. */
export interface ElicitationItem extends Row {
  kind: 'elicitation';
  server: string;
  message: string;
  /** JSON schema of the requested input; absent when a page is to be opened. */
  form: unknown;
  url: string | undefined;
  /** The server wants to ask this model; `message` is all that the model would get. */
  sampling: { model: string; maxTokens: number } | undefined;
  state: 'waiting' | 'accept' | 'decline' | 'cancel';
}

export type CardItem = ApprovalItem | QuestionItem | PlanItem | ElicitationItem;

/** Cost of the calls of one turn in dollars, where prices are known. */
export interface Cost {
  usd: number;
  /** Calls with a known price, out of all calls. */
  declared: number;
  calls: number;
}

export type TurnOutcome = 'done' | 'stopped' | 'exhausted' | 'interrupted' | 'failed';
export interface EndItem extends Row {
  kind: 'end';
  /** Sequence of the turn's first event, its id in the interface; undefined before it is stored. */
  start: number | undefined;
  /** What of the turn was reverted. */
  undone: { files: boolean; chat: boolean };
  outcome: TurnOutcome;
  message: string | undefined;
  /** Kind of failure of the model call, in the interface's words. */
  failureClass: string | undefined;
  code: string | undefined;
  /** The provider's own message about a failed call, redacted and truncated. */
  providerMessage: string | undefined;
  usage: UsageState | undefined;
  cost: Cost;
  tools: number;
  /** The user's message of this turn. */
  request: string | undefined;
  /** Undefined where event times are unknown. */
  durationMs: number | undefined;
  /** Files changed by the turn, each once. */
  changedFiles: number;
}

export interface CompactionItem extends Row {
  kind: 'compaction';
  state: 'running' | 'done' | 'failed' | 'undone';
  before: number | undefined;
  after: number | undefined;
  isUndoable: boolean;
}

/** The model changed here. */
export interface FallbackItem extends Row {
  kind: 'fallback';
  from: string;
  to: string;
  /** A failure class. */
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
  /** Files left unchanged because something else modified them since. */
  skipped: number;
}

export interface ArtifactItem extends Row {
  kind: 'artifact';
  title: string;
}

/** A workflow proposed in this conversation has ended or needs attention. */
export interface WorkflowItem extends Row {
  kind: 'workflow';
  runId: string;
  title: string;
  /** The state of the run. */
  status: string;
}

/** One item of a conversation, in chronological order. */
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
