import type { Conversation } from './conversation.ts';
import type { FileChange, Item } from './items.ts';

/** The version under construction. */
export type Draft = { -readonly [Field in keyof Conversation]: Conversation[Field] } & {
  items: Item[];
  places: Map<string, number>;
  changes: FileChange[];
  /** Indexes whose item was already copied for this version and may be modified. */
  own: Set<number>;
  ownsChanges: boolean;
};

export function draftOf(before: Conversation): Draft {
  return {
    ...before,
    items: before.items.slice(),
    places: before.places.size > 0 ? (before.places as Map<string, number>) : new Map(),
    changes: before.changes as FileChange[],
    own: new Set(),
    ownsChanges: false,
  };
}

export function finished(draft: Draft): Conversation {
  const { own: _own, ownsChanges: _ownsChanges, ...conversation } = draft;
  return conversation;
}

export function add(draft: Draft, item: Item): void {
  draft.places.set(`${item.kind}:${item.key}`, draft.items.length);
  draft.own.add(draft.items.length);
  draft.items.push(item);
}

/** The item, copied for this version so that it can be modified; undefined when there is none. */
export function edit<Kind extends Item['kind']>(
  draft: Draft,
  kind: Kind,
  key: string,
): Extract<Item, { kind: Kind }> | undefined {
  const place = draft.places.get(`${kind}:${key}`);
  const item = place === undefined ? undefined : draft.items[place];
  if (place === undefined || item === undefined || item.kind !== kind) return undefined;
  if (!draft.own.has(place)) {
    draft.items[place] = { ...item };
    draft.own.add(place);
  }
  return draft.items[place] as Extract<Item, { kind: Kind }>;
}

export function addChange(draft: Draft, change: FileChange): void {
  if (!draft.ownsChanges) draft.changes = draft.changes.slice();
  draft.ownsChanges = true;
  draft.changes.push(change);
}

/** The items of the current turn, newest first. */
export function* ofThisTurn(draft: Draft): Generator<Item> {
  for (let place = draft.items.length - 1; place >= 0; place -= 1) {
    const item = draft.items[place];
    if (item?.turn !== draft.turn) return;
    yield item;
  }
}

export const nextKey = (draft: Draft): string => String(draft.items.length);
