import { ApiError, type Schemas } from '@fucina/client';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type Note = Schemas['Note'];
export type ListedNote = Schemas['ListedNote'];
export type Task = Schemas['ListedTask'];
export type Memory = Schemas['ListedMemory'];
export type TaskStatus = Task['state'];
export type TaskPriority = Task['priority'];
export type MemoryKind = Memory['kind'];

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

interface Found<Row> {
  rows: readonly Row[] | null;
  problem: string | null;
}

interface Request {
  query: { query: string | undefined; limit: string };
  signal: AbortSignal;
}

interface Listing<Row> {
  collection: Collection;
  read(request: Request): Promise<Found<Row>>;
}

function listQuery<Row>({ collection, read }: Listing<Row>, { text, most }: { text: string; most: number }) {
  return queryOptions({
    queryKey: ['records', collection, text, most],
    queryFn: async ({ signal }): Promise<Rows<Row>> => {
      const query = { query: text.trim() || undefined, limit: String(most + 1) };
      const { rows, problem } = await read({ query, signal });
      // The list also responds when the store fails: then it contains a message.
      if (!rows) throw unreadable(String(problem));
      return { rows: rows.slice(0, most), isCut: rows.length > most };
    },
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

function unreadable(sentence: string): ApiError {
  const texts = { message: sentence, title: sentence, explanation: '', action: '', doctorReference: '' };
  const body = { code: 'INTERNAL_ERROR', ...texts };
  return new ApiError('INTERNAL_ERROR', { status: 200, body });
}

interface Asked {
  text: string;
  most: number;
}

async function readNotes(request: Request): Promise<Found<ListedNote>> {
  const { notes, error } = await api.get('/me/notes', request);
  return { rows: notes, problem: error };
}

async function readTasks(request: Request): Promise<Found<Task>> {
  const { tasks, error } = await api.get('/me/tasks', request);
  return { rows: tasks, problem: error };
}

async function readMemories(request: Request): Promise<Found<Memory>> {
  const { memories, error } = await api.get('/me/memory', request);
  return { rows: memories, problem: error };
}

export const notesQuery = (asked: Asked) => listQuery({ collection: 'notes', read: readNotes }, asked);
export const tasksQuery = (asked: Asked) => listQuery({ collection: 'tasks', read: readTasks }, asked);
export const memoriesQuery = (asked: Asked) => listQuery({ collection: 'memory', read: readMemories }, asked);

export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: ['records', 'note', id],
    queryFn: async ({ signal }) => (await api.get('/me/notes/{noteId}', { path: { noteId: id }, signal })).note,
    // A record is not refreshed while the user edits it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const refreshRecords = (client: QueryClient, collection: Collection): Promise<void> =>
  client.invalidateQueries({ queryKey: ['records', collection] });

export type NoteFields = { title: string; content: string };
export type TaskFields = Pick<Task, 'title' | 'description' | 'priority'>;
export type MemoryFields = Pick<Memory, 'title' | 'content' | 'kind'>;

export const createNote = async (fields: NoteFields): Promise<Note> =>
  (await api.post('/me/notes', { body: fields })).note;
export const changeNote = async (id: string, fields: Partial<NoteFields>): Promise<Note> =>
  (await api.patch('/me/notes/{noteId}', { path: { noteId: id }, body: fields })).note;
export const deleteNote = (id: string): Promise<unknown> => api.delete('/me/notes/{noteId}', { path: { noteId: id } });

export const createTask = async (fields: Partial<TaskFields> & { title: string }): Promise<Task> =>
  (await api.post('/me/tasks', { body: fields })).tasks;
export const changeTask = (id: string, fields: Partial<TaskFields>): Promise<unknown> =>
  api.patch('/me/tasks/{taskId}', { path: { taskId: id }, body: fields });
export const setTaskStatus = (id: string, state: TaskStatus): Promise<unknown> =>
  api.post('/me/tasks/{taskId}/state', { path: { taskId: id }, body: { state } });
export const deleteTasks = (ids: string[]): Promise<unknown> =>
  api.post('/me/tasks/batch', { body: { action: 'delete', ids } });

export const createMemory = (fields: MemoryFields): Promise<{ memory: Memory; isDuplicate: boolean }> =>
  api.post('/me/memory', { body: fields });
export const changeMemory = (id: string, fields: Partial<MemoryFields>): Promise<unknown> =>
  api.patch('/me/memory/{memoryId}', { path: { memoryId: id }, body: fields });
export const deleteMemory = (id: string): Promise<unknown> =>
  api.delete('/me/memory/{memoryId}', { path: { memoryId: id } });
