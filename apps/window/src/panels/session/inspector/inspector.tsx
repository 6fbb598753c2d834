import '../../../styles/inspector.css';
import type { Conversation } from '@fucina/conversation';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useConversationFact } from '../../../session/use-session.tsx';
import { childrenQuery, processesQuery } from '../../../wire/queries.ts';
import type { SessionRow } from '../../../wire/records.ts';
import { Agents } from './agents.tsx';
import { ChangedFileList } from './changed-file-list.tsx';
import { Context } from './context.tsx';
import { Instructions } from './instructions.tsx';
import { Processes } from './processes.tsx';
import { UsagePanel } from './usage.tsx';

/** Changes when a call or a turn starts or ends; undefined until the stored events are read. */
const workOf = (conversation: Conversation) => {
  if (!conversation.isReplayed) return undefined;
  let over = 0;
  for (const item of conversation.items) {
    if ((item.kind === 'tool' || item.kind === 'command') && item.isOver) over += 1;
    if (item.kind === 'tool' && item.background?.isRunning) over += 1;
  }
  return `${conversation.items.length} ${over} ${conversation.isRunning}`;
};

/** Files, processes and usage of the session, beside the conversation. */
export function Inspector({ row }: { row: SessionRow }) {
  const work = useConversationFact(workOf);
  const client = useQueryClient();
  const { sessionId } = row;
  const seen = useRef<{ sessionId: string; work: string }>(undefined);
  useEffect(() => {
    if (work === undefined) return;
    // When a session opens, the panels request what they show.
    if (seen.current?.sessionId === sessionId && seen.current.work !== work) {
      void client.invalidateQueries({ queryKey: processesQuery(sessionId).queryKey });
      void client.invalidateQueries({ queryKey: childrenQuery(sessionId).queryKey });
    }
    seen.current = { sessionId, work };
  }, [client, sessionId, work]);
  return (
    <div className="inspector">
      <ChangedFileList sessionId={sessionId} />
      <Processes sessionId={sessionId} />
      <Agents sessionId={sessionId} />
      <Context sessionId={sessionId} />
      <Instructions sessionId={sessionId} />
      <UsagePanel row={row} />
    </div>
  );
}
