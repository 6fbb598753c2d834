import type { SessionEvent } from '@fucina/shared';
import { add, type Draft, keyAt, newDraft } from './draft.ts';
import { approval, question } from './fold-cards.ts';
import { custom } from './fold-custom.ts';
import { fileChanges, ownCommand, tool } from './fold-tools.ts';
import { endTurn, person, prose, startTurn, steer } from './fold-turn.ts';
import type { ToldItem } from './items.ts';
import type { ConversationState } from './state.ts';

/** An event where it stands in the journal. */
export interface Placed {
  seq: number;
  /** Epoch ms. */
  at: number;
}

/** Takes the events of one session in, in their order, and answers the state whenever it is asked. */
export interface ConversationFold {
  /** Repeated ones pass. */
  take(event: SessionEvent, place: Placed): void;
  /** What follows happens now. */
  endReplay(): void;
  /** Puts something of the tool's own among the items, as the latest. */
  tell(notice: ToldItem['notice']): void;
  /** The same object until something changed. */
  state(): ConversationState;
}

export function createFold(): ConversationFold {
  const draft = newDraft();
  let told = 0;
  let state: ConversationState | undefined;
  return {
    take(event, place) {
      if (place.seq <= draft.lastSeq) return;
      draft.lastSeq = place.seq;
      takeEvent(draft, event, place);
      state = undefined;
    },
    endReplay() {
      draft.isReplayed = true;
    },
    tell(notice) {
      told += 1;
      add(draft, { kind: 'told', key: `told:${told}`, notice });
      state = undefined;
    },
    state: () => (state ??= stateOf(draft)),
  };
}

function stateOf(draft: Draft): ConversationState {
  return {
    items: draft.items.slice(),
    lastSeq: draft.lastSeq,
    isRunning: draft.isRunning,
    turnStartedAt: draft.turnStartedAt,
    turnTokens: draft.turnTokens,
    contextTokens: draft.contextTokens,
    contextParts: draft.contextParts,
    costUsd: draft.costUsd,
    todo: draft.todo,
    pending: draft.elicitations[0] ?? draft.pending,
    retry: draft.retry,
    branch: draft.branch,
    hasAgents: draft.hasAgents,
  };
}

function takeEvent(draft: Draft, event: SessionEvent, place: Placed): void {
  switch (event.type) {
    case 'RunStarted':
      return startTurn(draft, event, place);
    case 'RunFinished':
    case 'RunError':
      return endTurn(draft, event, place);
    case 'RunRedirectRequested':
    case 'RunRedirectApplied':
    case 'RunRedirectCancelled':
    case 'RunRedirectFailed':
      return steer(draft, event);
    case 'QueuedMessageDelivered':
      return person(draft, { key: keyAt(place.seq), text: event.testo, images: event.immagini });
    case 'TextMessageStart':
    case 'TextMessageContent':
    case 'TextMessageEnd':
    case 'ReasoningMessageStart':
    case 'ReasoningMessageContent':
    case 'ReasoningMessageEnd':
      return prose(draft, event, place);
    case 'ToolCallStart':
    case 'ToolCallArgs':
    case 'ToolCallOutput':
    case 'ToolCallResult':
      return tool(draft, event, place);
    default:
      return takeOther(draft, event, place);
  }
}

function takeOther(draft: Draft, event: SessionEvent, place: Placed): void {
  switch (event.type) {
    case 'StateDelta':
      return fileChanges(draft, event);
    case 'ApprovalRequested':
    case 'ApprovalResolved':
      return approval(draft, event);
    case 'UserQuestionRequested':
    case 'UserQuestionResolved':
      return question(draft, event);
    case 'ComandoUtenteIniziato':
    case 'ComandoUtenteFinito':
      return ownCommand(draft, event, place);
    case 'ArtifactCreated':
      return add(draft, { kind: 'event', key: keyAt(place.seq), event: { name: 'artifact', title: event.titolo } });
    case 'CUSTOM':
      return custom(draft, event, place);
    default:
      // Kinds newer than this tool, and changes in the folder made outside of it: nothing of the conversation.
      return;
  }
}
