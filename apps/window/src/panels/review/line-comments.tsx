import '../../styles/forms.css';
import '../../styles/review.css';
import { Button } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useAutoGrow } from '../../parts/use-auto-grow.ts';
import { isMac } from '../../shell/shortcuts.ts';
import { useWords } from '../../words/words.ts';
import type { Placed } from './review-comment.ts';
import { cancelComment, draftComment, editComment, removeComments, saveComment } from './review-store.ts';

/** The comment whose editor the user just opened: it gets the focus. */
let opened: string | undefined;
export const focusEditor = (id: string): void => {
  opened = id;
};

/** Moves the focus to the line above, before its comment or editor disappears. */
function focusLine(element: Element): void {
  let before = element.closest('.line-comments')?.previousElementSibling;
  while (before && !before.querySelector('.line-add')) before = before.previousElementSibling;
  before?.querySelector<HTMLElement>('.line-add')?.focus();
}

interface CommentProps {
  sessionId: string;
  comment: Placed;
  isLoose: boolean;
}

function Editor({ sessionId, comment }: CommentProps) {
  const { say } = useWords();
  const [text, setText] = useState(comment.draft ?? comment.text);
  const box = useAutoGrow(text);
  const isNew = comment.text === '';
  useEffect(() => {
    if (opened !== comment.id) return;
    opened = undefined;
    box.current?.focus();
  }, [box, comment.id]);
  const leave = (act: () => void) => {
    if (box.current) focusLine(box.current);
    act();
  };
  const cancel = () => leave(() => cancelComment(sessionId, comment));
  const save = () => {
    if (text.trim() !== '') leave(() => saveComment(sessionId, comment.id, text));
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (isMac ? event.metaKey : event.ctrlKey)) save();
    else if (event.key === 'Escape') cancel();
    else return;
    event.preventDefault();
  };
  return (
    <div className="line-comment">
      <textarea
        ref={box}
        className="input"
        rows={2}
        value={text}
        aria-label={say(`review.at.${comment.side}`, { line: comment.line })}
        placeholder={say('review.placeholder')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          draftComment(sessionId, comment.id, event.currentTarget.value);
        }}
        onKeyDown={press}
      />
      <div className="line-comment-acts">
        <Button
          variant="filled"
          disabled={text.trim() === ''}
          title={isMac ? '⌘↵' : 'Ctrl+Enter'}
          aria-keyshortcuts={isMac ? 'Meta+Enter' : 'Control+Enter'}
          onClick={save}
        >
          {say(isNew ? 'review.add' : 'act.save')}
        </Button>
        <Button title="Esc" onClick={cancel}>
          {say('act.cancel')}
        </Button>
      </div>
    </div>
  );
}

function Written({ sessionId, comment, isLoose }: CommentProps) {
  const { say } = useWords();
  const place = say(`review.at.${comment.side}`, { line: comment.line });
  const edit = () => {
    focusEditor(comment.id);
    editComment(sessionId, comment);
  };
  return (
    <div className="line-comment" role="group" aria-label={place} id={`comment-${comment.id}`} tabIndex={-1}>
      <div className="line-comment-body">
        {(isLoose || comment.isOutdated) && <QuotedLine comment={comment} />}
        <p className="line-comment-text">{comment.text}</p>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={`${say('review.edit')}: ${place}`}
        title={say('review.edit')}
        onClick={edit}
      >
        <Pencil size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`${say('act.delete')}: ${place}`}
        title={say('act.delete')}
        onClick={(event) => {
          focusLine(event.currentTarget);
          removeComments(sessionId, [comment.id]);
        }}
      >
        <Trash2 size={14} aria-hidden />
      </button>
    </div>
  );
}

/** The commented line, with its text at that time. */
export function QuotedLine({ comment }: { comment: Placed }) {
  const { say } = useWords();
  return (
    <p className="line-comment-old small">
      {comment.isOutdated && (
        <span className="tag warning" title={say('review.outdated.why')}>
          {say('review.outdated')}
        </span>
      )}
      <code>{comment.quote.trim()}</code>
    </p>
  );
}

interface LineCommentsProps {
  sessionId: string;
  comments: readonly Placed[];
  /** Their lines are not shown. */
  isLoose?: boolean;
}

/** The comments on one line, or those of a file whose lines are not shown. */
export function LineComments({ sessionId, comments, isLoose = false }: LineCommentsProps) {
  return (
    <div className="line-comments" data-loose={isLoose || undefined}>
      {comments.map((comment) => {
        const Part = comment.draft === undefined ? Written : Editor;
        return <Part key={comment.id} sessionId={sessionId} comment={comment} isLoose={isLoose} />;
      })}
    </div>
  );
}
