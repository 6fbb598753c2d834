import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Ambient, type SessionEvent, textStart } from '@fucina/shared';
import { userReference } from '../context/conversation.ts';
import { CUSTOM_EVENTS, type UndoValue } from '../state/custom-events.ts';
import type { IndexedMessage, SearchHit, SearchTable } from '../store/search-table.ts';
import type { SessionStore } from '../store/store.ts';

/** Full-text search over all conversations. The index is updated in the background. */
export interface Search {
  /** Best first, at most `limit` (20). The latest messages may be missing. */
  find(text: string, options?: { limit?: number; folder?: string }): Promise<SearchHit[]>;
  /** Call when a session's journal has grown. */
  nudge(): void;
  close(): Promise<void>;
}

interface SearchNeeds {
  ambient: Ambient;
  store: Pick<SessionStore, 'eventsAfter'>;
  table: SearchTable;
}

const IDLE_MS = 300;
const PAGE = 1_000;
const DEFAULT_LIMIT = 20;
const MAX_MESSAGE = 100_000;
/** How long a search waits for the index to catch up. */
const PATIENCE_MS = 500;

export function createSearch({ ambient, store, table }: SearchNeeds): Search {
  let cancel: (() => void) | undefined;
  let working: Promise<void> = Promise.resolve();
  let isClosed = false;

  const catchUp = async (): Promise<void> => {
    for (const { key, through } of table.behind()) await indexSession(key, through);
  };
  const indexSession = async (key: number, from: number): Promise<void> => {
    const reader = createReader();
    for (let through = from; !isClosed; ) {
      const page = store.eventsAfter(key, through, PAGE);
      for (const { seq, json } of page) reader.apply(JSON.parse(json) as SessionEvent, seq);
      // Undo and redo of turns need the whole journal.
      if (from > 0 && reader.hasTurnsChanged()) {
        table.reset(key);
        return indexSession(key, 0);
      }
      through = page.at(-1)?.seq ?? through;
      const isLast = page.length < PAGE;
      // A message that continues on the next page is stored with that page.
      if (isLast) return table.advance(key, { through, ...reader.take() });
      await yieldToOthers();
    }
  };
  const work = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    working = working
      .then(() => (isClosed ? undefined : catchUp()))
      .catch((error: unknown) => ambient.log.warn('search.not-indexed', { error }));
    return working;
  };

  return {
    nudge() {
      if (!isClosed) cancel ??= ambient.timer(IDLE_MS, () => void work());
    },
    async find(text, { limit = DEFAULT_LIMIT, folder } = {}) {
      const patience = new Promise<void>((resolve) => ambient.timer(PATIENCE_MS, resolve));
      await Promise.race([work(), patience]);
      return table.find(text, { limit, ...(folder !== undefined && { folder }) });
    },
    async close() {
      isClosed = true;
      cancel?.();
      await working;
    },
  };
}

function createReader() {
  const added = new Map<string, IndexedMessage & { turn: number }>();
  const removed: string[] = [];
  const hidden = new Set<number>();
  let hasTurnsChanged = false;
  let turn = 0;
  const userText = (seq: number, text: string): void => {
    const reference = userReference(seq);
    if (text) added.set(reference, { seq, reference, turn, text: textStart(text, MAX_MESSAGE) });
  };

  const noteUndo = ({ fase, tipo, giro, chat }: UndoValue): void => {
    if (fase !== 'fine' || !chat) return;
    hasTurnsChanged = true;
    if (tipo === 'undo') hidden.add(giro);
    else hidden.delete(giro);
  };

  return {
    apply(event: SessionEvent, seq: number): void {
      switch (event.type) {
        case 'RunStarted':
          turn = seq;
          return userText(seq, event.input?.consegna ?? '');
        case 'RunRedirectApplied':
        case 'QueuedMessageDelivered':
          return userText(seq, event.testo);
        case 'TextMessageStart':
          added.set(event.messageId, { seq, reference: event.messageId, turn, text: '' });
          return;
        case 'TextMessageContent': {
          const message = added.get(event.messageId);
          if (message && message.text.length < MAX_MESSAGE) message.text += event.delta;
          return;
        }
        case 'CUSTOM':
          if (event.name === CUSTOM_EVENTS.undo) noteUndo(event.value as UndoValue);
          if (event.name !== CUSTOM_EVENTS.removedMessage) return;
          removed.push((event.value as { riferimento: string }).riferimento);
          return;
        default:
          return;
      }
    },
    hasTurnsChanged: () => hasTurnsChanged,
    take: () => ({ added: [...added.values()].filter((one) => one.text && !hidden.has(one.turn)), removed }),
  };
}
