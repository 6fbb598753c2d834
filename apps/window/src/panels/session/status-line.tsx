import { Cpu, Folder, GitBranch, Shield, Wifi, WifiOff } from 'lucide-react';
import { Link } from 'react-router';
import type { Conversation } from '../../session/conversation.ts';
import { useLink, usePicked } from '../../session/use-session.tsx';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

const folderOf = (conversation: Conversation) => conversation.folder;
const branchOf = (conversation: Conversation) => conversation.branch;

/** Where the session works, with what, and how far it may go. */
export function StatusLine({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const folder = usePicked(folderOf);
  const branch = usePicked(branchOf);
  const link = useLink();
  const LinkIcon = link === 'lost' ? WifiOff : Wifi;
  return (
    <div className="status">
      {folder && (
        <span className="status-part status-folder" title={folder}>
          <Folder size={12} aria-hidden />
          <span className="status-path">
            <bdi>{folder}</bdi>
          </span>
        </span>
      )}
      {branch && (
        <Link className="status-part" title={say('status.branch')} to={`/sessions/${row.sessionId}/git`}>
          <GitBranch size={12} aria-hidden />
          {branch}
        </Link>
      )}
      <span className="status-part" title={say('status.model')}>
        <Cpu size={12} aria-hidden />
        {row.modello ?? say('model.default')}
      </span>
      <span className="status-part" title={say('status.permission')}>
        <Shield size={12} aria-hidden />
        {say(`level.${row.permessi}`)}
      </span>
      <span className="status-part status-link" data-link={link}>
        <LinkIcon size={12} aria-hidden />
        {say(`link.${link}`)}
      </span>
    </div>
  );
}
