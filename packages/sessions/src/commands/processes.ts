import type { Ambient, BackgroundCause, SessionEvent } from '@fucina/shared';
import { type BackgroundValue, CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { SessionRecord } from '../store/store.ts';

/**
 * Commands running in this process, of every session: an agent's, in its turn or in the background, and the user's own.
 */
export interface Processes {
  add(sessionId: string, id: string, handle: ProcessHandle): () => void;
  /** False when no such command runs here. */
  stop(sessionId: string, id: string): boolean;
  /** False when no such command runs here, or it is already in the background or cannot be moved there. */
  sendToBackground(sessionId: string, id: string): boolean;
  /** A command whose call has returned: it is in the journal, can be stopped, and its end will be reported. */
  letGo(record: SessionRecord, id: string, command: BackgroundedCommand): void;
  stopAll(sessionId: string): void;
  isAnyRunning(sessionId: string): boolean;
  /** When commands of the session ran, oldest first; of those that ended, only the last few. */
  spans(sessionId: string): readonly CommandSpan[];
  /** Called whenever a command of the session starts. The returned function unsubscribes. */
  onBegin(sessionId: string, listener: () => void): () => void;
  /** Stops everything; resolves when nothing runs. */
  close(): Promise<void>;
}

export interface ProcessHandle {
  stop(): void;
  /** Absent when the command cannot be moved to the background. */
  sendToBackground?(): void;
}

export interface CommandSpan {
  /** Epoch ms. */
  from: number;
  /** Null while it runs. */
  to: number | null;
  /** True for a command whose call has returned while it continues. */
  isBackground: boolean;
}

export interface BackgroundedCommand {
  cause: BackgroundCause;
  ended: Promise<number | null>;
  stop(): void;
}

const MAX_SPANS = 64;
const CAUSES = { user: 'persona', timeout: 'tempo-scaduto', model: 'modello' } as const;

interface ProcessesNeeds {
  ambient: Ambient;
  append(record: SessionRecord, events: readonly SessionEvent[]): void;
}

export function createProcesses({ ambient, append }: ProcessesNeeds): Processes {
  const running = new Map<string, Map<string, ProcessHandle>>();
  const endings = new Set<Promise<void>>();
  const spans = new Map<string, CommandSpan[]>();
  const listeners = new Map<string, Set<() => void>>();

  const begin = (sessionId: string, isBackground: boolean): CommandSpan => {
    const span: CommandSpan = { from: ambient.now(), to: null, isBackground };
    const known = spans.get(sessionId) ?? [];
    const oldest = known.length >= MAX_SPANS ? known.findIndex(({ to }) => to !== null) : -1;
    if (oldest >= 0) known.splice(oldest, 1);
    known.push(span);
    spans.set(sessionId, known);
    for (const listener of listeners.get(sessionId) ?? []) listener();
    return span;
  };
  const put = (
    { sessionId, id }: { sessionId: string; id: string },
    handle: ProcessHandle,
    isBackground: boolean,
  ): (() => void) => {
    const own = running.get(sessionId) ?? new Map<string, ProcessHandle>();
    running.set(sessionId, own.set(id, handle));
    const span = begin(sessionId, isBackground);
    return () => {
      span.to ??= ambient.now();
      if (own.get(id) !== handle) return;
      own.delete(id);
      if (!own.size) running.delete(sessionId);
    };
  };
  const add = (sessionId: string, id: string, handle: ProcessHandle): (() => void) =>
    put({ sessionId, id }, handle, false);
  const stopAll = (sessionId: string): void => {
    for (const handle of running.get(sessionId)?.values() ?? []) handle.stop();
  };

  return {
    add,
    stopAll,
    isAnyRunning: (sessionId) => running.has(sessionId),
    spans: (sessionId) => spans.get(sessionId) ?? [],
    onBegin(sessionId, listener) {
      const own = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId);
      };
    },
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
      const forget = put({ sessionId: record.header.sessionId, id }, { stop }, true);
      const note = (value: BackgroundValue): void => append(record, [customEvent(CUSTOM_EVENTS.background, value)]);
      note({ toolCallId: id, fase: 'inizio', da: CAUSES[cause] });
      const ending = ended
        .then((codice) => note({ toolCallId: id, fase: 'fine', codice }))
        .catch((error: unknown) => ambient.log.error('background-command.not-noted', { error }))
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
