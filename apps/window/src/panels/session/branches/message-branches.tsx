import type { Conversation, UserItem } from '@fucina/conversation';
import { messageReference } from '@fucina/conversation/reader';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, History, Pencil } from 'lucide-react';
import { useCallback } from 'react';
import { Link, useParams } from 'react-router';
import { useConversationFact } from '../../../session/use-session.tsx';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { api } from '../../../wire/client.ts';
import { useWords } from '../../../words/words.ts';
import { RestorePreview } from './restore-preview.tsx';
import { branchesQuery, useChangedSince } from './use-branches.tsx';
import '../../../styles/branches.css';

/** Whether the message began a turn that is over, and no turn runs. */
function useIsBranchable(reference: string): boolean {
  return useConversationFact(
    useCallback(
      ({ isRunning, items }: Conversation) =>
        !isRunning && items.some((item) => item.kind === 'end' && messageReference(item.start) === reference),
      [reference],
    ),
  );
}

interface MessageBranchesProps {
  item: UserItem;
  reference: string;
  edit: () => void;
}

/** Edit a message of the user, or restore the files to before it. */
export function MessageBranches({ item, reference, edit }: MessageBranchesProps) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const changed = useChangedSince(item.turn);
  if (!useIsBranchable(reference)) return null;
  const restore = () =>
    openOverlay({
      kind: 'confirm',
      title: say('restore.title'),
      text: <RestorePreview sessionId={sessionId} reference={reference} />,
      act: say('restore.act'),
      isDangerous: false,
      run: () => api.post('/ext/sessions/{sessionId}/restore', { path: { sessionId }, body: { reference } }),
    });
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={say('branch.edit')}
        title={say('branch.edit')}
        onClick={edit}
      >
        <Pencil size={14} aria-hidden />
      </button>
      {changed > 0 && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('restore.title')}
          title={say('restore.title')}
          onClick={restore}
        >
          <History size={14} aria-hidden />
        </button>
      )}
    </>
  );
}

/** Goes to the other versions of a message, each in a session of its own. */
export function VersionSwitcher({ reference }: { reference: string }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const { data } = useQuery(branchesQuery(sessionId));
  const point = data?.find((point) => point.reference === reference);
  if (!point) return null;
  const at = point.sessions.indexOf(point.current);
  const position = { at: at + 1, all: point.sessions.length };
  const step = (to: number, label: string, icon: typeof ChevronLeft) => {
    const Icon = icon;
    const target = point.sessions[to];
    return target === undefined ? (
      <span className="icon-button" aria-hidden data-disabled>
        <Icon size={14} />
      </span>
    ) : (
      <Link to={`/sessions/${target}`} className="icon-button" aria-label={label} title={label}>
        <Icon size={14} aria-hidden />
      </Link>
    );
  };
  return (
    <nav className="versions tabular" aria-label={say('branch.position', position)}>
      {step(at - 1, say('branch.previous'), ChevronLeft)}
      <span aria-hidden>
        {position.at}/{position.all}
      </span>
      {step(at + 1, say('branch.next'), ChevronRight)}
    </nav>
  );
}
