import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ChatImages } from '../context/images.ts';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import type { SlashCommands, SlashMessage } from '../slash/slash.ts';
import type { MessageRequest, SessionHeader, TurnInput } from '../state/session.ts';
import { nextSessionState } from '../state/session-state.ts';
import type { Journal } from '../store/journal.ts';
import type { MessageQueue, QueuedMessage } from '../store/queue-table.ts';
import type { AppendOptions, SessionRecord, SessionStore } from '../store/store.ts';
import { closeRestored } from './closing.ts';
import { startLocalTurn } from './local-turn.ts';
import { startTurn } from './turn.ts';
import type { Offered, TurnNeeds } from './turn-context.ts';

/** Starts, steers, stops and resumes turns. */
export interface Turns {
  /** SERVER_SHUTTING_DOWN once the shutdown has begun. */
  assertOpen(): void;
  /** Starts a turn; its RunStarted is on disk when this resolves. Without input an interrupted turn is resumed. */
  begin(record: SessionRecord, start: TurnStart): void;
  /** The input with the content of the resources that its message names, for the model. */
  withMentions(header: SessionHeader, input: TurnInput): Promise<TurnInput>;
  /**
   * Without a message: resumes an interrupted turn. With one: the next turn, also after an interruption.
   * SESSION_NOT_READY while running or with nothing to resume; SESSION_STORE_BUSY when another process runs it.
   */
  resume(sessionId: string, next?: Partial<MessageRequest>, bounds?: TurnBounds): Promise<{ sessionId: string }>;
  /**
   * Always accepted on an existing session: closes the open card, ends commands, aborts the model, pauses the queue.
   */
  stop(sessionId: string): Promise<void>;
  /**
   * Redirects the running turn at its next safe boundary. SESSION_NOT_READY when none runs or a redirect is pending.
   */
  redirect(sessionId: string, correction: MessageRequest & { redirectId?: string }): Promise<{ redirectId: string }>;
  /** SESSION_NOT_READY unless a turn runs. `position` from 1. */
  queue(sessionId: string, message: MessageRequest): Promise<{ position: number; queue: MessageQueue }>;
  readQueue(sessionId: string): Promise<MessageQueue>;
  /** Removes that message (NOT_FOUND when it is missing), or the last; null from an empty queue. */
  unqueue(sessionId: string, id?: string): Promise<{ removed: QueuedMessage | null; queue: MessageQueue }>;
  /** Redirects a running turn with it, otherwise starts a new turn. NOT_FOUND when it is missing. */
  sendQueued(sessionId: string, id: string): Promise<SentMessage>;
  /** Ends the wait before a retry of the model. SESSION_NOT_READY when the session does not wait. */
  tryNow(sessionId: string): void;
  /** Whether a turn of this session runs in this process; another process may run one. */
  runsHere(sessionId: string): boolean;
  /** Resolves when no turn of this session runs in this process. */
  settled(sessionId: string): Promise<void>;
  /** Resolves when the hooks of the turns that are over have ended. */
  hooksOver(): Promise<void>;
  /** Ends the turns and waits for their hooks, for at most 4 s. */
  close(): Promise<void>;
}

export interface SentMessage {
  mode: 'redirected' | 'resumed';
  queue: MessageQueue;
  redirectId?: string;
}

export interface TurnBounds {
  /** Maximum model calls, below the general limit. */
  maxModelCalls?: number | undefined;
}

export interface TurnStart extends TurnBounds {
  input: TurnInput | undefined;
  branch: string | null;
  /** Removed from the queue by the start. */
  queued?: QueuedMessage | undefined;
  /** The command that the message stands for, if any. */
  slash?: SlashMessage | undefined;
  /** The user has just approved the plan that it carries out: no budget stops it. */
  isApproved?: boolean | undefined;
  /** The prefetched tools of the first model call. */
  offered?: Offered | undefined;
  /** The trace context of what starts it. */
  traceparent?: string | undefined;
}

const CLOSE_LIMIT_MS = 4_000;

interface TurnsNeeds {
  images: ChatImages;
  needs: TurnNeeds & {
    lease: string;
    branchOf(folder: string): Promise<string | null>;
    resolveSlash: SlashCommands['resolve'];
    mentionedText?(session: { sessionId: string; folder: string }, message: string): Promise<string | undefined>;
    onTurnOver(): void;
  };
  journal: Journal;
  registry: Registry;
  store: SessionStore;
}

