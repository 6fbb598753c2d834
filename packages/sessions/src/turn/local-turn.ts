import type { LiveTurn, TurnMemory } from '../live-turn.ts';
import { createCardSlot } from '../permission/pending-card.ts';
import type { SlashMessage } from '../slash/slash.ts';
import { nextSessionState } from '../state/session-state.ts';
import type { SessionRecord } from '../store/store.ts';
import { append, type TurnNeeds } from './turn-context.ts';

/** A turn that the server answers itself: its RunStarted names the command, and the model sees none of it. */
export function startLocalTurn(
  needs: TurnNeeds,
  turn: { record: SessionRecord; memory: TurnMemory },
  { command, argument }: Extract<SlashMessage, { kind: 'answered' }>,
): LiveTurn {
  const { record, memory } = turn;
  const controller = new AbortController();
  const { signal } = controller;
  const state = { needs, record, conversation: memory.conversation };
  const { sessionId } = record.header;

  const answer = async (): Promise<void> => {
    const text = await command
      .run(argument, { sessionId, language: record.settings.language === 'en' ? 'en' : 'it', signal })
      .catch((error: unknown) => `/${command.name}: ${error instanceof Error ? error.message : 'failed'}`);
    const messageId = needs.ambient.newId();
    append(
      state,
      [
        { type: 'TextMessageStart', messageId, role: 'assistant' },
        { type: 'TextMessageContent', messageId, delta: text },
        { type: 'TextMessageEnd', messageId },
        { type: 'RunFinished', threadId: sessionId, runId: memory.runId },
      ],
      { move: { from: record.state, to: nextSessionState(record.state, 'end-turn'), lease: null } },
    );
  };
  // One tick later: the session must be registered as live before its command reads it.
  const done = Promise.resolve()
    .then(answer)
    .catch((error: unknown) => needs.ambient.log.error('command.failed', { sessionId, error }));
  return {
    record,
    runId: memory.runId,
    cardSlot: createCardSlot(signal),
    signal,
    done,
    stop: (by) => controller.abort(by),
    redirect: () => false,
    tryNow: () => false,
    finishSoon: () => undefined,
    addresses: memory.conversation.addresses,
    append: (events, extras) => append(state, events, extras),
  };
}
