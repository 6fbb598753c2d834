import type { Conversation } from './conversation.ts';
import { add, type Draft, draftOf, finished } from './draft.ts';
import type { StreamEvent } from './events.ts';
import { approval, question } from './fold-cards.ts';
import { custom } from './fold-custom.ts';
import { ownCommand, patch, tool } from './fold-tools.ts';
import { endTurn, message, prose, startTurn, steer } from './fold-turn.ts';

/**
 * The conversation after more events. Pure for its callers: `before` does not change, and only the items that the batch
 * touched are new values, so that a view redraws nothing else. Unknown events and repeated sequences are ignored; if
 * nothing was new, the result is `before` itself.
 */
export function fold(before: Conversation, batch: readonly StreamEvent[]): Conversation {
  let draft: Draft | undefined;
  for (const event of batch) {
    const { sequence } = event;
    if (sequence !== undefined && sequence <= (draft ?? before).lastSequence) continue;
    draft ??= draftOf(before);
    draft.lastSequence = sequence ?? draft.lastSequence;
    take(draft, event);
  }
  return draft ? finished(draft) : before;
}

function take(draft: Draft, event: StreamEvent): void {
  switch (event.type) {
    case 'RunStarted':
      return startTurn(draft, event);
    case 'RunFinished':
    case 'RunError':
      return endTurn(draft, event);
    case 'RunRedirectRequested':
    case 'RunRedirectApplied':
    case 'RunRedirectCancelled':
    case 'RunRedirectFailed':
      return steer(draft, event);
    case 'QueuedMessageDelivered':
      return message(draft, event.text, event);
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

function takeOther(draft: Draft, event: StreamEvent): void {
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
    case 'UserCommandStarted':
    case 'UserCommandFinished':
      return ownCommand(draft, event);
    case 'ArtifactCreated':
      return add(draft, { kind: 'artifact', key: event.id, turn: draft.turn, title: event.title });
    case 'CUSTOM':
      return custom(draft, event.name, event.value);
    default:
      // Newer kinds than this reader knows, and events that do not concern the conversation.
      return;
  }
}
