import type { ChatImageReference } from '@fucina/shared';
import { sessionsError } from './errors.ts';
import type { ChatImages } from './images.ts';
import type { Journal } from './journal.ts';
import type { Registry } from './registry.ts';
import type { TurnInput } from './session.ts';
import { nextSessionState } from './session-state.ts';
import type { SessionsNeeds } from './sessions.ts';
import type { SessionRecord } from './store.ts';
import { startTurn } from './turn.ts';

/** What a turn begins with; without `input` an interrupted one goes on. */
export interface TurnStart {
  input: TurnInput | undefined;
  /** The pictures of `input`, looked up. */
  images: readonly ChatImageReference[];
  branch: string | null;
}

/** Starting, stopping and going on. */
export interface Turns {
  /** SERVER_SHUTTING_DOWN once the end has begun. */
  assertOpen(): void;
  /** Starts the first turn of a new session; its RunStarted is on disk when this returns. */
  begin(record: SessionRecord, start: TurnStart): void;
  /**
   * Without a message: goes on with an interrupted turn. With one: the next turn, also after an interruption.
   * SESSION_NOT_READY while running or with nothing to resume; SESSION_STORE_BUSY when another process runs it.
   */
  resume(sessionId: string, next?: Partial<TurnInput>): Promise<{ sessionId: string }>;
  /** Always accepted on a known session: denies the open request, ends commands, aborts the model. */
  stop(sessionId: string): Promise<void>;
  /** Ends one running command; the turn goes on. PROCESS_NOT_RUNNING when it is not. */
  stopProcess(sessionId: string, toolCallId: string): Promise<void>;
  /** Settles when no turn of this session runs in this process. */
  settled(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

const CLOSE_LIMIT_MS = 4_000;

interface TurnsNeeds {
  needs: SessionsNeeds;
  journal: Journal;
  registry: Registry;
  images: ChatImages;
}

export function createTurns({ needs, journal, registry, images }: TurnsNeeds): Turns {
  const { ambient } = needs;
  let isClosing = false;

  const assertOpen = (): void => {
    if (isClosing) throw sessionsError('SERVER_SHUTTING_DOWN');
  };

  const begin = (record: SessionRecord, { input, images: shown, branch }: TurnStart): void => {
    // Again: whoever calls has looked at the folder meanwhile.
    assertOpen();
    const { sessionId, project, folder } = record.header;
    const to = nextSessionState(record.state, input ? 'start-turn' : 'retry-turn');
    const memory = registry.memoryOf(record);
    memory.runId = ambient.newId();
    const isFollowUp = record.fold.runs > 0;
    const started = {
      type: 'RunStarted' as const,
      threadId: sessionId,
      runId: memory.runId,
      ...(input && {
        input: {
          consegna: input.message,
          ...(isFollowUp && { seguito: true }),
          ...(shown.length && { immagini: [...shown] }),
          ...(input.bubble && { bolla: input.bubble }),
        },
      }),
      contesto: { progetto: project ?? '', cartella: folder, branch },
    };
    const move = { from: record.state, to, lease: needs.lease };
    if (!journal.append(record, [started], { move })) throw sessionsError('SESSION_STORE_BUSY');
    memory.conversation.apply(started);
    const turn = startTurn({ ...needs, journal, images }, record, memory);
    registry.live.set(sessionId, turn);
    void turn.done.then(() => {
      registry.live.delete(sessionId);
      memory.throughSeq = record.lastSeq;
    });
  };

  return {
    assertOpen,
    begin,

    async resume(sessionId, { message, ...rest } = {}) {
      assertOpen();
      const input = message === undefined ? undefined : { message, ...rest };
      const record = registry.writable(sessionId);
      nextSessionState(record.state, input ? 'start-turn' : 'retry-turn');
      const shown = await images.choose(input?.images);
      const branch = await needs.branchOf(record.header.folder);
      begin(registry.get(sessionId), { input, images: shown, branch });
      return { sessionId };
    },

    async stop(sessionId) {
      registry.get(sessionId);
      registry.live.get(sessionId)?.stop('person');
    },

    async stopProcess(sessionId, toolCallId) {
      registry.get(sessionId);
      const stop = registry.live.get(sessionId)?.processes.get(toolCallId);
      if (!stop) throw sessionsError('PROCESS_NOT_RUNNING');
      stop();
    },

    async settled(sessionId) {
      await registry.live.get(sessionId)?.done;
    },

    async close() {
      isClosing = true;
      const running = [...registry.live.values()];
      for (const turn of running) turn.stop('shutdown');
      const limit = new Promise<void>((resolve) => ambient.timer(CLOSE_LIMIT_MS, resolve));
      await Promise.race([Promise.all(running.map(({ done }) => done)), limit]);
    },
  };
}
