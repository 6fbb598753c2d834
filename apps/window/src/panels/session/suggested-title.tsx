import type { Conversation } from '@fucina/conversation';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasSuggestedTitles } from '../../session/title-setting.ts';
import { useConversationFact } from '../../session/use-session.tsx';
import { api } from '../../wire/client.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';

/** The first turn ended while this page was open or before, and no other has begun. */
const hasOneAnswer = ({ isReplayed, turn, isRunning, items }: Conversation) =>
  isReplayed && turn === 1 && !isRunning && items.some(({ kind }) => kind === 'text');

/** Asks the model once for a name of this session, after its first answer. Sub-agents have names of their own. */
export function SuggestedTitle({ row }: { row: SessionRow }) {
  const isReady = useConversationFact(hasOneAnswer) && row.parentId === null;
  const client = useQueryClient();
  useEffect(() => {
    if (!isReady || !hasSuggestedTitles()) return;
    api
      .post('/ext/sessions/{sessionId}/title', { path: { sessionId: row.sessionId } })
      .then(({ isSet }) => (isSet ? client.invalidateQueries({ queryKey: sessionsQuery.queryKey }) : undefined))
      // The session keeps the name made of its first message.
      .catch(() => undefined);
  }, [isReady, row.sessionId, client]);
  return null;
}
