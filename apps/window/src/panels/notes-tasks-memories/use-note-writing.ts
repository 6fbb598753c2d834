import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { changeNote, createNote, type Note, refreshRecords } from '../../wire/notes-tasks-memories.ts';
import { fieldsOf, keepDraft, type NoteDraft, recallDraft } from './note-draft.ts';
import { createSaver, type SaveState } from './saver.ts';

export interface NoteWriting {
  draft: NoteDraft;
  write(change: Partial<NoteDraft>): void;
  state: SaveState;
  /** The error when it is `failed`. */
  error: unknown;
  /** Saves unsaved changes now. */
  settle(): Promise<void>;
  /** Undefined until the first save. */
  id(): string | undefined;
}

/** A note being edited: saved after pauses, and stored in the browser until then. */
export function useNoteWriting(note: Note | undefined, onMade: (id: string) => void): NoteWriting {
  const client = useQueryClient();
  const id = useRef(note?.id);
  const made = useRef(onMade);
  made.current = onMade;
  const [first] = useState(() => recallDraft(note?.id));
  const [draft, setDraft] = useState<NoteDraft>(first ?? { title: note?.title ?? '', content: note?.content ?? '' });
  const latest = useRef(draft);
  const [{ state, error }, setState] = useState<{ state: SaveState; error: unknown }>({
    state: 'saved',
    error: undefined,
  });

  const saver = useMemo(
    () =>
      createSaver<NoteDraft>({
        onState: (next, cause) => setState({ state: next, error: cause }),
        async save(value) {
          const fields = fieldsOf(value);
          if (!fields) return;
          const before = id.current;
          const saved = before === undefined ? await createNote(fields) : await changeNote(before, fields);
          id.current = saved.id;
          keepDraft(before, null);
          if (before === undefined) made.current(saved.id);
          await refreshRecords(client, 'notes');
        },
      }),
    [client],
  );

  useEffect(() => {
    if (first) saver.change(first);
    return () => void saver.flush();
  }, [saver, first]);

  const write = useCallback(
    (change: Partial<NoteDraft>) => {
      const next = { ...latest.current, ...change };
      latest.current = next;
      setDraft(next);
      keepDraft(id.current, next);
      saver.change(next);
    },
    [saver],
  );
  // A note that cannot be saved (empty or too long) is not shown as saved.
  const shown = state === 'saved' && !fieldsOf(draft) ? 'unsaved' : state;
  return { draft, write, state: shown, error, settle: saver.flush, id: () => id.current };
}
