import type { Conversation, ProseItem, UserItem } from '@fucina/conversation';
import { CornerDownRight, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { Images } from '../../../parts/images.tsx';
import { lazyPart, Waiting } from '../../../parts/lazy-part.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { CopyButton } from '../../../parts/ref.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { api } from '../../../wire/client.ts';
import { useWords, withWords } from '../../../words/words.ts';
import { editOf } from '../branches/edits.ts';

const branches = () => withWords(import('../branches/message-branches.tsx'));
const MessageBranches = lazyPart(async () => (await branches()).MessageBranches, { isQuiet: true });
const VersionSwitcher = lazyPart(async () => (await branches()).VersionSwitcher, { isQuiet: true });
const TurnTime = lazyPart(async () => (await import('./turn-time.tsx')).TurnTime, { isQuiet: true });
const EditMessage = lazyPart(async () => (await withWords(import('../branches/edit-message.tsx'))).EditMessage);

const isRunningNow = (conversation: Conversation) => conversation.isRunning;

/** What can be done with one message; it is taken out of the conversation only between turns. */
interface MessageToolsProps {
  text: string;
  reference: string | undefined;
  more?: ReactNode;
}

function MessageTools({ text, reference, more }: MessageToolsProps) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const isRunning = useConversationFact(isRunningNow);
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('message.remove.title'),
      text: say('message.remove.text'),
      act: say('act.remove'),
      isDangerous: true,
      run: () =>
        api.delete('/sessions/{sessionId}/messages/{messageId}', { path: { sessionId, messageId: reference ?? '' } }),
    });
  return (
    <div className="message-tools">
      <CopyButton value={text} />
      {more}
      {reference && !isRunning && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('message.remove')}
          title={say('message.remove')}
          onClick={remove}
        >
          <Trash2 size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}

function Removed() {
  const { say } = useWords();
  return (
    <p className="aside">
      <Trash2 size={12} aria-hidden /> {say('message.removed')}
    </p>
  );
}

export function UserMessage({ item }: { item: UserItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const { reference } = item;
  const [isEditing, setIsEditing] = useState(
    () => reference !== undefined && editOf(sessionId, reference) !== undefined,
  );
  if (item.isRemoved) return <Removed />;
  const bubble = (
    <div className="user-message" data-redirect={item.steer}>
      {item.text}
      {item.images.length > 0 && <Images images={item.images} />}
    </div>
  );
  // A message that steered a turn began none.
  const isStart = reference !== undefined && !item.steer;
  if (isEditing && isStart) {
    return (
      <Waiting fallback={bubble}>
        <EditMessage item={item} reference={reference} close={() => setIsEditing(false)} />
      </Waiting>
    );
  }
  return (
    <div className="message">
      {bubble}
      {item.steer && (
        <p className="aside">
          <CornerDownRight size={12} aria-hidden /> {say(`redirect.${item.steer}`)}
        </p>
      )}
      {isStart && <VersionSwitcher reference={reference} />}
      <MessageTools
        text={item.text}
        reference={reference}
        more={
          isStart && (
            <>
              <MessageBranches item={item} reference={reference} edit={() => setIsEditing(true)} />
              <TurnTime reference={reference} edge="start" />
            </>
          )
        }
      />
    </div>
  );
}

export function Prose({ item }: { item: ProseItem }) {
  if (item.isRemoved) return <Removed />;
  return (
    <article className="message answer">
      <Markdown text={item.text} isOpen={item.isOpen} />
      {!item.isOpen && <MessageTools text={item.text} reference={item.key} />}
    </article>
  );
}
