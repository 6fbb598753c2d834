import type { Conversation } from '@fucina/conversation';
import { Image, ListOrdered, Pause, SendHorizontal, X } from 'lucide-react';
import { Failure } from '../../../parts/states.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { api } from '../../../wire/client.ts';
import { useSessionAction } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';

const queueOf = (conversation: Conversation) => conversation.queue;
const isRunningNow = (conversation: Conversation) => conversation.isRunning;

const useQueueAction = (sessionId: string, act: 'cancel' | 'send') =>
  useSessionAction((body: { id: string }) =>
    api.post(`/sessions/{sessionId}/queue/${act}`, { path: { sessionId }, body }),
  );

/** The queued messages, in order. */
export function Queue({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const { messages, isPaused } = useConversationFact(queueOf);
  const isRunning = useConversationFact(isRunningNow);
  const remove = useQueueAction(sessionId, 'cancel');
  const sendNow = useQueueAction(sessionId, 'send');
  const error = remove.error ?? sendNow.error;
  const isBusy = remove.isPending || sendNow.isPending;
  const Mark = isPaused ? Pause : ListOrdered;
  return (
    <section className="queue" aria-label={say('queue.title')}>
      <p className="queue-head small" role="status">
        <Mark size={12} className={isPaused ? 'warning' : undefined} aria-hidden />
        {say(isPaused ? 'queue.paused' : 'queue.waiting', { count: messages.length })}
      </p>
      <ol>
        {messages.map(({ id, text, images }) => (
          <li key={id} className="queue-row">
            <span className="queue-text" title={text}>
              {text}
            </span>
            {images > 0 && (
              <span className="small muted tabular" title={say('queue.images', { count: images })}>
                <Image size={12} aria-label={say('queue.images', { count: images })} /> {images}
              </span>
            )}
            <button
              type="button"
              className="icon-button"
              disabled={isBusy}
              aria-label={say('queue.sendNow', { text })}
              title={say(isRunning ? 'queue.sendNow.correct' : 'queue.sendNow.next')}
              onClick={() => sendNow.mutate({ id })}
            >
              <SendHorizontal size={14} aria-hidden />
            </button>
            <button
              type="button"
              className="icon-button"
              disabled={isBusy}
              aria-label={say('queue.remove', { text })}
              title={say('act.remove')}
              onClick={() => remove.mutate({ id })}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ol>
      {error && <Failure error={error} />}
    </section>
  );
}
