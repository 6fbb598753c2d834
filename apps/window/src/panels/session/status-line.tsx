import type { Conversation } from '@fucina/conversation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Box, Folder, GitBranch, Wifi, WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { CleanText } from '../../parts/clean-text.tsx';
import { sandboxWords } from '../../parts/sandbox-words.ts';
import { useConversationFact, useStreamState } from '../../session/use-session.tsx';
import { gitSyncQuery } from '../../wire/git-sync.ts';
import { processesQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

const folderOf = (conversation: Conversation) => conversation.folder;
const branchOf = (conversation: Conversation) => conversation.branch;
/** Not while stored events are read: the turns among them are over. */
const isRunningOf = ({ isRunning, isReplayed }: Conversation) => isRunning && isReplayed;

/** The current branch: the conversation only knows that of the turn's start. */
function useBranch(sessionId: string): string | undefined {
  const eventBranch = useConversationFact(branchOf);
  // Not refreshed during a turn, and refreshed when the window gets the focus.
  const { data: sync } = useQuery({
    ...gitSyncQuery(sessionId),
    enabled: eventBranch !== undefined,
    refetchOnMount: 'always',
  });
  return sync ? (sync.branch ?? undefined) : eventBranch;
}

/** How the agent's last command was sandboxed; undefined before the first. The user's own commands do not count. */
function useHold(sessionId: string): string | undefined {
  const { data } = useQuery(processesQuery(sessionId));
  const held = (data?.processes ?? []).filter(({ sandbox, origin }) => sandbox !== null && origin === 'model');
  return held.sort((one, other) => other.startSequence - one.startSequence)[0]?.sandbox ?? undefined;
}

/** Data that a turn may have changed is refreshed when it ends. */
function useFreshAfterTurn(sessionId: string): void {
  const isRunning = useConversationFact(isRunningOf);
  const client = useQueryClient();
  useEffect(() => {
    if (!isRunning) return undefined;
    return () => {
      void client.invalidateQueries({ queryKey: gitSyncQuery(sessionId).queryKey });
      void client.invalidateQueries({ queryKey: processesQuery(sessionId).queryKey });
    };
  }, [client, sessionId, isRunning]);
}

/** Folder, branch and sandbox of the session. */
export function StatusLine({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const folder = useConversationFact(folderOf);
  const branch = useBranch(row.sessionId);
  const hold = useHold(row.sessionId);
  useFreshAfterTurn(row.sessionId);
  const link = useStreamState();
  const LinkIcon = link === 'lost' ? WifiOff : Wifi;
  return (
    <div className="status">
      {folder && (
        <span className="status-part status-folder" title={folder}>
          <Folder size={12} aria-hidden />
          <span className="status-path">
            <CleanText text={folder} />
          </span>
        </span>
      )}
      {branch && (
        <Link className="status-part" title={say('status.branch')} to={`/sessions/${row.sessionId}/git`}>
          <GitBranch size={12} aria-hidden />
          <CleanText text={branch} />
        </Link>
      )}
      {hold !== undefined && (
        <span className="status-part" title={sandboxWords(hold, say)}>
          <Box size={12} aria-hidden />
          {say(hold === 'none' ? 'status.not-sandboxed' : 'status.sandboxed')}
        </span>
      )}
      <span className="status-part status-link" data-link={link}>
        <LinkIcon size={12} aria-hidden />
        {say(`link.${link}`)}
      </span>
    </div>
  );
}
