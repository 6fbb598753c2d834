import type { ChatImage, SessionEvent } from '../wire/events.ts';
import { NO_COST } from './conversation.ts';
import { add, type Draft, edit, nextKey, ofThisTurn } from './draft.ts';
import { closeCardsOfTurn } from './fold-cards.ts';
import type { PersonItem, ProseItem, TurnOutcome } from './items.ts';

interface Brought {
  _sequenza?: number;
  immagini?: readonly ChatImage[];
}

const referenceOf = ({ _sequenza }: Brought) => (_sequenza === undefined ? undefined : `giro:${_sequenza}`);

/** A message of the person, named by the event that brought it. */
export function person(draft: Draft, text: string, event: Brought): void {
  const reference = referenceOf(event);
  add(draft, {
    kind: 'person',
    key: reference ?? nextKey(draft),
    turn: draft.turn,
    text,
    images: event.immagini ?? [],
    reference,
    isRemoved: false,
    redirect: undefined,
  });
}

type RedirectEvent = Extract<SessionEvent, { redirectId: string }>;

/** A correction stands where it was written; from then on it tells what became of it. */
export function redirect(draft: Draft, event: RedirectEvent): void {
  let item = edit(draft, 'person', event.redirectId) as PersonItem | undefined;
  if (!item && 'testo' in event) {
    person(draft, event.testo, {});
    item = draft.items.at(-1) as PersonItem;
    draft.places.set(`person:${event.redirectId}`, draft.items.length - 1);
    item.key = event.redirectId;
  }
  if (!item) return;
  if (event.type === 'RunRedirectRequested') item.redirect = 'asked';
  else if (event.type === 'RunRedirectCancelled') item.redirect = 'cancelled';
  else if (event.type === 'RunRedirectFailed') item.redirect = 'failed';
  else if (event.type === 'RunRedirectApplied') {
    item.redirect = 'applied';
    item.reference = referenceOf(event);
    item.images = event.immagini ?? item.images;
  }
}

export function startTurn(draft: Draft, event: Extract<SessionEvent, { type: 'RunStarted' }>): void {
  draft.turn += 1;
  draft.turnStart = event._sequenza;
  draft.isRunning = true;
  draft.isAside = event.input?.comando !== undefined;
  if (!draft.isAside) {
    draft.usage = undefined;
    draft.cost = NO_COST;
  }
  draft.folder = event.contesto?.cartella ?? draft.folder;
  draft.branch = event.contesto?.branch ?? draft.branch;
  if (event.input?.consegna) person(draft, event.input.consegna, { ...event, immagini: event.input.immagini });
}

export function outcomeOf(code: string | undefined): TurnOutcome {
  if (code === 'fermato') return 'stopped';
  if (code === 'giri-esauriti') return 'exhausted';
  return code === 'SESSION_INTERRUPTED' ? 'interrupted' : 'failed';
}

export function endTurn(
  draft: Draft,
  outcome: TurnOutcome,
  error: { message: string; code?: string; classe?: string; messaggioFornitore?: string } | undefined,
): void {
  draft.isRunning = false;
  draft.retry = undefined;
  closeCardsOfTurn(draft, outcome);
  const { tools, request } = closeItems(draft);
  const last = draft.items.at(-1);
  // After a restart a turn may be closed twice; it ended once. What the server answered by itself needs no end.
  if ((last?.kind === 'end' && last.turn === draft.turn) || (draft.isAside && outcome === 'done')) return;
  add(draft, {
    kind: 'end',
    start: draft.turnStart,
    undone: { files: false, chat: false },
    key: nextKey(draft),
    turn: draft.turn,
    outcome,
    message: error?.message,
    failureClass: error?.classe,
    code: error?.code,
    providerMessage: error?.messaggioFornitore,
    usage: draft.usage,
    cost: draft.cost,
    tools,
    request,
  });
}

/** Everything of the turn that is still open ends with it. */
function closeItems(draft: Draft): { tools: number; request: string | undefined } {
  let tools = 0;
  let request: string | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind === 'person') request = item.text;
    else if (item.kind === 'tool') {
      tools += 1;
      const call = item.isOver ? undefined : edit(draft, 'tool', item.key);
      if (call) call.isOver = true;
    } else if ((item.kind === 'text' || item.kind === 'reasoning') && item.isOpen) {
      const open = edit(draft, item.kind, item.key);
      if (open) open.isOpen = false;
    }
  }
  return { tools, request };
}

export function prose(
  draft: Draft,
  kind: ProseItem['kind'],
  event: { type: string; messageId: string; delta?: string },
): void {
  let item = edit(draft, kind, event.messageId) as ProseItem | undefined;
  if (!item) {
    if (event.type.endsWith('End')) return;
    item = { kind, key: event.messageId, turn: draft.turn, text: '', isOpen: true, isRemoved: false };
    add(draft, item);
  }
  draft.retry = undefined;
  if (event.delta) item.text += event.delta;
  if (event.type.endsWith('End')) item.isOpen = false;
}
