import type { Item } from './items.ts';
import { type ConversationState, EMPTY_STATE, type PendingCard } from './state.ts';

type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;

/** The state while events are taken in; `items` is a list of its own, whose items are replaced, never written. */
export type Draft = { -readonly [Field in keyof ConversationState]: ConversationState[Field] } & {
  items: Item[];
  /** What servers of the project ask in the middle of a call, the oldest first: several may, each before all else. */
  elicitations: PendingCard[];
  /** Where an item is, by its key. */
  places: Map<string, number>;
  /** Files that the running turn has changed. */
  changedFiles: Set<string>;
  /** Cumulative prompt tokens of the running turn. */
  promptTokens: number;
  /** The running turn is a command that is answered without the model. */
  isAside: boolean;
  /** Place of the first item of the running turn. */
  turnPlace: number;
  /** Old waits for a provider are no news. */
  isReplayed: boolean;
};

export function newDraft(): Draft {
  return {
    ...EMPTY_STATE,
    items: [],
    elicitations: [],
    places: new Map(),
    changedFiles: new Set(),
    promptTokens: 0,
    isAside: false,
    turnPlace: 0,
    isReplayed: false,
  };
}

export function add(draft: Draft, item: Item): void {
  draft.places.set(item.key, draft.items.length);
  draft.items.push(item);
}

/** Undefined when there is none of that kind. */
export function find<Kind extends Item['kind']>(draft: Draft, kind: Kind, key: string): ItemOf<Kind> | undefined {
  const item = draft.items[draft.places.get(key) ?? -1];
  return item?.kind === kind ? (item as ItemOf<Kind>) : undefined;
}

/** Puts a changed item in the place of the present one; nothing when there is none. */
export function change<Kind extends Item['kind']>(
  draft: Draft,
  item: ItemOf<Kind> | undefined,
  changes: Partial<Omit<ItemOf<Kind>, 'kind' | 'key'>>,
): void {
  if (!item) return;
  const place = draft.places.get(item.key);
  if (place !== undefined) draft.items[place] = { ...item, ...changes };
}

/** A key of its own for what the journal does not name. */
export function keyAt(seq: number): string {
  return `#${seq}`;
}

/** The items of the running turn, newest first. */
export function* ofThisTurn(draft: Draft): Generator<Item> {
  for (let place = draft.items.length - 1; place >= draft.turnPlace; place -= 1) {
    const item = draft.items[place];
    if (item) yield item;
  }
}
