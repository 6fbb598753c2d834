import type { ProviderRetry } from '../wire/events.ts';
import type { Usage } from '../wire/records.ts';
import type { CardItem, Cost, FileChange, Item } from './items.ts';

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

/** What the last request to the model was made of, in estimated tokens. */
export interface ContextParts {
  model: string;
  parts: readonly { id: string; tokens: number }[];
}

/** A conversation as its events tell it. A value: folding more events gives another one that shares what did not change. */
export interface Conversation {
  items: readonly Item[];
  /** Place of an item by `<kind>:<key>`. Shared between versions and only ever added to. */
  places: ReadonlyMap<string, number>;
  lastSequence: number;
  /** Turns begun. */
  turn: number;
  /** Sequence of the event that began the last one. */
  turnStart: number | undefined;
  /** Turns that the model no longer sees, because the person took them back. */
  hiddenTurns: readonly number[];
  isRunning: boolean;
  /** The turn is a command that the server answers by itself. */
  isAside: boolean;
  /** The stored part of the stream has been read to its end. */
  isReplayed: boolean;
  /** Totals of the last turn. */
  usage: Usage | undefined;
  cost: Cost;
  /** Of all turns so far. */
  totalCost: Cost;
  /** Tokens that the last request carried; undefined until one was measured. */
  contextTokens: number | undefined;
  context: ContextParts | undefined;
  retry: ProviderRetry | undefined;
  /** Request ids that wait for an answer, oldest first. */
  waiting: readonly string[];
  queue: MessageQueue;
  todo: readonly TodoEntry[];
  folder: string | undefined;
  branch: string | undefined;
  changes: readonly FileChange[];
  /** Grows whenever files may have changed on disk. */
  filesVersion: number;
}

export const NO_COST: Cost = { usd: 0, declared: 0, calls: 0 };

export const EMPTY: Conversation = {
  items: [],
  places: new Map(),
  lastSequence: -1,
  turn: 0,
  turnStart: undefined,
  hiddenTurns: [],
  isRunning: false,
  isAside: false,
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

/** Ends of turns, by key: of the one that can be taken back next, and of the one that can be put back next. */
export function undoPlaces({ items }: Conversation): { undo: string | undefined; redo: string | undefined } {
  let redo: string | undefined;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const item = items[place];
    if (item?.kind !== 'end') continue;
    if (!item.undone.files && !item.undone.chat) return { undo: item.key, redo };
    // Turns are taken back from the last one on: the earliest of them was the latest to go.
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
        ? { ...first, after: change.after, turn: change.turn, isUntold: first.isUntold || change.isUntold }
        : change,
    );
  }
  return [...files.values()].filter((change) => change.isUntold || change.before !== change.after);
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
