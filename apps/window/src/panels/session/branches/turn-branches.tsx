import type { Conversation, EndItem, UserItem } from '@fucina/conversation';
import { messageReference } from '@fucina/conversation/reader';
import { GitFork, Redo2, RotateCcw } from 'lucide-react';
import { useCallback } from 'react';
import { useParams } from 'react-router';
import { Failure } from '../../../parts/states.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { useResume } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';
import { continuation, useBranch } from './use-branches.tsx';

const isRunningNow = (conversation: Conversation) => conversation.isRunning;
const undoneTurns = ({ items }: Conversation) =>
  items.filter((item) => item.kind === 'end' && (item.undone.files || item.undone.chat)).length;

/** Brings back all that was undone, where that is more than one turn. */
export function RedoAll() {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const count = useConversationFact(undoneTurns);
  const redo = useResume(sessionId);
  if (count < 2) return null;
  return (
    <>
      <button type="button" className="text-button" onClick={() => redo.mutate({ message: '/redo all' })}>
        <Redo2 size={12} aria-hidden /> {say('restore.redoAll')}
      </button>
      {redo.error && <Failure error={redo.error} />}
    </>
  );
}

/** Ask again for the answer of a turn, or continue elsewhere after it. */
export function TurnBranches({ item }: { item: EndItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const isRunning = useConversationFact(isRunningNow);
  const reference = messageReference(item.start);
  const asked = useConversationFact(
    useCallback(
      ({ items }: Conversation) =>
        reference === undefined
          ? undefined
          : items.find((one): one is UserItem => one.kind === 'user' && one.reference === reference && !one.isRemoved),
      [reference],
    ),
  );
  const branch = useBranch(sessionId);
  if (!asked || reference === undefined || isRunning) return null;
  const button = (label: string, Icon: typeof GitFork, act: () => void) => (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      disabled={branch.isPending}
      onClick={act}
    >
      <Icon size={14} aria-hidden />
    </button>
  );
  return (
    <>
      {button(say('branch.regenerate'), RotateCcw, () =>
        branch.mutate(continuation(reference, asked.text, asked.images)),
      )}
      {button(say('branch.after'), GitFork, () => branch.mutate({ after: reference }))}
      {branch.error && <Failure error={branch.error} />}
    </>
  );
}