export function createTurns({ needs, journal, registry, store, images }: TurnsNeeds): Turns {
  const { ambient } = needs;
  const hooks = new Set<Promise<void>>();
  let isClosing = false;

  const assertOpen = (): void => {
    if (isClosing) throw sessionsError('SERVER_SHUTTING_DOWN');
  };

  /** The resources that a message names are part of what the model reads, not of what the user wrote. */
  const withMentions: Turns['withMentions'] = async (header, input) => {
    const text = header.workflowStep ? undefined : await needs.mentionedText?.(header, input.message);
    return text === undefined ? input : { ...input, modelText: [input.modelText ?? input.message, text].join('\n\n') };
  };

  const begin = (record: SessionRecord, start: TurnStart): void => {
    const { input, branch, queued, slash, maxModelCalls, offered, traceparent } = start;
    // Again: the caller has read the folder in the meantime.
    assertOpen();
    if (slash?.kind !== 'answered' && !start.isApproved) needs.budget.assertWithin(record);
    const { sessionId, project, folder } = record.header;
    const to = nextSessionState(record.state, input ? 'start-turn' : 'retry-turn');
    const memory = registry.memoryOf(record);
    memory.runId = ambient.newId();
    const isFollowUp = record.fold.runs > 0;
    const modelText = slash?.kind === 'written-out' ? slash.text : input?.modelText;
    const started = {
      type: 'RunStarted' as const,
      threadId: sessionId,
      runId: memory.runId,
      ...(input && {
        input: {
          consegna: input.message,
          ...(isFollowUp && { seguito: true }),
          ...(input.images?.length && { immagini: [...input.images] }),
          ...(input.bubble && { bolla: input.bubble }),
          ...(queued && { codaId: queued.id }),
          ...(slash?.kind === 'answered' && { comando: slash.command.name }),
          ...(modelText !== undefined && { testoModello: modelText }),
        },
      }),
      contesto: { progetto: project ?? '', cartella: folder, branch },
    };
    const events = [...(input ? closeRestored(record, { ambient, journal }) : []), started];
    const extras: AppendOptions = {
      move: { from: record.state, to, lease: needs.lease },
      ...(queued && { takesQueued: queued.id }),
    };
    const stored = journal.append(record, events, extras);
    if (!stored) throw sessionsError('SESSION_STORE_BUSY');
    for (const [index, event] of events.entries()) memory.conversation.apply(event, stored[index]?.seq ?? 0);
    const turn =
      slash?.kind === 'answered'
        ? startLocalTurn(needs, { record, memory }, slash)
        : startTurn(needs, record, { memory, maxModelCalls, offered, traceparent });
    registry.live.set(sessionId, turn);
    void turn.done.then(() => {
      registry.live.delete(sessionId);
      memory.throughSeq = record.lastSeq;
      needs.onTurnOver();
      if (slash?.kind !== 'answered') callHooks(record.header);
    });
  };

  const callHooks = (header: SessionHeader): void => {
    // Clients see the end of the turn first.
    const over = yieldToOthers().then(() => needs.hooks?.turnOver(header));
    hooks.add(over);
    void over.finally(() => hooks.delete(over));
  };

  const hooksOver = async (): Promise<void> => {
    while (hooks.size) await Promise.all(hooks);
  };

  const beginWith = async (
    sessionId: string,
    { compose, ...rest }: Pick<TurnStart, 'queued' | 'maxModelCalls'> & { compose?: () => Promise<TurnInput> },
  ): Promise<void> => {
    assertOpen();
    const record = registry.writable(sessionId);
    const given = await compose?.();
    nextSessionState(record.state, given ? 'start-turn' : 'retry-turn');
    const { folder } = record.header;
    const slash = given && (await needs.resolveSlash(folder, given.message));
    const hasModelCall = slash?.kind !== 'answered';
    // Both read the folder; the second result is ready when the turn is on disk.
    const offered = hasModelCall ? needs.offer(record) : undefined;
    offered?.catch(() => undefined); // the consumer gets the error
    const [input, branch] = await Promise.all([
      given && !slash ? withMentions(record.header, given) : given,
      needs.branchOf(folder),
    ]);
    begin(registry.get(sessionId), { ...rest, input, branch, slash, offered });
  };

  const redirect = (sessionId: string, input: TurnInput, { redirectId, extras }: RedirectOrder): void => {
    assertOpen();
    const turn = registry.live.get(sessionId);
    const { fold } = registry.get(sessionId);
    if (turn?.record.state !== 'running' || turn.signal.aborted) {
      throw sessionsError('SESSION_NOT_READY', { reason: 'no-turn-in-progress' });
    }
    if (fold.redirectId === redirectId) return;
    if (fold.redirectId) throw sessionsError('SESSION_NOT_READY', { reason: 'redirect-in-progress' });
    turn.append([{ type: 'RunRedirectRequested', redirectId, testo: input.message }], extras);
    turn.redirect({ redirectId, input });
  };

  /** A message for a running turn: a built-in command must wait until it ends. */
  const composeFor = async (sessionId: string, request: MessageRequest): Promise<TurnInput> => {
    const { folder } = registry.get(sessionId).header;
    const slash = await needs.resolveSlash(folder, request.message);
    if (slash?.kind === 'answered') throw sessionsError('SESSION_NOT_READY', { reason: 'command-between-turns' });
    const input = await images.compose(request);
    return slash ? { ...input, modelText: slash.text } : withMentions(registry.get(sessionId).header, input);
  };

  return {
    assertOpen,
    begin,
    withMentions,

    async resume(sessionId, { message, ...rest } = {}, bounds = {}) {
      await beginWith(sessionId, {
        ...bounds,
        ...(message !== undefined && { compose: () => images.compose({ message, ...rest }) }),
      });
      return { sessionId };
    },

    async stop(sessionId) {
      const record = registry.get(sessionId);
      store.queue.pause(record.key);
      journal.publishQueue(record.key);
      // The steps of a workflow belong to its run: they continue when the conversation is stopped.
      const children = registry.descendants(record).filter(({ header }) => header.workflowStep === null);
      for (const child of children) registry.live.get(child.header.sessionId)?.stop('user');
      registry.live.get(sessionId)?.stop('user');
    },

    async redirect(sessionId, { redirectId = ambient.newId(), ...input }) {
      redirect(sessionId, await composeFor(sessionId, input), { redirectId });
      return { redirectId };
    },

    async queue(sessionId, message) {
      assertOpen();
      const input = await composeFor(sessionId, message);
      const record = registry.get(sessionId);
      if (record.state !== 'running') throw sessionsError('SESSION_NOT_READY', { reason: 'no-turn-in-progress' });
      const position = store.queue.add(record.key, { id: ambient.newId(), input });
      journal.publishQueue(record.key);
      return { position, queue: store.queue.read(record.key) };
    },

    readQueue: async (sessionId) => store.queue.read(registry.get(sessionId).key),

    async unqueue(sessionId, id) {
      const { key } = registry.get(sessionId);
      const { messages } = store.queue.read(key);
      const chosen = id === undefined ? messages.at(-1)?.id : id;
      const removed = chosen === undefined ? undefined : store.queue.remove(key, chosen);
      if (id !== undefined && !removed) throw sessionsError('NOT_FOUND', { reason: 'message-not-queued' });
      journal.publishQueue(key);
      return { removed: removed ?? null, queue: store.queue.read(key) };
    },

    async sendQueued(sessionId, id) {
      assertOpen();
      const record = registry.get(sessionId);
      // A turn that is stopping takes no redirect: the message becomes the next one.
      const live = registry.live.get(sessionId);
      if (live?.signal.aborted) await live.done;
      const queued = store.queue.read(record.key).messages.find((message) => message.id === id);
      if (!queued) throw sessionsError('NOT_FOUND', { reason: 'message-not-queued' });
      const isRunning = record.state === 'running';
      const redirectId = ambient.newId();
      if (isRunning) redirect(sessionId, queued.input, { redirectId, extras: { takesQueued: id } });
      else await beginWith(sessionId, { compose: async () => queued.input, queued });
      journal.publishQueue(record.key);
      const queue = store.queue.read(record.key);
      return isRunning ? { mode: 'redirected', queue, redirectId } : { mode: 'resumed', queue };
    },

    tryNow(sessionId) {
      registry.get(sessionId);
      if (!registry.live.get(sessionId)?.tryNow()) throw sessionsError('SESSION_NOT_READY');
    },
    runsHere: (sessionId) => registry.live.has(sessionId),

    async settled(sessionId) {
      await registry.live.get(sessionId)?.done;
    },

    hooksOver,

    async close() {
      isClosing = true;
      const running = [...registry.live.values()];
      for (const turn of running) turn.stop('shutdown');
      const limit = new Promise<void>((resolve) => ambient.timer(CLOSE_LIMIT_MS, resolve));
      await Promise.race([Promise.all(running.map(({ done }) => done)).then(hooksOver), limit]);
    },
  };
}

interface RedirectOrder {
  redirectId: string;
  extras?: AppendOptions;
}
