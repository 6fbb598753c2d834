import type { Conversation } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ArrowUp, ChevronRight, CornerDownRight, ListPlus, Trash2, Undo2, X } from 'lucide-react';
import { type MouseEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { CleanText } from '../../parts/clean-text.tsx';
import { Failure } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';
import { type MessageMode, sendAs } from '../session/composer/use-send.ts';
import { QuotedLine } from './line-comments.tsx';
import type { Placed, ReviewComment } from './review-comment.ts';
import { inOrder, reviewMessage } from './review-message.ts';
import { forgetRemoved, forgetSent, isReady, removeComments, restoreComments, useReview } from './review-store.ts';
import { usePlaceInChanges } from './use-place.ts';

const isRunningNow = (conversation: Conversation) => conversation.isRunning;

/** Comments are deleted once the server has accepted the message. */
function useSendReview(sessionId: string) {
  const { say } = useWords();
  return useMutation({
    // In order with what the composer sends.
    scope: { id: `send ${sessionId}` },
    mutationFn: ({ way, comments }: { way: MessageMode; comments: readonly Placed[] }) =>
      sendAs(sessionId, way, { message: reviewMessage(comments, say) }),
    onSuccess: (_answer, { comments }) => forgetSent(sessionId, comments),
  });
}

const PAGES: Record<ReviewComment['view'], (path: string) => string> = {
  changes: (path) => `changes#${encodeURIComponent(path)}`,
  branch: (path) => `changes?scope=branch#${encodeURIComponent(path)}`,
  git: (path) => `git?${new URLSearchParams({ file: path })}`,
};

const pageOf = (sessionId: string, { view, path }: ReviewComment): string =>
  `/sessions/${sessionId}/${PAGES[view](path)}`;

/** To the comment where the page shows it; elsewhere the link goes to the view that it was written in. */
function goToComment(event: MouseEvent, { id }: ReviewComment): void {
  const element = document.getElementById(`comment-${id}`);
  if (!element) return;
  event.preventDefault();
  element.scrollIntoView({ block: 'center' });
  element.focus();
}

function CommentList({ sessionId, comments }: { sessionId: string; comments: readonly Placed[] }) {
  const { say } = useWords();
  return (
    <ul className="review-list">
      {comments.map((comment) => {
        const place = `${comment.path}:${comment.line}`;
        return (
          <li key={comment.id}>
            <div className="line-comment-body">
              <Link className="path" to={pageOf(sessionId, comment)} onClick={(event) => goToComment(event, comment)}>
                <CleanText text={place} />
              </Link>
              {comment.isOutdated && <QuotedLine comment={comment} />}
              <p className="line-comment-text">{comment.text}</p>
            </div>
            <button
              type="button"
              className="icon-button"
              aria-label={`${say('act.delete')}: ${place}`}
              title={say('act.delete')}
              onClick={() => removeComments(sessionId, [comment.id])}
            >
              <Trash2 size={14} aria-hidden />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Removed({ sessionId, count }: { sessionId: string; count: number }) {
  const { say } = useWords();
  return (
    <div className="review-line">
      <p role="status">{say('review.removed', { count })}</p>
      <Button leftSection={<Undo2 size={14} aria-hidden />} onClick={() => restoreComments(sessionId)}>
        {say('review.undo')}
      </Button>
      <button
        type="button"
        className="icon-button"
        aria-label={say('act.close')}
        title={say('act.close')}
        onClick={() => forgetRemoved(sessionId)}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}

interface SendProps {
  pending: MessageMode | undefined;
  send: (way: MessageMode) => void;
}

/** As the composer sends: at once, or while a turn runs after it or into it. */
function SendButtons({ pending, send }: SendProps) {
  const { say } = useWords();
  const isRunning = useConversationFact(isRunningNow);
  const way = isRunning ? 'queue' : 'resume';
  return (
    <>
      {isRunning && (
        <Button
          leftSection={<CornerDownRight size={14} aria-hidden />}
          title={say('review.steer.why')}
          loading={pending === 'redirect'}
          disabled={pending !== undefined}
          onClick={() => send('redirect')}
        >
          {say('composer.redirect')}
        </Button>
      )}
      <Button
        variant="filled"
        leftSection={isRunning ? <ListPlus size={14} aria-hidden /> : <ArrowUp size={14} aria-hidden />}
        title={isRunning ? say('review.queue.why') : undefined}
        loading={pending !== undefined && pending !== 'redirect'}
        disabled={pending !== undefined}
        onClick={() => send(way)}
      >
        {say(isRunning ? 'composer.queue' : 'review.send')}
      </Button>
    </>
  );
}

/** How many comments wait, and what can be done with all of them. */
export function ReviewBar({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const place = usePlaceInChanges();
  const id = useId();
  const { comments, removed, isStored } = useReview(sessionId);
  const [isListed, setIsListed] = useState(false);
  const sending = useSendReview(sessionId);
  const ready = inOrder(comments.filter(isReady).map(place));
  const pending = sending.isPending ? sending.variables.way : undefined;
  if (ready.length === 0 && removed.length === 0 && !sending.isSuccess) return null;
  return (
    <section className="review-bar" aria-label={say('review.title')}>
      {sending.error && <Failure error={sending.error} />}
      {!isStored && <p className="review-line warning">{say('review.notStored')}</p>}
      {isListed && ready.length > 0 && (
        <div id={id}>
          <CommentList sessionId={sessionId} comments={ready} />
        </div>
      )}
      {removed.length > 0 && <Removed sessionId={sessionId} count={removed.length} />}
      {ready.length > 0 ? (
        <div className="review-line">
          <button
            type="button"
            className="review-count"
            aria-expanded={isListed}
            aria-controls={isListed ? id : undefined}
            onClick={() => setIsListed(!isListed)}
          >
            <ChevronRight size={14} className="fold-mark" aria-hidden />
            {say('review.comments', { count: ready.length })}
          </button>
          <Button
            disabled={pending !== undefined}
            onClick={() =>
              removeComments(
                sessionId,
                ready.map((comment) => comment.id),
              )
            }
          >
            {say('review.discard')}
          </Button>
          <SendButtons pending={pending} send={(way) => sending.mutate({ way, comments: ready })} />
        </div>
      ) : (
        sending.isSuccess && (
          <p className="review-line" role="status">
            {say(sending.variables.way === 'queue' ? 'review.queued' : 'review.sent')}
            <Link to={`/sessions/${sessionId}`}>{say('review.show')}</Link>
          </p>
        )
      )}
    </section>
  );
}
