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

/** What a user says, as the composer hands it over. */
export interface Message {
  text: string;
  /** Pictures pasted or named, uploaded already. */
  images: readonly { id: string; name: string }[];
}

/** What becomes of a message while a turn runs. */
export type BusyInput = 'queue' | 'steer' | 'interrupt';

/** A card that waits for the user; the turn rests until it is answered. */
export type OpenRequest = {
  /** What the agent that asks was given to do; absent when the conversation's own agent asks. */
  agentTask?: string;
} & (
  | {
      kind: 'approval';
      requestId: string;
      action: AskedAction;
      folder: string;
      /** The file's present text: null when there is none, undefined when it cannot be shown. */
      before: string | null | undefined;
    }
  | { kind: 'questions'; requestId: string; questions: readonly Question[] }
  | { kind: 'plan'; requestId: string; hash: string; content: string }
  | ({ kind: 'elicitation' } & Elicitation)
);

export type ApprovalChoice = 'once' | 'session' | 'always' | 'deny-once' | 'deny-always';

export type RequestAnswer =
  | { kind: 'approval'; choice: ApprovalChoice }
  /** Without answers they are left to the agent. */
  | { kind: 'questions'; answers: DialogueAnswers | undefined }
  /** Without a choice the turn stops and the plan stays what it is. */
  | { kind: 'plan'; choice: PlanChoice | undefined }
  | { kind: 'elicitation'; answer: ElicitationAnswer };

export interface SessionChoice {
  model: string | null;
  effort: ReasoningChoice['effort'] | undefined;
  level: SelectablePermissionLevel | 'Research';
  mode: OperatingMode;
  /** What would be asked is denied: the mode `dontAsk`. Of this screen, not of the session. */
  isUnattended: boolean;
}

/** How full the model's window is. */
export interface ContextUse {
  /** Undefined before the first call of the model. */
  usedTokens: number | undefined;
  /** Estimated shares, which add up to `usedTokens`. */
  parts: readonly { id: string; tokens: number }[];
  /** Undefined until it is known. */
  window: ContextWindow | undefined;
}

export interface ContextWindow {
  tokens: number;
  /** Neither the provider nor the settings state it: compaction assumes this size. */
  isAssumed: boolean;
  /** From here on the conversation is compacted by itself. */
  triggerTokens: number;
}

/** The conversation on the screen: its facts for whoever draws, and its acts. */
export interface Conversation {
  /** Undefined until the first message, or command of the user's own. */
  sessionId(): string | undefined;
  isBusy(): boolean;
  choice(): SessionChoice;
  queue(): MessageQueue;
  context(): ContextUse;
  /** The same, with the window as it is stated now. */
  readContext(): Promise<ContextUse>;
  request(): OpenRequest | undefined;
  /** The first message begins the session. While a turn runs `how` decides; default: the setting `ui.busyInput`. */
  say(message: Message, how?: BusyInput): Promise<void>;
  /** A command of the user's own, beside the turn. Before the first message it begins the session, and no turn. */
  runOwn(command: string): Promise<void>;
  /** Ends the running turn. Where none runs yet, words on their way to one are called off and answered. */
  stop(): Promise<string | undefined>;
  respond(answer: RequestAnswer): Promise<void>;
  /** Holds for this session, or for the one that begins next. */
  change(patch: Partial<Omit<SessionChoice, 'level'>> & { level?: SelectablePermissionLevel }): Promise<void>;
  /** Leaves this conversation as it is and shows that one. */
  open(sessionId: string): Promise<void>;
  /** The next message begins a new one. */
  leave(): Promise<void>;
}

/** One line of a picker. */
export interface PickerRow<Value> {
  value: Value;
  label: string;
  /** Muted, at the right or below. */
  detail?: string;
  isCurrent?: boolean;
}

export interface PickerRequest<Value> {
  title: string;
  /** Undefined while they are read; asked once. */
  rows: Promise<readonly PickerRow<Value>[]>;
  choose(value: Value): void | Promise<void>;
}

/** Something said by the tool itself: on the screen only, not in the journal. */
export interface Notice {
  title?: string;
  tone: 'info' | 'success' | 'warning' | 'danger';
  /** Markdown when it is a text. */
  body: string | readonly Line[];
}

/** What slash commands, pickers and panels may ask of the whole screen. */
export interface Workbench {
  services: Services;
  terminal: Terminal;
  config: Config;
  /** The project folder, absolute. */
  dir: string;
  /** What the flags say of the data folder. */
  host: HostChoice;
  keymap: Keymap;
  conversation: Conversation;
  tell(notice: Notice): void;
  pick<Value>(request: PickerRequest<Value>): void;
  /** A page to read and leave with Esc: help, a difference, the whole text of a card. */
  page(title: string, lines: (width: number) => readonly Line[]): void;
  /** Puts a text into the composer. */
  compose(text: string): void;
  /** Runs a program that needs the terminal for itself (an editor), then draws again. */
  suspend<Result>(use: () => Promise<Result>): Promise<Result>;
  /** Draws everything again, from nothing. */
  redraw(): void;
  exit(): void;
  /** A command of the command line, in this process. */
  runProgram: RunProgram;
}
