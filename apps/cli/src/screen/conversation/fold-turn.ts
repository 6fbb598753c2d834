import type { ChatImageReference, SessionEvent } from '@fucina/shared';
import { add, change, type Draft, find, keyAt, ofThisTurn } from './draft.ts';
import type { Placed } from './fold.ts';
import { dropElicitations } from './fold-cards.ts';
import type { PersonItem, TurnEnd } from './items.ts';

interface Said {
  key: string;
  text: string;
  images: readonly ChatImageReference[] | undefined;
  steer?: PersonItem['steer'];
}

export function person(draft: Draft, { key, text, images = [], steer: mark }: Said): void {
  add(draft, {
    kind: 'person',
    key,
    text,
    images: images.map(({ nome }) => nome),
    ...(mark && { steer: mark }),
  });
}

export function startTurn(
  draft: Draft,
  { input, contesto }: Extract<SessionEvent, { type: 'RunStarted' }>,
  { seq, at }: Placed,
): void {
  draft.isRunning = true;
  draft.turnStartedAt = at;
  draft.turnTokens = undefined;
  draft.promptTokens = 0;
  draft.turnPlace = draft.items.length;
  draft.changedFiles.clear();
  draft.isAside = input?.comando !== undefined;
  draft.branch = contesto?.branch ?? draft.branch;
  if (!input) add(draft, { kind: 'event', key: keyAt(seq), event: { name: 'resumed' } });
  else if (input.consegna || input.immagini?.length) {
    person(draft, { key: keyAt(seq), text: input.consegna, images: input.immagini });
  }
}

type RedirectEvent = Extract<SessionEvent, { redirectId: string }>;

const STEERS: Record<RedirectEvent['type'], NonNullable<PersonItem['steer']>> = {
  RunRedirectRequested: 'asked',
  RunRedirectApplied: 'applied',
  RunRedirectCancelled: 'cancelled',
  RunRedirectFailed: 'failed',
};

/** A correction stands where it was written; from then on it tells what became of it. */
export function steer(draft: Draft, event: RedirectEvent): void {
  const known = find(draft, 'person', event.redirectId);
  const mark = STEERS[event.type];
  const images = event.type === 'RunRedirectApplied' ? event.immagini : undefined;
  if (known) change(draft, known, { steer: mark, ...(images && { images: images.map(({ nome }) => nome) }) });
  else if ('testo' in event) person(draft, { key: event.redirectId, text: event.testo, images, steer: mark });
}

type ProseEvent = Extract<SessionEvent, { type: `TextMessage${string}` | `ReasoningMessage${string}` }>;

export function prose(draft: Draft, event: ProseEvent, { at }: Placed): void {
  const kind = event.type.startsWith('Text') ? 'answer' : 'reasoning';
  const known = find(draft, kind, event.messageId);
  draft.retry = undefined;
  if ('delta' in event) {
    if (known) change(draft, known, { text: known.text + event.delta });
    else add(draft, { kind, key: event.messageId, text: event.delta, isOpen: true, startedAt: at });
  } else if (event.type.endsWith('End')) change(draft, known, { isOpen: false, endedAt: at });
  else if (!known) add(draft, { kind, key: event.messageId, text: '', isOpen: true, startedAt: at });
}

const OUTCOMES: Readonly<Record<string, TurnEnd>> = {
  fermato: 'stopped',
  'giri-esauriti': 'steps-used-up',
  SESSION_INTERRUPTED: 'interrupted',
};

export function endTurn(
  draft: Draft,
  event: Extract<SessionEvent, { type: 'RunFinished' | 'RunError' }>,
  { seq, at }: Placed,
): void {
  const error = event.type === 'RunError' ? event : undefined;
  const outcome = error ? (OUTCOMES[error.code ?? ''] ?? 'error') : 'finished';
  closeItems(draft, at);
  dropElicitations(draft);
  draft.retry = undefined;
  // An approval never outlives its turn; questions and plans wait on after a lost process, and their answer goes on.
  if (draft.pending?.kind === 'approval' || outcome !== 'interrupted') draft.pending = undefined;
  const wasRunning = draft.isRunning;
  draft.isRunning = false;
  // After a lost process a turn may be closed twice. What was answered without the model needs no end.
  if (!wasRunning || (draft.isAside && outcome === 'finished')) return;
  add(draft, {
    kind: 'end',
    key: keyAt(seq),
    outcome,
    ...(error?.code !== undefined && { code: error.code }),
    ...(error && { message: error.message }),
    ...(error?.classe !== undefined && { failureClass: error.classe }),
    ...(error?.messaggioFornitore !== undefined && { providerMessage: error.messaggioFornitore }),
    durationMs: Math.max(0, at - (draft.turnStartedAt ?? at)),
    tokens: draft.turnTokens,
    changedFiles: draft.changedFiles.size,
  });
}

/** Everything of the turn that is still open ends with it. */
function closeItems(draft: Draft, at: number): void {
  for (const item of ofThisTurn(draft)) {
    if (item.kind === 'tool' && !item.isOver) change(draft, item, { isOver: true });
    else if ((item.kind === 'answer' || item.kind === 'reasoning') && item.isOpen) {
      change(draft, item, { isOpen: false, endedAt: at });
    }
  }
}
