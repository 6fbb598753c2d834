import '../../../styles/overlays.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BookMarked, Pencil, Plus, SquareSlash } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Menu, type MenuEntry } from '../../../parts/menu.tsx';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { api } from '../../../wire/client.ts';
import { createNote, notesQuery, refreshRecords } from '../../../wire/notes-tasks-memories.ts';
import { sessionToolsQuery } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';

/** A prompt is a note whose title begins with it: notes are edited, searched and shared with the command line. */
const PREFIX = 'Prompt: ';
const MOST_PROMPTS = 50;
/** Of a note, as the server accepts it. */
const LONGEST_TITLE = 120;

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

interface PromptsProps {
  sessionId: string;
  text: string;
  setText: (text: string) => void;
}

/** The prompts and the user's own commands: entries of a menu, which puts them into the message. */
export function Prompts({ sessionId, text, setText }: PromptsProps) {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  // Read when the pointer or the focus comes to the button.
  const [isNear, setIsNear] = useState(false);
  const near = () => setIsNear(true);
  const notes = useQuery({
    ...notesQuery({ text: PREFIX.trim(), most: MOST_PROMPTS }),
    enabled: isNear,
    refetchInterval: false,
  });
  const tools = useQuery({ ...sessionToolsQuery(sessionId), enabled: isNear });
  const fail = (error: unknown) => openOverlay({ kind: 'failure', title: say('prompt.title'), error });
  const insert = (words: string) => setText(text.trim() === '' ? words : `${text.trimEnd()}\n\n${words}`);
  const insertPrompt = useMutation({
    mutationFn: async (id: string) => (await api.get('/me/notes/{noteId}', { path: { noteId: id } })).note,
    onSuccess: ({ content }) => insert(content),
    onError: fail,
  });
  const save = useMutation({
    mutationFn: () =>
      createNote({ title: `${PREFIX}${firstLine(text)}`.slice(0, LONGEST_TITLE), content: text.trim() }),
    onSuccess: () => refreshRecords(client, 'notes'),
    onError: fail,
  });
  const prompts = (notes.data?.rows ?? []).filter(({ title }) => title.startsWith(PREFIX));
  const commands = (tools.data?.commands ?? []).filter(({ origin }) => origin === 'written');
  const entries: MenuEntry[] = [
    ...prompts.map(({ id, title, content }) => ({
      id,
      icon: <BookMarked size={14} aria-hidden />,
      name: title.slice(PREFIX.length),
      why: firstLine(content).slice(0, 80),
      act: () => insertPrompt.mutate(id),
    })),
    ...commands.map(({ name, description }) => ({
      id: `/${name}`,
      icon: <SquareSlash size={14} aria-hidden />,
      name: `/${name}`,
      why: description,
      act: () => setText(`/${name} `),
    })),
    {
      id: 'save',
      icon: <Plus size={14} aria-hidden />,
      name: say('prompt.save'),
      why: text.trim() === '' ? say('prompt.save.why') : '',
      isDisabled: text.trim() === '' || save.isPending,
      act: () => save.mutate(),
    },
    {
      id: 'edit',
      icon: <Pencil size={14} aria-hidden />,
      name: say('prompt.edit'),
      act: () => void navigate('/records/notes'),
    },
  ];
  return (
    <span className="prompts" onPointerEnter={near} onFocus={near}>
      <Menu
        className="prompt-button"
        label={say('prompt.title')}
        icon={<BookMarked size={14} aria-hidden />}
        entries={entries}
      />
      <span className="unseen" role="status">
        {save.isSuccess ? say('prompt.saved') : ''}
      </span>
    </span>
  );
}
