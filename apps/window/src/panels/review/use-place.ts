import type { Conversation } from '@fucina/conversation';
import { useCallback } from 'react';
import { useConversationFact } from '../../session/use-session.tsx';
import { type Placed, placeInChanges, type ReviewComment } from './review-comment.ts';

const changesOf = (conversation: Conversation) => conversation.changes;

/** Where a comment stands in what the session has changed up to now. */
export function usePlaceInChanges(): (comment: ReviewComment) => Placed {
  const changes = useConversationFact(changesOf);
  return useCallback((comment) => placeInChanges(comment, changes), [changes]);
}
