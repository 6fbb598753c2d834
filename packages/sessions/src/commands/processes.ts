import type { BackgroundCause, SessionEvent } from '@fucina/shared';
import { type BackgroundValue, CUSTOM_EVENTS, customEvent } from '../custom-events.ts';
import type { SessionRecord } from '../store/store.ts';

/** Commands running in this process, of every session: an agent's inside its turn or beyond it, and the person's own. */
export interface Processes {
  add(sessionId: string, id: string, handle: ProcessHandle): () => void;
  /** False when no such command runs here. */
  stop(sessionId: string, id: string): boolean;
  /** False when no such command runs here, or it is already in the background, or cannot go there. */
  sendToBackground(sessionId: string, id: string): boolean;
  /** A command whose call has been answered: it is in the journal, it can be stopped, and its end will be told. */
  letGo(record: SessionRecord, id: string, command: LetGoCommand): void;
  stopAll(sessionId: string): void;
  isAnyRunning(sessionId: string): boolean;
  /** Stops everything; settles when nothing runs. */
  close(): Promise<void>;
}

export interface ProcessHandle {
  stop(): void;
  /** Absent where the command cannot go to the background. */
  sendToBackground?(): void;
}

export interface LetGoCommand {
  cause: BackgroundCause;
  ended: Promise<number | null>;
  stop(): void;
}

const CAUSES = { person: 'persona', timeout: 'tempo-scaduto', model: 'modello' } as const;

interface ProcessesNeeds {
  append(record: SessionRecord, events: readonly SessionEvent[]): void;
  onError(error: unknown): void;
}

export function createProcesses({ append, onError }: ProcessesNeeds): Processes {
  const running = new Map<string, Map<string, ProcessHandle>>();
  const endings = new Set<Promise<void>>();

  const add = (sessionId: string, id: string, handle: ProcessHandle): (() => void) => {
    const own = running.get(sessionId) ?? new Map<string, ProcessHandle>();
    running.set(sessionId, own.set(id, handle));
    return () => {
      if (own.get(id) !== handle) return;
      own.delete(id);
      if (!own.size) running.delete(sessionId);
    };
  };
  const stopAll = (sessionId: string): void => {
    for (const handle of running.get(sessionId)?.values() ?? []) handle.stop();
  };

  return {
    add,
    stopAll,
    isAnyRunning: (sessionId) => running.has(sessionId),
    stop(sessionId, id) {
      const handle = running.get(sessionId)?.get(id);
      handle?.stop();
      return handle !== undefined;
    },
    sendToBackground(sessionId, id) {
      const handle = running.get(sessionId)?.get(id);
      handle?.sendToBackground?.();
      return handle?.sendToBackground !== undefined;
    },
    letGo(record, id, { cause, ended, stop }) {
      const forget = add(record.header.sessionId, id, { stop });
      const note = (value: BackgroundValue): void => append(record, [customEvent(CUSTOM_EVENTS.background, value)]);
      note({ toolCallId: id, fase: 'inizio', da: CAUSES[cause] });
      const ending = ended
        .then((codice) => note({ toolCallId: id, fase: 'fine', codice }))
        .catch(onError)
        .finally(() => {
          forget();
          endings.delete(ending);
        });
      endings.add(ending);
    },
    async close() {
      for (const sessionId of running.keys()) stopAll(sessionId);
      await Promise.all(endings);
    },
  };
}
