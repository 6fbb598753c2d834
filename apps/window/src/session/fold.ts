import type { SessionEvent } from '../wire/events.ts';
import type { Conversation } from './conversation.ts';
import { add, type Draft, draftOf, finished } from './draft.ts';
import { approval, question } from './fold-cards.ts';
import { custom } from './fold-custom.ts';
import { ownCommand, patch, tool } from './fold-tools.ts';
import { endTurn, outcomeOf, person, prose, redirect, startTurn } from './fold-turn.ts';

/**
 * The conversation after some more events. Pure to its callers: `before` stays as it was, and only the items that
 * the batch touched are new values, so that a view redraws nothing else. Unknown events and repeated sequences pass.
 */
export function fold(before: Conversation, batch: readonly SessionEvent[]): Conversation {
  const draft = draftOf(before);
  for (const event of batch) {
    if (event._sequenza !== undefined) {
      if (event._sequenza <= draft.lastSequence) continue;
      draft.lastSequence = event._sequenza;
    }
    take(draft, event);
  }
  return finished(draft);
}

function take(draft: Draft, event: SessionEvent): void {
  switch (event.type) {
    case 'RunStarted':
      return startTurn(draft, event);
    case 'RunFinished':
      return endTurn(draft, 'done', undefined);
    case 'RunError':
      return endTurn(draft, outcomeOf(event.code), event);
    case 'RunRedirectRequested':
    case 'RunRedirectApplied':
    case 'RunRedirectCancelled':
    case 'RunRedirectFailed':
      return redirect(draft, event);
    case 'QueuedMessageDelivered':
      return person(draft, event.testo, event);
    case 'TextMessageStart':
    case 'TextMessageContent':
    case 'TextMessageEnd':
      return prose(draft, 'text', event);
    case 'ReasoningMessageStart':
    case 'ReasoningMessageContent':
    case 'ReasoningMessageEnd':
      return prose(draft, 'reasoning', event);
    case 'ToolCallStart':
    case 'ToolCallArgs':
    case 'ToolCallOutput':
    case 'ToolCallResult':
      return tool(draft, event);
    case 'StateDelta':
      for (const operation of event.delta) patch(draft, operation);
      return;
    default:
      return takeOther(draft, event);
  }
}

function takeOther(draft: Draft, event: SessionEvent): void {
  switch (event.type) {
    case 'WorkspaceChanged':
      draft.filesVersion += 1;
      return;
    case 'ApprovalRequested':
    case 'ApprovalResolved':
      return approval(draft, event);
    case 'UserQuestionRequested':
    case 'UserQuestionResolved':
      return question(draft, event);
    case 'ComandoUtenteIniziato':
    case 'ComandoUtenteFinito':
      return ownCommand(draft, event);
    case 'ArtifactCreated':
      return add(draft, { kind: 'artifact', key: event.id, turn: draft.turn, title: event.titolo });
    case 'CUSTOM':
      return custom(draft, event.name, event.value);
    default:
      // Kinds that this window does not show.
      return;
  }
}
