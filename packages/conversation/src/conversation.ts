import type { UsageState } from './events.ts';
import type { CardItem, Cost, FileChange, Item, ToolItem } from './items.ts';

export interface QueuedMessage {
  id: string;
  text: string;
  /** How many pictures go with it. */
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

/** What the last request to the model was made of. */
export interface ContextParts {
  model: string;
  parts: readonly ContextPart[];
}

/** A call to the model that is made again after a while. */
export interface Retry {
  /** `sending`: it is being made now. */
  phase: 'waiting' | 'sending';
  attempt: number;
  maxAttempts: number;
  waitMs: number;
  /** Epoch ms; null where the provider named no time. */
  at: number | null;
}

/** A conversation as its events give it. A value: folding more events gives another one that shares what did not change. */
export interface Conversation {
  items: readonly Item[];
  /** Place of an item by `<kind>:<key>`. Shared between versions and only ever added to. */
  places: ReadonlyMap<string, number>;
  /** Number of the last event; 0 before the first. */
  lastSequence: number;
  /** Turns begun. */
  turn: number;
  /** Sequence of the event that began the last one. */
  turnStart: number | undefined;
  /** When it began: epoch ms, known only to readers of the journal. */
  turnStartedAt: number | undefined;
  /** Turns that the model no longer sees, because the user reverted them. */
  hiddenTurns: readonly number[];
  isRunning: boolean;
  /** The turn is a command that the server answers by itself. */
  isLocalTurn: boolean;
  /** The stored part of the stream has been read to its end. */
  isReplayed: boolean;
  /** Totals of the last turn. */
  usage: UsageState | undefined;
  cost: Cost;
  /** Of all turns so far. */
  totalCost: Cost;
  /** What the model's context holds now: measured by the provider where it reports it, else estimated. */
  contextTokens: number | undefined;
  context: ContextParts | undefined;
  retry: Retry | undefined;
  /** Request ids that wait for an answer, oldest first. */
  waiting: readonly string[];
  queue: MessageQueue;
  todo: readonly TodoEntry[];
  folder: string | undefined;
  branch: string | undefined;
  changes: readonly FileChange[];
  /** Agents were started in this conversation. */
  hasAgents: boolean;
  /** Grows whenever files may have changed on disk. */
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

/** The calls of the running turn that were not answered yet, in their order. */
export function openCalls({ items, turn }: Conversation): ToolItem[] {
  const open: ToolItem[] = [];
  for (let place = items.length - 1; place >= 0 && items[place]?.turn === turn; place -= 1) {
    const item = items[place];
    if (item?.kind === 'tool' && !item.isOver) open.unshift(item);
  }
  return open;
}

/** Ends of turns, by key: of the one that can be undone next, and of the one that can be redone next. */
export function undoPlaces({ items }: Conversation): { undo: string | undefined; redo: string | undefined } {
  let redo: string | undefined;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const item = items[place];
    if (item?.kind !== 'end') continue;
    if (!item.undone.files && !item.undone.chat) return { undo: item.key, redo };
    // Turns are undone from the last one on: the earliest of them was the latest to go.
    redo = item.key;
  }
  return { undo: undefined, redo };
}

/** From the first state to the last of each file, in the order they were first touched; files that came back as they were are left out. */
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

/** The string fields of a tool's arguments, also of JSON that is still being written. */
export function readArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not whole yet: take the fields whose strings are already closed, from the beginning only.
  }
  const fields: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.slice(0, 2_000).matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    try {
      fields[name] = JSON.parse(value);
    } catch {
      // An escape cut in the middle: the next frame has the rest.
    }
  }
  return fields;
}
