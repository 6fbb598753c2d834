import { NO_COST } from './conversation.ts';
import { add, type Draft, edit, nextKey, ofThisTurn } from './draft.ts';
import type { ChatImageReference, StreamEvent } from './events.ts';
import { closeCardsOfTurn } from './fold-cards.ts';
import type { ProseItem, TurnOutcome, UserItem } from './items.ts';
import { messageReference } from './reader.ts';

interface Brought {
  sequence?: number | undefined;
  images?: readonly ChatImageReference[] | undefined;
}

const picturesOf = (images: Brought['images'] = []) => images.map(({ id, name }) => ({ id, name }));

/** A message of the user, identified by its event. */
export function message(draft: Draft, text: string, event: Brought): void {
  const reference = messageReference(event.sequence);
  add(
    draft,
    newMessage(draft, { key: reference ?? nextKey(draft), text, images: picturesOf(event.images), reference }),
  );
}

type MessageFacts = Pick<UserItem, 'key' | 'text' | 'images' | 'reference'>;

function newMessage({ turn }: Draft, facts: MessageFacts): UserItem {
  return { kind: 'user', turn, ...facts, isRemoved: false, steer: undefined };
}

type RedirectEvent = Extract<StreamEvent, { redirectId: string }>;

const STEERS: Record<RedirectEvent['type'], NonNullable<UserItem['steer']>> = {
  RunRedirectRequested: 'asked',
  RunRedirectApplied: 'applied',
  RunRedirectCancelled: 'cancelled',
  RunRedirectFailed: 'failed',
};

/** A steering message stays in its position; later events report its outcome. */
export function steer(draft: Draft, event: RedirectEvent): void {
  const { redirectId: key } = event;
  if ('text' in event && !draft.places.has(`user:${key}`)) {
    add(draft, newMessage(draft, { key, text: event.text, images: [], reference: undefined }));
  }
  const item = edit(draft, 'user', key);
  if (!item) return;
  item.steer = STEERS[event.type];
  if (event.type !== 'RunRedirectApplied') return;
  item.reference = messageReference(event.sequence);
  if (event.images) item.images = picturesOf(event.images);
}

export function startTurn(draft: Draft, event: Extract<StreamEvent, { type: 'RunStarted' }>): void {
  const { input, context, sequence, storedAt } = event;
  draft.turn += 1;
  draft.turnStart = sequence;
  draft.turnStartedAt = storedAt;
  draft.isRunning = true;
  draft.isLocalTurn = input?.command !== undefined;
  if (!draft.isLocalTurn) {
    draft.usage = undefined;
    draft.cost = NO_COST;
  }
  draft.folder = context?.folder ?? draft.folder;
  draft.branch = context?.branch ?? draft.branch;
  if (!input) add(draft, { kind: 'resumed', key: nextKey(draft), turn: draft.turn });
  else if (input.message || input.images?.length) {
    message(draft, input.message ?? '', { sequence, images: input.images });
  }
}

const OUTCOMES: Readonly<Record<string, TurnOutcome>> = {
  stopped: 'stopped',
  'step-limit': 'exhausted',
  SESSION_INTERRUPTED: 'interrupted',
};

/** `code`: of the error that ended the turn. */
export function outcomeOf(code: string | undefined): TurnOutcome {
  return OUTCOMES[code ?? ''] ?? 'failed';
}

export function endTurn(draft: Draft, event: Extract<StreamEvent, { type: 'RunFinished' | 'RunError' }>): void {
  const error = event.type === 'RunError' ? event : undefined;
  const outcome = error ? outcomeOf(error.code) : 'done';
  const { storedAt } = event;
  const wasRunning = draft.isRunning;
  draft.isRunning = false;
  draft.retry = undefined;
  closeCardsOfTurn(draft, outcome);
  const facts = closeItems(draft, storedAt);
  // After a restart a turn may be closed twice; only the first end counts. A command that the server answered itself
  // has no end marker.
  if (!wasRunning || (draft.isLocalTurn && outcome === 'done')) return;
  const changed = draft.changes.filter(({ turn }) => turn === draft.turn).map(({ path }) => path);
  add(draft, {
    kind: 'end',
    start: draft.turnStart,
    undone: { files: false, chat: false },
    key: nextKey(draft),
    turn: draft.turn,
    outcome,
    message: error?.message,
    failureClass: error?.errorClass,
    code: error?.code,
    providerMessage: error?.providerMessage,
    usage: draft.isLocalTurn ? undefined : draft.usage,
    cost: draft.isLocalTurn ? NO_COST : draft.cost,
    ...facts,
    durationMs: storedAt === undefined ? undefined : Math.max(0, storedAt - (draft.turnStartedAt ?? storedAt)),
    changedFiles: new Set(changed).size,
  });
}

/** Closes every open item of the turn. */
function closeItems(draft: Draft, at: number | undefined): { tools: number; request: string | undefined } {
  let tools = 0;
  let request: string | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind === 'user') request = item.text;
    else if (item.kind === 'tool') {
      tools += 1;
      const call = item.isOver ? undefined : edit(draft, 'tool', item.key);
      if (call) Object.assign(call, { isOver: true, isQueued: false });
    } else if ((item.kind === 'text' || item.kind === 'reasoning') && item.isOpen) {
      const open = edit(draft, item.kind, item.key);
      if (open) Object.assign(open, { isOpen: false, endedAt: at });
    }
  }
  return { tools, request };
}

type ProseEvent = Extract<StreamEvent, { type: `TextMessage${string}` | `ReasoningMessage${string}` }>;

export function prose(draft: Draft, kind: ProseItem['kind'], event: ProseEvent): void {
  const { messageId: key, storedAt } = event;
  const isEnd = event.type.endsWith('End');
  draft.retry = undefined;
  if (!isEnd && !draft.places.has(`${kind}:${key}`)) {
    const times = { startedAt: storedAt, endedAt: undefined };
    add(draft, { kind, key, turn: draft.turn, text: '', isOpen: true, isRemoved: false, ...times });
  }
  const item = edit(draft, kind, key);
  if (!item) return;
  if ('delta' in event) item.text += event.delta;
  if (isEnd) Object.assign(item, { isOpen: false, endedAt: storedAt });
}
