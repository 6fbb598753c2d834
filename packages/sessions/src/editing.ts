import type { CompactionOutcome, CompactionPolicy, Compactions } from './context/compaction.ts';
import { sessionsError } from './errors.ts';
import type { Registry } from './registry.ts';
import { CUSTOM_EVENTS, customEvent } from './state/custom-events.ts';
import type { Journal } from './store/journal.ts';
import type { SessionRecord, SessionStore } from './store/store.ts';
import type { Turns } from './turn/turns.ts';

/** Changes to a conversation as a whole: a message removed from it, its beginning summed up. */
export interface Editing {
  /**
   * Returns `at` and tokens when it was compacted. SESSION_NOT_READY unless concluded and idle; SESSION_MODEL_UNKNOWN
   * without a model.
   */
  compact(sessionId: string): Promise<CompactionOutcome>;
  /** Only the current one, only if it was automatic, only between turns. */
  undoCompaction(sessionId: string, at: string): Promise<void>;
  compactionPolicy(sessionId: string): Promise<CompactionPolicy>;
  /**
   * Adds a tombstone to the journal. NOT_FOUND for an unknown or already removed message; SESSION_STILL_RUNNING while a
   * turn runs. `isOutOfModel` is false when the model no longer saw it anyway.
   */
  removeMessage(sessionId: string, reference: string): Promise<RemovedMessage>;
}

export interface RemovedMessage {
  reference: string;
  isOutOfModel: boolean;
  /** Why it is still visible to the model. */
  reason: string | null;
}

interface EditingNeeds {
  registry: Registry;
  store: SessionStore;
  journal: Journal;
  turns: Turns;
  compactions: Compactions;
}

export function createEditing({ registry, store, journal, turns, compactions }: EditingNeeds): Editing {
  const resting = (sessionId: string): SessionRecord => {
    turns.assertOpen();
    const record = registry.writable(sessionId);
    if (record.state === 'running') throw sessionsError('SESSION_NOT_READY', { reason: 'turn-in-progress' });
    if (compactions.policy(record).inProgress)
      throw sessionsError('SESSION_NOT_READY', { reason: 'compaction-in-progress' });
    return record;
  };

  return {
    async compact(sessionId) {
      const record = resting(sessionId);
      if (record.state !== 'concluded') throw sessionsError('SESSION_NOT_READY', { reason: 'turn-interrupted' });
      if (!record.settings.model) throw sessionsError('SESSION_MODEL_UNKNOWN');
      return compactions.run(record, 'manuale');
    },

    async undoCompaction(sessionId, at) {
      compactions.undo(resting(sessionId), at);
    },

    compactionPolicy: async (sessionId) => compactions.policy(registry.get(sessionId)),

    async removeMessage(sessionId, reference) {
      const record = registry.writable(sessionId);
      if (record.state === 'running') throw sessionsError('SESSION_STILL_RUNNING');
      if (!isMessage(record, reference, { journal, store })) {
        throw sessionsError('NOT_FOUND', { reason: 'message-unknown' });
      }
      const isOutOfModel = registry.memoryOf(record).conversation.has(reference);
      const reason = isOutOfModel ? null : 'non-nel-contesto';
      const value = { riferimento: reference, toltoDalModello: isOutOfModel, motivo: reason };
      registry.append(record, [customEvent(CUSTOM_EVENTS.removedMessage, value)]);
      return { reference, isOutOfModel, reason };
    },
  };
}

/** A user message by its event, an agent message by its id; only if not yet removed. */
function isMessage(
  record: SessionRecord,
  reference: string,
  { journal, store }: Pick<EditingNeeds, 'journal' | 'store'>,
) {
  const tombstone = `{"type":"CUSTOM","name":"${CUSTOM_EVENTS.removedMessage}","value":{"riferimento":"${reference}"`;
  if (!/^[\w:-]{1,200}$/.test(reference) || store.hasEvent(record.key, tombstone)) return false;
  const [, digits] = /^giro:([1-9]\d{0,14})$/.exec(reference) ?? [];
  if (!digits) return store.hasEvent(record.key, `{"type":"TextMessageStart","messageId":"${reference}"`);
  const event = journal.read(record, Number(digits));
  if (event?.type === 'RunStarted') return event.input !== undefined;
  return event?.type === 'RunRedirectApplied' || event?.type === 'QueuedMessageDelivered';
}
