import type { Question } from '@fucina/conversation';
import type { ElicitationAnswer, MessageQueue, Services } from '@fucina/host';
import type { OperatingMode, ReasoningChoice, SelectablePermissionLevel } from '@fucina/shared';
import type { AskedAction } from '../asked-action.ts';
import type { RunProgram } from '../command-facts.ts';
import type { Config } from '../config/config.ts';
import type { Elicitation } from '../forms/elicitation.ts';
import type { DialogueAnswers, PlanChoice } from '../one-shot/dialogue.ts';
import type { HostChoice } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';
import type { Keymap } from './input/keymap.ts';
import type { Line } from './line.ts';

/** A message from the composer. */
export interface Message {
  text: string;
  /** Pasted or named images, already uploaded. */
  images: readonly { id: string; name: string }[];
}

/** How a message is delivered during a turn. */
export type BusyInput = 'queue' | 'steer' | 'interrupt';

/** A pending card; the turn waits for its answer. */
export type OpenRequest = {
  /** The task of the sub-agent that asks; absent for the conversation's own agent. */
  agentTask?: string;
} & (
  | {
      kind: 'approval';
      requestId: string;
      action: AskedAction;
      folder: string;
      /** The file's current text: null when it does not exist, undefined when it cannot be shown. */
      before: string | null | undefined;
    }
  | { kind: 'questions'; requestId: string; questions: readonly Question[] }
  | { kind: 'plan'; requestId: string; hash: string; content: string }
  | ({ kind: 'elicitation' } & Elicitation)
);

export type ApprovalChoice = 'once' | 'session' | 'always' | 'everywhere' | 'deny-once' | 'deny-always';

export type RequestAnswer =
  | { kind: 'approval'; choice: ApprovalChoice }
  /** Without answers the agent decides. */
  | { kind: 'questions'; answers: DialogueAnswers | undefined }
  /** Without a choice the turn stops and the plan stays pending. */
  | { kind: 'plan'; choice: PlanChoice | undefined }
  | { kind: 'elicitation'; answer: ElicitationAnswer };

export interface SessionChoice {
  model: string | null;
  effort: ReasoningChoice['effort'] | undefined;
  level: SelectablePermissionLevel | 'Research';
  mode: OperatingMode;
  /** Requests for approval are denied: the mode `dontAsk`. It belongs to this screen, not to the session. */
  isUnattended: boolean;
}

/** How full the model's context is. */
export interface ContextUse {
  /** Undefined before the first model call. */
  usedTokens: number | undefined;
  /** Estimated shares, which add up to `usedTokens`. */
  parts: readonly { id: string; tokens: number }[];
  /** Undefined until it is known. */
  window: ContextWindow | undefined;
}

export interface ContextWindow {
  tokens: number;
  /** Unknown to the provider and the settings: compaction assumes this size. */
  isAssumed: boolean;
  /** Automatic compaction starts at this size. */
  triggerTokens: number;
}

/** The conversation on the screen: its state and its actions. */
export interface Conversation {
  /** Undefined until the first message, or custom command. */
  sessionId(): string | undefined;
  isBusy(): boolean;
  choice(): SessionChoice;
  queue(): MessageQueue;
  context(): ContextUse;
  /** The same, with the currently reported context size. */
  readContext(): Promise<ContextUse>;
  request(): OpenRequest | undefined;
  /** The first message starts the session. During a turn `how` decides; default: the setting `ui.busyInput`. */
  say(message: Message, how?: BusyInput): Promise<void>;
  /** A user's shell command beside the turn. Before the first message it starts the session without a turn. */
  runOwn(command: string): Promise<void>;
  /** Stops the running turn. If none runs yet, cancels messages being sent and returns them. */
  stop(): Promise<string | undefined>;
  /** Ends the wait before a retry of the model. False when there is none here. */
  tryNow(): boolean;
  respond(answer: RequestAnswer): Promise<void>;
  /** Applies to this session, or to the next one. */
  change(patch: Partial<Omit<SessionChoice, 'level'>> & { level?: SelectablePermissionLevel }): Promise<void>;
  /** Switches to another conversation; this one stays unchanged. */
  open(sessionId: string): Promise<void>;
  /** The next message starts a new one. */
  leave(): Promise<void>;
}

/** One row of a picker. */
export interface PickerRow<Value> {
  value: Value;
  label: string;
  /** Shown muted, at the right or below. */
  detail?: string;
  isCurrent?: boolean;
}

export interface PickerRequest<Value> {
  title: string;
  /** Undefined while they load; loaded once. */
  rows: Promise<readonly PickerRow<Value>[]>;
  choose(value: Value): void | Promise<void>;
}

/** Output of the command line itself: on the screen only, not in the journal. */
export interface Notice {
  title?: string;
  tone: 'info' | 'success' | 'warning' | 'danger';
  /** Markdown if it is a string. */
  body: string | readonly Line[];
}

/** What slash commands, pickers and panels may use of the whole screen. */
export interface Workbench {
  services: Services;
  terminal: Terminal;
  config: Config;
  /** The project folder, absolute. */
  dir: string;
  /** The flags about the data folder. */
  host: HostChoice;
  keymap: Keymap;
  conversation: Conversation;
  tell(notice: Notice): void;
  pick<Value>(request: PickerRequest<Value>): void;
  /** A page closed with Esc: help, a diff, the whole text of a card. */
  page(title: string, lines: (width: number) => readonly Line[]): void;
  /** Inserts a text into the composer. */
  compose(text: string): void;
  /** Runs a program that needs the whole terminal (an editor), then redraws. */
  suspend<Result>(use: () => Promise<Result>): Promise<Result>;
  /** Redraws everything. */
  redraw(): void;
  exit(): void;
  /** Runs a command of the command line in this process. */
  runProgram: RunProgram;
}
