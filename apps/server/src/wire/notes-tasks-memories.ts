import type { Memory, Note, Task } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso } from './common.ts';
import {
  memoryKind,
  noteFormat,
  originAndTimeNames,
  originAndTimes,
  priority,
  recordList,
  taskStatus,
} from './record-fields.ts';

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
