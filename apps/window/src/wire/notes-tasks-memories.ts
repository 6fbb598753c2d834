import type { components } from '@fucina/wire-types';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, amend, erase, read, send, WireError } from './call.ts';

type Schemas = components['schemas'];
export type Note = Schemas['Note'];
export type ListedNote = Schemas['ListedNote'];
export type Task = Schemas['ListedTask'];
export type Memory = Schemas['ListedMemory'];
export type TaskStatus = Task['stato'];
export type TaskPriority = Task['priorita'];
export type MemoryKind = Memory['genere'];

export const TASK_STATUSES = ['todo', 'doing', 'done'] as const satisfies readonly TaskStatus[];
export const TASK_PRIORITIES = ['high', 'normal', 'low'] as const satisfies readonly TaskPriority[];
export const MEMORY_KINDS = [
  'preference',
  'project_fact',
  'procedure',
  'policy_note',
] as const satisfies readonly MemoryKind[];

type Collection = 'notes' | 'tasks' | 'memory';

/** Polled, because the agent may change them. */
const POLL_MS = 10_000;
/** Records per request. */
export const PAGE = 200;

interface Rows<Row> {
  rows: Row[];
  /** There are more than these. */
  isCut: boolean;
}

function listQuery<Row>(collection: Collection, name: string, { text, most }: { text: string; most: number }) {
  return queryOptions({
    queryKey: ['records', collection, text, most],
    queryFn: async ({ signal }): Promise<Rows<Row>> => {
      const query = { cerca: text.trim() || undefined, limite: String(most + 1) };
      const answer = await read<Record<string, unknown>>(address(['me', collection], query), signal);
      const rows = answer[name] as Row[] | null;
      // The list also responds when the store fails: then it contains a message.
      if (!rows) throw unreadable(String(answer.errore));
      return { rows: rows.slice(0, most), isCut: rows.length > most };
    },
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

function unreadable(sentence: string): WireError {
  const body = { code: 'INTERNAL_ERROR', message: sentence, title: sentence, explanation: '', action: '' };
  return new WireError('INTERNAL_ERROR', body);
}

export const notesQuery = (ask: { text: string; most: number }) => listQuery<ListedNote>('notes', 'note', ask);
export const tasksQuery = (ask: { text: string; most: number }) => listQuery<Task>('tasks', 'attivita', ask);
export const memoriesQuery = (ask: { text: string; most: number }) => listQuery<Memory>('memory', 'memorie', ask);

export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: ['records', 'note', id],
    queryFn: async ({ signal }) => (await read<{ nota: Note }>(address(['me', 'notes', id]), signal)).nota,
    // A record is not refreshed while the user edits it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const refreshRecords = (client: QueryClient, collection: Collection): Promise<void> =>
  client.invalidateQueries({ queryKey: ['records', collection] });

export type NoteFields = { titolo: string; contenuto: string };
export type TaskFields = Pick<Task, 'titolo' | 'descrizione' | 'priorita'>;
export type MemoryFields = Pick<Memory, 'titolo' | 'contenuto' | 'genere'>;

export const createNote = async (fields: NoteFields): Promise<Note> =>
  (await send<{ nota: Note }>(address(['me', 'notes']), fields)).nota;
export const changeNote = async (id: string, fields: Partial<NoteFields>): Promise<Note> =>
  (await amend<{ nota: Note }>(address(['me', 'notes', id]), fields)).nota;
export const deleteNote = (id: string): Promise<unknown> => erase(address(['me', 'notes', id]));

export const createTask = async (fields: Partial<TaskFields> & { titolo: string }): Promise<Task> =>
  (await send<{ attivita: Task }>(address(['me', 'tasks']), fields)).attivita;
export const changeTask = (id: string, fields: Partial<TaskFields>): Promise<unknown> =>
  amend(address(['me', 'tasks', id]), fields);
export const setTaskStatus = (id: string, stato: TaskStatus): Promise<unknown> =>
  send(address(['me', 'tasks', id, 'stato']), { stato });
export const deleteTasks = (ids: readonly string[]): Promise<unknown> =>
  send(address(['me', 'tasks', 'batch']), { azione: 'elimina', ids });

export const createMemory = (fields: MemoryFields): Promise<{ memoria: Memory; duplicato: boolean }> =>
  send(address(['me', 'memory']), fields);
export const changeMemory = (id: string, fields: Partial<MemoryFields>): Promise<unknown> =>
  amend(address(['me', 'memory', id]), fields);
export const deleteMemory = (id: string): Promise<unknown> => erase(address(['me', 'memory', id]));
