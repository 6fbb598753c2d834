import type {
  Ambient,
  Editor,
  ModelClient,
  RuleVerdict,
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
import type { Journal } from '../store/journal.ts';
import type { AppendOptions, SessionRecord } from '../store/store.ts';
import type { FileChanges } from '../undo/file-changes.ts';
import type { BudgetGate } from '../usage/usage.ts';
import type { TokenPrice } from './cost.ts';
import type { Redirect, TurnMemory } from './live-turn.ts';
import type { Reach, ReachRequest } from './network-reach.ts';
import type { CardSlot } from './pending-card.ts';
import type { TurnHooks } from './turn-hooks.ts';

export type Offered = Promise<{ tools: readonly Tool[]; specs: readonly ToolSpec[] }>;

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
  /** The user's limits of use. */
  budget: BudgetGate;
  /** The editor connected to this session, or to its root. */
  editorOf(record: SessionRecord): Editor | undefined;
}

export interface TurnState extends Omit<TurnMemory, 'throughSeq'> {
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

/** The journal first, then the model's view: a failed write must not be remembered. */
export function append(
  { needs, record, conversation }: Pick<TurnState, 'needs' | 'record' | 'conversation'>,
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
 * The same for the results of calls; one without other events is committed and shown while the model reads it, at most
 * RESULT_MS later.
 */
export function appendResult(state: TurnState, events: readonly SessionEvent[]): void {
  if (events.some(({ type }) => type !== 'ToolCallResult')) return append(state, events);
  state.needs.journal.hold(state.record, events, RESULT_MS);
  for (const event of events) state.conversation.apply(event, 0);
}
