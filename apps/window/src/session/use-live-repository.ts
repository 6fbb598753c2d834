import type { Conversation } from '@fucina/conversation';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshGit } from '../wire/git-sync.ts';
import { useConversationFact } from './use-session.tsx';

/** Changes whenever files or the repository may have changed. */
const pulseOf = ({ filesVersion, isRunning, isReplayed }: Conversation) =>
  isReplayed ? `${filesVersion} ${isRunning}` : undefined;

/** Reloads what is shown of the session's repository after each change of the agent. */
export function useLiveRepository(sessionId: string): void {
  const pulse = useConversationFact(pulseOf);
  const client = useQueryClient();
  useEffect(() => {
    if (pulse !== undefined) void refreshGit(client, sessionId);
  }, [client, sessionId, pulse]);
}
