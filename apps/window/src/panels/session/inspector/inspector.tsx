import '../../../styles/inspector.css';
import type { Conversation } from '@fucina/conversation';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useConversationFact } from '../../../session/use-session.tsx';
import { processesQuery } from '../../../wire/queries.ts';
import type { SessionRow } from '../../../wire/records.ts';
import { childrenQuery } from '../../../wire/session-details.ts';
import { Agents } from './agents.tsx';
import { ChangedFileList } from './changed-file-list.tsx';
import { Context } from './context.tsx';
import { Instructions } from './instructions.tsx';
import { Processes } from './processes.tsx';
import { Servers } from './servers.tsx';
import { UsagePanel } from './usage.tsx';

const BUSY = 'busy';

/**
 * Changes when a call or a turn starts or ends, and begins with BUSY while one runs; undefined until the stored events
 * are read.
 */
const workOf = (conversation: Conversation) => {
  if (!conversation.isReplayed) return undefined;
  let over = 0;
  let background = 0;
  let open = 0;
  for (const item of conversation.items) {
    if (item.kind !== 'tool' && item.kind !== 'command') continue;
    if (item.isOver) over += 1;
    else open += 1;
    if (item.kind === 'tool' && item.background?.isRunning) background += 1;
  }
  const isBusy = conversation.isRunning || open + background > 0;
  return `${isBusy ? BUSY : 'idle'} ${conversation.items.length} ${over} ${background} ${conversation.isRunning}`;
};

/** Files, processes and usage of the session, beside the conversation. */
export function Inspector({ row }: { row: SessionRow }) {
  const work = useConversationFact(workOf);
  const client = useQueryClient();
  const { sessionId } = row;
  const seen = useRef<{ sessionId: string; work: string }>(undefined);
  useEffect(() => {
    if (work === undefined) return;
    // When a session opens, the panels request what they show: before its stored events are read, so that what has
    // started in the meantime is missing.
    const isFirst = seen.current?.sessionId !== sessionId;
    if (isFirst ? work.startsWith(BUSY) : seen.current?.work !== work) {
      void client.invalidateQueries({ queryKey: processesQuery(sessionId).queryKey });
      void client.invalidateQueries({ queryKey: childrenQuery(sessionId).queryKey });
    }
    seen.current = { sessionId, work };
  }, [client, sessionId, work]);
  return (
    <div className="inspector">
      <ChangedFileList sessionId={sessionId} />
      <Processes sessionId={sessionId} />
      <Servers sessionId={sessionId} />
      <Agents sessionId={sessionId} />
      <Context sessionId={sessionId} />
      <Instructions sessionId={sessionId} />
      <UsagePanel row={row} />
    </div>
  );
}
