import type { UsageState } from './events.ts';
import type { CardItem, Cost, FileChange, Item, ToolItem } from './items.ts';
import { argumentName, isOwnTool } from './tools.ts';

export interface QueuedMessage {
  id: string;
  text: string;
  /** How many images are attached. */
  images: number;
}

export interface MessageQueue {
  messages: readonly QueuedMessage[];
  isPaused: boolean;
}

export interface TodoEntry {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** A share of the last request to the model, in estimated tokens. */
export interface ContextPart {
  id: string;
  tokens: number;
}

/** The parts of the last request to the model. */
export interface ContextParts {
  model: string;
  parts: readonly ContextPart[];
}

/** A model call that will be retried after a pause. */
export interface Retry {
  /** `sending`: the retry is in progress. */
  phase: 'waiting' | 'sending';
  /** Why the call before failed: too many requests, no answer in time, or a failure of the provider or the connection. */
  cause: 'busy' | 'late' | 'failed';
  attempt: number;
  maxAttempts: number;
  waitMs: number;
  /** Epoch ms; null where the provider named no time. */
  at: number | null;
}

/**
 * A conversation computed from its events. Immutable: folding more events returns a new value that shares what did not
 * change.
 */
export interface Conversation {
  items: readonly Item[];
  /** Index of an item by `<kind>:<key>`. Shared between versions and append-only. */
  places: ReadonlyMap<string, number>;
  /** Number of the last event; 0 before the first. */
  lastSequence: number;
  /** Number of turns started. */
  turn: number;
  /** Sequence of the event that started the last turn. */
  turnStart: number | undefined;
  /** When it started: epoch ms, known only to readers of the journal. */
  turnStartedAt: number | undefined;
  /** Turns hidden from the model because the user reverted them. */
  hiddenTurns: readonly number[];
  isRunning: boolean;
  /** The turn is a command that the server answered itself. */
  isLocalTurn: boolean;
  /** The stored part of the stream has been read to its end. */
  isReplayed: boolean;
  /** Totals of the last turn. */
  usage: UsageState | undefined;
  cost: Cost;
  /** Totals of all turns so far. */
  totalCost: Cost;
  /** The current context size: measured by the provider if it reports it, else estimated. */
  contextTokens: number | undefined;
  context: ContextParts | undefined;
  retry: Retry | undefined;
  /** Pending request ids, oldest first. */
  waiting: readonly string[];
  queue: MessageQueue;
  todo: readonly TodoEntry[];
  folder: string | undefined;
  branch: string | undefined;
  changes: readonly FileChange[];
  /** Whether sub-agents were started in this conversation. */
  hasAgents: boolean;
  /** Increases whenever files may have changed on disk. */
  filesVersion: number;
}

export const NO_COST: Cost = { usd: 0, declared: 0, calls: 0 };

export const EMPTY: Conversation = {
  items: [],
  places: new Map(),
  lastSequence: 0,
  turn: 0,
  turnStart: undefined,
  turnStartedAt: undefined,
  hiddenTurns: [],
  isRunning: false,
  isLocalTurn: false,
  isReplayed: false,
  usage: undefined,
  cost: NO_COST,
  totalCost: NO_COST,
  contextTokens: undefined,
  context: undefined,
  retry: undefined,
  waiting: [],
  queue: { messages: [], isPaused: false },
  todo: [],
  folder: undefined,
  branch: undefined,
  changes: [],
  hasAgents: false,
  filesVersion: 0,
};

const CARDS = ['approval', 'question', 'plan', 'elicitation'] as const;

/** The card of a request, answered or not. */
export function cardOf({ items, places }: Conversation, requestId: string | undefined): CardItem | undefined {
  for (const kind of CARDS) {
    const item = items[places.get(`${kind}:${requestId}`) ?? -1];
    if (item && CARDS.some((card) => card === item.kind)) return item as CardItem;
  }
  return undefined;
}

export function findItem<Kind extends Item['kind']>(
  { items, places }: Conversation,
  kind: Kind,
  key: string,
): Extract<Item, { kind: Kind }> | undefined {
  const item = items[places.get(`${kind}:${key}`) ?? -1];
  return item?.kind === kind ? (item as Extract<Item, { kind: Kind }>) : undefined;
}

/** The unanswered calls of the running turn, in order. */
export function openCalls({ items, turn }: Conversation): ToolItem[] {
  const open: ToolItem[] = [];
  for (let place = items.length - 1; place >= 0 && items[place]?.turn === turn; place -= 1) {
    const item = items[place];
    if (item?.kind === 'tool' && !item.isOver) open.unshift(item);
  }
  return open;
}

/** Ends of turns, by key: of the turn that can be undone next, and of the one that can be redone next. */
export function undoPlaces({ items }: Conversation): { undo: string | undefined; redo: string | undefined } {
  let redo: string | undefined;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const item = items[place];
    if (item?.kind !== 'end') continue;
    if (!item.undone.files && !item.undone.chat) return { undo: item.key, redo };
    // Turns are undone from the last one backwards: the earliest undone turn was undone last.
    redo = item.key;
  }
  return { undo: undefined, redo };
}

/**
 * From the first to the last state of each file, in the order in which they were first touched; files with no net
 * change are left out.
 */
export function netChanges(changes: readonly FileChange[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const change of changes) {
    const first = files.get(change.path);
    files.set(
      change.path,
      first
        ? { ...first, after: change.after, turn: change.turn, isTooLarge: first.isTooLarge || change.isTooLarge }
        : change,
    );
  }
  return [...files.values()].filter((change) => change.isTooLarge || change.before !== change.after);
}

/** The arguments of a call, those of our own tools in English. Only closed strings while the JSON is still streaming. */
export function readArguments({ name, args }: Pick<ToolItem, 'name' | 'args'>): Record<string, unknown> {
  const fields = fieldsOf(args);
  if (!isOwnTool(name)) return fields;
  const named = Object.entries(fields).map(([field, value]) => [argumentName(field), value]);
  return Object.fromEntries(named);
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Incomplete JSON: takes the fields whose strings are already closed.
  }
  const fields: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.slice(0, 2_000).matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    try {
      fields[name] = JSON.parse(value);
    } catch {
      // An escape sequence cut in the middle; the next frame completes it.
    }
  }
  return fields;
}
