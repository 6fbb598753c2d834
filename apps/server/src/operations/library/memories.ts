import * as z from 'zod';
import { renamed } from '../../http/renamed.ts';
import { type MadeMemory, madeMemory, memories, memoryAnswer } from '../../wire/notes-tasks-memories.ts';
import { allRefusedAs, memoryKind } from '../../wire/record-fields.ts';
import { recordOperations } from './record-operations.ts';
import { inSession, type RecordScope, withoutSession } from './record-scope.ts';

const title = z.string().trim().min(1).max(80);
const content = z.string().trim().min(1).max(600);
const kind = memoryKind.optional();
const names = { titolo: 'title', contenuto: 'content', genere: 'kind' } as const;

const memoryOperations = (place: RecordScope) =>
  recordOperations(
    {
      name: 'memories',
      collection: 'memory',
      idParam: 'memoryId',
      summaries: {
        list: 'Memories, newest first',
        create: 'Keep something for later',
        read: 'A memory',
        change: 'Change a memory',
        remove: 'Delete a memory',
      },
      invalid: 'MEMORY_INVALID',
      absent: 'MEMORY_NOT_FOUND',
      refusals: allRefusedAs('MEMORY_INVALID', 'titolo', 'contenuto', 'genere', 'memoryId'),
      bodyLimit: 16 * 1024,
      newRecord: renamed(z.strictObject({ titolo: title, contenuto: content, genere: kind }), names),
      changes: renamed(
        z.strictObject({ titolo: title.optional(), contenuto: content.optional(), genere: kind }),
        names,
      ),
      listAnswer: memories,
      answer: memoryAnswer,
      madeAnswer: madeMemory,
      records: ({ memories: kept }) => ({ ...kept, create: (memory) => kept.create(memory, 'person') }),
      idOf: ({ memory }: MadeMemory) => memory.id,
    },
    place,
  );

export const {
  list: listMemories,
  create: createMemory,
  read: readMemory,
  change: changeMemory,
  remove: deleteMemory,
} = memoryOperations(withoutSession);

export const {
  list: listSessionMemories,
  create: createSessionMemory,
  read: readSessionMemory,
  change: changeSessionMemory,
  remove: deleteSessionMemory,
} = memoryOperations(inSession);
