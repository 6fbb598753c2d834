import type {
  Ambient,
  DialectChoice,
  Editor,
  ModelClient,
  RuleVerdict,
  SeenFiles,
  SessionEvent,
  Tool,
  ToolAction,
  ToolSpec,
  TraceSpan,
  UsageState,
} from '@fucina/shared';
import type { CommandRunner } from '../commands/command-runner.ts';
import type { Processes } from '../commands/processes.ts';
import type { Compactions } from '../context/compaction.ts';
import type { Conversation } from '../context/conversation.ts';
import type { ChatImages } from '../context/images.ts';
import type { Dialect } from '../dialects/table.ts';
import type { Redirect, TurnMemory } from '../live-turn.ts';
import type { CardSlot } from '../permission/pending-card.ts';
import type { Journal } from '../store/journal.ts';
import type { AppendOptions, SessionRecord } from '../store/store.ts';
import type { FileChanges } from '../undo/file-changes.ts';
import type { TokenPrice } from '../usage/cost.ts';
import type { BudgetGate } from '../usage/usage.ts';

export type Offered = Promise<{ tools: readonly Tool[]; specs: readonly ToolSpec[] }>;

/** A call that asks something outside this computer, for the network policy. */
export interface ReachRequest {
  sessionId: string;
  folder: string;
  tool: string;
  /** The address that the model chose; absent for a service that the user configured. */
  url?: string;
  /** The user wrote the address, a tool found it, a rule allows it, or the level asks nothing. */
  isFree: boolean;
}

/** What the network policy says about a call. `host` is what an answer applies to; it may begin with `*.`. */
export type Reach =
  | { verdict: 'allow' }
  | { verdict: 'deny'; because: 'network-off' | 'rule' | 'tool' }
  | { verdict: 'ask'; host: string; port: number };

/** What a turn needs of the session's services, the policies and the host. */
export interface TurnNeeds {
  ambient: Ambient;
  journal: Journal;
  model: ModelClient;
  images: ChatImages;
  processes: Processes;
  compactions: Compactions;
  changes: FileChanges;
  /** Asks for what is not yet known of a model that is about to be called, its context size first. Never throws. */
  lookUp?(model: string): Promise<void>;
  /** The catalog's price of a model; null when unknown. */
  priceOf(model: string): TokenPrice | null;
  /** The model's view, rebuilt from the journal. */
  reread(record: SessionRecord): Conversation;
  /** The tools that this session currently offers its model. */
  offer(record: SessionRecord): Offered;
  isControlFile(path: string, folder: string): boolean | Promise<boolean>;
  /** The effect of the user's permission rules on a call in a folder, if any. */
  rule?(action: ToolAction, folder: string): Promise<RuleVerdict | undefined>;
  /** The network policy, for tools that ask something outside this computer. */
  reach?(request: ReachRequest): Promise<Reach>;
  /** Whether an ancestor of a sub-agent knows an address: what its own messages say was written by a model. */
  ancestorKnows(record: SessionRecord, address: string): boolean;
  /** True for a run of an automation that keeps the reach it had. */
  readsAnyAddress(record: SessionRecord): boolean;
  isTooWide?(folder: string): Promise<boolean>;
  /** Whether a command line shows that it sends something out, as `git push` does. */
  isSending?(line: string): Promise<boolean>;
  /** What an approval of a command line covers for the session, command by command; empty for the line alone. */
  commandPrefixes?(line: string): Promise<readonly string[]>;
  commands: Pick<CommandRunner, 'isSandboxed'>;
  hooks?: TurnHooks;
  /** Whether this is an automation run, or one of its sub-agents. */
  isUnattended(record: SessionRecord): boolean;
  /** Calls of the model for one answer; default MAX_TRIES. */
  modelTries?: number | undefined;
  /** The user's choice of dialects; default: by the family of each model. */
  dialects?: DialectChoice | undefined;
  /** The user's limits of use. */
  budget: BudgetGate;
  /** The editor connected to this session, or to its root. */
  editorOf(record: SessionRecord): Editor | undefined;
}

/** A tool call, as hooks see it. */
export interface HookCall {
  sessionId: string;
  /** Absolute folder of the session. */
  folder: string;
  toolCallId: string;
  name: string;
  input: unknown;
}

/** Hooks of a session's project, which may refuse. None of these rejects. */
export interface TurnHooks {
  /**
   * Before a call that the gate has allowed: the reason for the model why it may not run; undefined without an
   * objection.
   */
  beforeCall(call: HookCall, signal: AbortSignal): Promise<string | undefined>;
  afterCall(call: HookCall, result: { content: string; isError: boolean }, signal: AbortSignal): Promise<void>;
  /** Before the first step of a session. */
  sessionBegins(session: { sessionId: string; folder: string; assignment: string }, signal: AbortSignal): Promise<void>;
  /** After each turn. Resolves when they have ended. */
  turnOver(session: { sessionId: string; folder: string }): Promise<void>;
}

/** The one record of a running turn: every part of the loop, each call and each card receives it. */
export interface Turn extends Omit<TurnMemory, 'throughSeq'> {
  needs: TurnNeeds;
  record: SessionRecord;
  cardSlot: CardSlot;
  signal: AbortSignal;
  usage: UsageState;
  redirect: Redirect | undefined;
  /** Aborts the model's answer when the turn is stopped or a redirect comes; replaced once that is applied. */
  cut: AbortController;
  /** While the turn waits before a retry: ends the wait. */
  tryNow?: (() => void) | undefined;
  isFinishing: boolean;
  /** Of the turn, while traces are collected. */
  span: TraceSpan | undefined;
  contextBudget: {
    /** Of the last call, as reported by the provider. */
    lastPromptTokens: number;
    isWorking: boolean;
    /** A summary was stored that this turn does not use yet. */
    isReady: boolean;
  };
}

/** The calls of one answer: of the model, or of an external agent that runs its own loop. */
export interface CallScope {
  turn: Turn;
  tools: ReadonlyMap<string, Tool>;
  /** In which the caller knows the tools. */
  dialect: Dialect;
  signal: AbortSignal;
  /** The versions of files that the caller knows. */
  seen: SeenFiles;
  /** Commits results, not always at once. */
  appendResult(events: readonly SessionEvent[]): void;
}

/** True after a new instruction of the user: no further call is started. */
export function isCutShort({ redirect }: Turn): boolean {
  return redirect !== undefined;
}

/** The journal first, then the model's view: a failed write must not be remembered. */
export function append(
  { needs, record, conversation }: Pick<Turn, 'needs' | 'record' | 'conversation'>,
  events: readonly SessionEvent[],
  extras?: AppendOptions,
): void {
  const hasExtras = extras && Object.keys(extras).length > 0;
  if (!events.length && !hasExtras) return;
  const stored = needs.journal.append(record, events, extras);
  for (const [index, event] of events.entries()) conversation.apply(event, stored?.[index]?.seq ?? 0);
}

/** Longer than the model's request takes to leave. */
const RESULT_MS = 5;

/**
 * `append` for the results of calls: one without other events is committed and shown while the model reads it, at most
 * RESULT_MS later.
 */
export function appendResult(turn: Turn, events: readonly SessionEvent[]): void {
  if (events.some(({ type }) => type !== 'ToolCallResult')) return append(turn, events);
  turn.needs.journal.hold(turn.record, events, RESULT_MS);
  for (const event of events) turn.conversation.apply(event, 0);
}
