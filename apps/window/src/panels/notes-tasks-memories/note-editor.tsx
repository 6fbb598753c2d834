import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Markdown } from '../../parts/markdown.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import { deleteNote, type Note, type NoteFields, noteQuery, refreshRecords } from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { fieldsOf, MAX_CONTENT, MAX_TITLE, type NoteDraft, recallDraft } from './note-draft.ts';
import { type NoteWriting, useNoteWriting } from './use-note-writing.ts';

interface NoteEditorProps {
  /** Undefined for an unsaved one. */
  id: string | undefined;
  onMade: (id: string) => void;
  /** Called with its content. */
  onRemoved: (fields: NoteFields) => void;
}

export function NoteEditor({ id, ...acts }: NoteEditorProps) {
  // A note created here is not loaded again: the editor has its content.
  const [readId] = useState(id);
  const query = useQuery({ ...noteQuery(readId ?? ''), enabled: readId !== undefined });
  if (readId === undefined) return <Sheet note={undefined} {...acts} />;
  if (query.data) return <Sheet note={query.data} {...acts} />;
  return (
    <section className="note">
      {query.isError ? <Failure error={query.error} retry={() => void query.refetch()} /> : <Loading lines={8} />}
    </section>
  );
}

function Sheet({ note, onMade, onRemoved }: { note: Note | undefined } & Omit<NoteEditorProps, 'id'>) {
  const { say } = useWords();
  const client = useQueryClient();
  const writing = useNoteWriting(note, onMade);
  const { draft, write } = writing;
  const isMarkdown = note?.format === 'markdown';
  const [isRead, setIsRead] = useState(isMarkdown && recallDraft(note?.id) === undefined);
  const remove = async () => {
    await writing.settle();
    const id = writing.id();
    if (id !== undefined) await deleteNote(id);
    await refreshRecords(client, 'notes');
    const fields = fieldsOf(draft);
    if (fields) onRemoved(fields);
  };
  return (
    <section className="note" aria-label={draft.title || say('records.notes.untitled')}>
      <div className="note-head">
        <Link
          className="icon-button note-back"
          to="/records/notes"
          aria-label={say('act.back')}
          title={say('act.back')}
        >
          <ArrowLeft size={14} aria-hidden />
        </Link>
        <div className="choice" role="group" aria-label={say('records.notes.way')}>
          <button type="button" aria-pressed={!isRead} onClick={() => setIsRead(false)}>
            {say('records.notes.write')}
          </button>
          <button type="button" aria-pressed={isRead} onClick={() => setIsRead(true)}>
            {say('records.notes.read')}
          </button>
        </div>
        <SaveMark writing={writing} />
        <button
          type="button"
          className="icon-button"
          aria-label={say('records.notes.remove')}
          title={say('records.notes.remove')}
          onClick={() =>
            void remove().catch((error: unknown) =>
              openOverlay({ kind: 'failure', title: say('records.notes.remove'), error }),
            )
          }
        >
          <Trash2 size={14} aria-hidden />
        </button>
      </div>
      <Body draft={draft} write={write} isRead={isRead} isNew={note === undefined} />
      {draft.content.trim().length > MAX_CONTENT && (
        <p className="note-long" role="alert">
          {say('records.notes.long', { count: draft.content.trim().length - MAX_CONTENT })}
        </p>
      )}
      {writing.state === 'failed' && <Failure error={writing.error} retry={() => void writing.settle()} />}
    </section>
  );
}

interface BodyProps {
  draft: NoteDraft;
  write: NoteWriting['write'];
  isRead: boolean;
  isNew: boolean;
}

function Body({ draft, write, isRead, isNew }: BodyProps) {
  const { say } = useWords();
  return (
    <>
      <input
        className="note-title"
        aria-label={say('records.notes.title')}
        placeholder={say('records.notes.untitled')}
        maxLength={MAX_TITLE}
        value={draft.title}
        autoFocus={isNew}
        onChange={(event) => write({ title: event.currentTarget.value })}
      />
      {isRead ? (
        <div className="note-text markdown">
          <Markdown text={draft.content} />
        </div>
      ) : (
        <textarea
          className="note-text"
          aria-label={say('records.notes.content')}
          placeholder={say('records.notes.placeholder')}
          value={draft.content}
          onChange={(event) => write({ content: event.currentTarget.value })}
        />
      )}
    </>
  );
}

function SaveMark({ writing: { state, settle } }: { writing: NoteWriting }) {
  const { say } = useWords();
  // Leaving the page with unsaved changes needs a confirmation; the draft is stored anyway.
  useEffect(() => {
    if (state === 'saved') return undefined;
    const leave = (event: BeforeUnloadEvent) => {
      void settle();
      event.preventDefault();
    };
    addEventListener('beforeunload', leave);
    return () => removeEventListener('beforeunload', leave);
  }, [state, settle]);
  return (
    <span className="note-state muted small" role="status">
      {say(`records.state.${state}`)}
    </span>
  );
}
