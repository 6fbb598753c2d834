import type { Memory, Note, Task } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso } from './common.ts';
import {
  allRefusedAs,
  memoryKind,
  noteFormat,
  originAndTimeNames,
  originAndTimes,
  priority,
  recordList,
  taskStatus,
} from './record-fields.ts';

const noteTitle = z.string().trim().min(1).max(120);
const noteContent = z.string().trim().min(1).max(8_000);
const chosenFormat = noteFormat.nullable().optional();
const noteNames = { titolo: 'title', contenuto: 'content', formato: 'format' } as const;
export const newNote = renamed(
  z.strictObject({ titolo: noteTitle, contenuto: noteContent, formato: chosenFormat }),
  noteNames,
);
export const noteChanges = renamed(
  z.strictObject({ titolo: noteTitle.optional(), contenuto: noteContent.optional(), formato: chosenFormat }),
  noteNames,
);
export const noteRefusals = allRefusedAs('NOTE_INVALID', 'titolo', 'contenuto', 'formato', 'noteId');

const noteRecord = renamed(
  z
    .object({ id: z.string(), titolo: z.string(), contenuto: z.string(), formato: noteFormat, ...originAndTimes })
    .meta({ id: 'Note' }),
  { titolo: 'title', contenuto: 'content', formato: 'format', ...originAndTimeNames } satisfies Record<
    string,
    keyof Note
  >,
);

export const noteAnswer = encoded(z.object({ nota: noteRecord }), (note: Note) => ({ nota: note }));

const listedText = { id: z.string(), titolo: z.string(), contenuto: z.string(), aggiornataAlle: z.string() };

export const notes = recordList(
  'note',
  z.object(listedText).meta({ id: 'ListedNote' }),
  ({ id, title, content, updatedAt }: Note) => ({
    id,
    titolo: title,
    contenuto: content,
    aggiornataAlle: iso(updatedAt),
  }),
);

const taskTitle = z.string().trim().min(1).max(200);
const optionalOfTask = {
  descrizione: z.string().trim().max(2_000).nullable().optional(),
  priorita: priority.optional(),
};
const taskNames = { titolo: 'title', descrizione: 'description', priorita: 'priority' } as const;
export const newTask = renamed(z.strictObject({ titolo: taskTitle, ...optionalOfTask }), taskNames);
export const taskChanges = renamed(z.strictObject({ titolo: taskTitle.optional(), ...optionalOfTask }), taskNames);
export const taskStatusChange = renamed(z.strictObject({ stato: taskStatus }), { stato: 'status' });
export const taskRefusals = allRefusedAs('TASK_INVALID', 'titolo', 'descrizione', 'priorita', 'stato', 'taskId');

const taskFields = {
  id: z.string(),
  titolo: z.string(),
  descrizione: z.string().nullable(),
  priorita: priority,
  stato: taskStatus,
};
const taskFieldsOf = ({ id, title, description, priority: weight, status }: Task) => ({
  id,
  titolo: title,
  descrizione: description,
  priorita: weight,
  stato: status,
});

const taskRecord = renamed(z.object({ ...taskFields, ...originAndTimes }).meta({ id: 'Task' }), {
  titolo: 'title',
  descrizione: 'description',
  priorita: 'priority',
  stato: 'status',
  ...originAndTimeNames,
} satisfies Record<string, keyof Task>);

export const taskAnswer = encoded(z.object({ attivita: taskRecord }), (task: Task) => ({ attivita: task }));

export const tasks = recordList(
  'attivita',
  z.object({ ...taskFields, aggiornataAlle: z.string() }).meta({ id: 'ListedTask' }),
  (record: Task) => ({ ...taskFieldsOf(record), aggiornataAlle: iso(record.updatedAt) }),
);

const memoryTitle = z.string().trim().min(1).max(80);
const memoryContent = z.string().trim().min(1).max(600);
const chosenKind = memoryKind.optional();
const memoryNames = { titolo: 'title', contenuto: 'content', genere: 'kind' } as const;
export const newMemory = renamed(
  z.strictObject({ titolo: memoryTitle, contenuto: memoryContent, genere: chosenKind }),
  memoryNames,
);
export const memoryChanges = renamed(
  z.strictObject({ titolo: memoryTitle.optional(), contenuto: memoryContent.optional(), genere: chosenKind }),
  memoryNames,
);
export const memoryRefusals = allRefusedAs('MEMORY_INVALID', 'titolo', 'contenuto', 'genere', 'memoryId');

const memoryFields = { id: z.string(), titolo: z.string(), contenuto: z.string(), genere: memoryKind };
const memoryFieldsOf = ({ id, title, content, kind }: Memory) => ({
  id,
  titolo: title,
  contenuto: content,
  genere: kind,
});

const memoryRecord = renamed(z.object({ ...memoryFields, ...originAndTimes }).meta({ id: 'Memory' }), {
  titolo: 'title',
  contenuto: 'content',
  genere: 'kind',
  ...originAndTimeNames,
} satisfies Record<string, keyof Memory>);

export const memoryAnswer = encoded(z.object({ memoria: memoryRecord }), (memory: Memory) => ({ memoria: memory }));

export interface MadeMemory {
  memory: Memory;
  isDuplicate: boolean;
}

export const madeMemory = renamed(z.object({ memoria: memoryRecord, duplicato: z.boolean() }), {
  memoria: 'memory',
  duplicato: 'isDuplicate',
} satisfies Record<string, keyof MadeMemory>);

export const memories = recordList(
  'memorie',
  z.object({ ...memoryFields, aggiornataAlle: z.string() }).meta({ id: 'ListedMemory' }),
  (record: Memory) => ({ ...memoryFieldsOf(record), aggiornataAlle: iso(record.updatedAt) }),
);
