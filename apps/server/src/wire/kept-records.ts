import type { Memory, Note, Task } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso } from './common.ts';
import { keptList, memoryKind, originAndTimes, originAndTimesOf, priority, taskStatus } from './kept.ts';

const NOTE_FORMATS = { markdown: 'markdown', text: 'testo' } as const;

const noteRecord = z
  .object({
    id: z.string(),
    titolo: z.string(),
    contenuto: z.string(),
    formato: z.enum(['markdown', 'testo']),
    ...originAndTimes,
  })
  .meta({ id: 'Note' });

export const noteAnswer = encoded(z.object({ nota: noteRecord }), ({ id, title, content, format, ...rest }: Note) => ({
  nota: { id, titolo: title, contenuto: content, formato: NOTE_FORMATS[format], ...originAndTimesOf(rest) },
}));

const listedText = { id: z.string(), titolo: z.string(), contenuto: z.string(), aggiornataAlle: z.string() };

export const notes = keptList(
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

export const taskAnswer = encoded(
  z.object({ attivita: z.object({ ...taskFields, ...originAndTimes }).meta({ id: 'Task' }) }),
  (record: Task) => ({ attivita: { ...taskFieldsOf(record), ...originAndTimesOf(record) } }),
);

export const tasks = keptList(
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

const memoryRecord = z.object({ ...memoryFields, ...originAndTimes }).meta({ id: 'Memory' });
const memoryOnWire = (record: Memory) => ({ ...memoryFieldsOf(record), ...originAndTimesOf(record) });

export const memoryAnswer = encoded(z.object({ memoria: memoryRecord }), (record: Memory) => ({
  memoria: memoryOnWire(record),
}));

export interface MadeMemory {
  memory: Memory;
  isDuplicate: boolean;
}

export const madeMemory = encoded(
  z.object({ memoria: memoryRecord, duplicato: z.boolean() }),
  ({ memory, isDuplicate }: MadeMemory) => ({ memoria: memoryOnWire(memory), duplicato: isDuplicate }),
);

export const memories = keptList(
  'memorie',
  z.object({ ...memoryFields, aggiornataAlle: z.string() }).meta({ id: 'ListedMemory' }),
  (record: Memory) => ({ ...memoryFieldsOf(record), aggiornataAlle: iso(record.updatedAt) }),
);
