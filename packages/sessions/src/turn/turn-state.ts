import type {
  Ambient,
  Editor,
  ModelClient,
  RuleVerdict,
  SessionEvent,
  Tool,
  ToolAction,
  ToolSpec,
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
import type { TokenPrice } from './cost.ts';
import type { Redirect, TurnMemory } from './live-turn.ts';
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
  /** What the catalog states of a model; null where nobody does. */
  priceOf(model: string): TokenPrice | null;
  /** The model's view, read again from the journal. */
  reread(record: SessionRecord): Conversation;
  /** What this session offers its model now. */
  offer(record: SessionRecord): Offered;
  isControlFile(path: string, folder: string): boolean | Promise<boolean>;
  /** What the user's standing rules say of a call in a folder, if anything. */
  rule?(action: ToolAction, folder: string): Promise<RuleVerdict | undefined>;
  isTooWide?(folder: string): Promise<boolean>;
  commands: Pick<CommandRunner, 'isSandboxed'>;
  hooks?: TurnHooks;
  /** Whether this is the run of an automation, or an agent of one. */
  isUnattended(record: SessionRecord): boolean;
  /** The editor that is connected to this session, or to the one it was started from. */
  editorOf(record: SessionRecord): Editor | undefined;
}

export interface TurnState extends Omit<TurnMemory, 'throughSeq'> {
  needs: TurnNeeds;
  record: SessionRecord;
  cardSlot: CardSlot;
  signal: AbortSignal;
  usage: UsageState;
  redirect: Redirect | undefined;
  /** Aborts what the model is saying when a redirect comes; a new one once it is applied. */
  cut: AbortController;
  isFinishing: boolean;
  contextBudget: {
    /** Of the last call, as the provider counted them. */
    lastPromptTokens: number;
    isWorking: boolean;
    /** A summary was saved that this turn does not use yet. */
    isReady: boolean;
    /** The model's own window was too small once in this turn. */
    hasShrunk: boolean;
  };
}

/** The journal first, then the model's view of it: a write the disk refused must not be remembered. */
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
