import type { Conversation, ProseItem, UserItem } from '@fucina/conversation';
import { CornerDownRight, Trash2 } from 'lucide-react';
import { useParams } from 'react-router';
import { Images } from '../../../parts/images.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { CopyButton } from '../../../parts/ref.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { address, erase } from '../../../wire/call.ts';
import { useWords } from '../../../words/words.ts';

const isRunningNow = (conversation: Conversation) => conversation.isRunning;

/** What can be done with one message; it is taken out of the conversation only between turns. */
function MessageTools({ text, reference }: { text: string; reference: string | undefined }) {
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
      run: () => erase(address(['sessions', sessionId, 'messages', reference ?? ''])),
    });
  return (
    <div className="message-tools">
      <CopyButton value={text} />
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
  if (item.isRemoved) return <Removed />;
  return (
    <div className="message">
      <div className="person" data-redirect={item.steer}>
        {item.text}
        {item.images.length > 0 && <Images images={item.images} />}
      </div>
      {item.steer && (
        <p className="aside">
          <CornerDownRight size={12} aria-hidden /> {say(`redirect.${item.steer}`)}
        </p>
      )}
      <MessageTools text={item.text} reference={item.reference} />
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
