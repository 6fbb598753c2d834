import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NotebookPen, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { useDeletedNotice } from '../../parts/use-deleted-notice.tsx';
import { createNote, type ListedNote, notesQuery, PAGE, refreshRecords } from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { keepDraft } from './note-draft.ts';
import { NoteEditor } from './note-editor.tsx';

const NEW = 'new';

function NoteRow({ note, isOpen }: { note: ListedNote; isOpen: boolean }) {
  const { ago } = useWords();
  return (
    <li>
      <Link className="note-row" to={`/records/notes/${note.id}`} aria-current={isOpen ? 'true' : undefined}>
        <span className="note-row-head">
          <span className="note-row-title">{note.title}</span>
          <span className="muted small tabular">{ago(note.updatedAt)}</span>
        </span>
        <span className="note-row-text muted">{note.content.slice(0, 160).replaceAll(/\s+/g, ' ')}</span>
      </Link>
    </li>
  );
}

interface ListProps {
  text: string;
  openId: string | undefined;
}

function NoteList({ text, openId }: ListProps) {
  const { say } = useWords();
  const [most, setMost] = useState(PAGE);
  const query = useQuery(notesQuery({ text, most }));
  return (
    <Answer query={query}>
      {({ rows, isCut }) =>
        rows.length === 0 ? (
          <p className="muted records-none">{say(text.trim() ? 'records.nothing' : 'records.notes.none')}</p>
        ) : (
          <ul className="note-rows">
            {rows.map((note) => (
              <NoteRow key={note.id} note={note} isOpen={note.id === openId} />
            ))}
            {isCut && (
              <li>
                <button type="button" className="nav-more" onClick={() => setMost(most + PAGE)}>
                  {say('records.more')}
                </button>
              </li>
            )}
          </ul>
        )
      }
    </Answer>
  );
}

/** The list, and beside it the open note; in a narrow window one of the two. */
export function Notes({ text }: { text: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { id } = useParams();
  const { line, tell } = useDeletedNotice();
  // A new note keeps its editor, so that the first save does not move the cursor.
  const editor = useRef({ key: 0, id });
  if (editor.current.id !== id) editor.current = { key: editor.current.key + 1, id };
  const startNew = () => {
    editor.current = { key: editor.current.key + 1, id: NEW };
    void navigate(`/records/notes/${NEW}`);
  };
  return (
    <div className="notes" data-open={id !== undefined || undefined}>
      <section className="notes-list" aria-label={say('records.notes')}>
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={startNew}>
          {say('records.notes.new')}
        </Button>
        <NoteList text={text} openId={id} />
      </section>
      {id === undefined ? (
        <div className="notes-none">
          <Empty icon={<NotebookPen size={20} aria-hidden />} title={say('records.notes.pick')}>
            {say('records.notes.why')}
          </Empty>
        </div>
      ) : (
        <NoteEditor
          key={editor.current.key}
          id={id === NEW ? undefined : id}
          onMade={(made) => {
            editor.current = { key: editor.current.key, id: made };
            void navigate(`/records/notes/${made}`, { replace: true });
          }}
          onRemoved={(fields) => {
            keepDraft(id, null);
            void navigate('/records/notes');
            tell({
              text: say('records.notes.removed', { name: fields.title }),
              undo: async () => {
                const back = await createNote(fields);
                await refreshRecords(client, 'notes');
                await navigate(`/records/notes/${back.id}`);
              },
            });
          }}
        />
      )}
      {line}
    </div>
  );
}
