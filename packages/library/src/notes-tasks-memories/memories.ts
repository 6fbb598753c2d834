import * as z from 'zod';
import { checked, checkedPatch, present } from '../errors.ts';
import {
  createRecordTable,
  type LibraryRecord,
  type ListOptions,
  type Origin,
  type RecordTableNeeds,
} from './record-table.ts';

export const MEMORY_KINDS = ['preference', 'project_fact', 'procedure', 'policy_note'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export interface Memory extends LibraryRecord {
  content: string;
  kind: MemoryKind;
}

export interface NewMemory {
  /** 1 to 80 characters once trimmed. */
  title: string;
  /** 1 to 600 characters once trimmed. */
  content: string;
  /** Default: preference. */
  kind?: MemoryKind | undefined;
}

/** Throws MEMORY_INVALID for invalid fields, MEMORY_NOT_FOUND for an unknown id. */
export interface Memories {
  list(options?: ListOptions): Memory[];
  read(id: string): Memory;
  /** For an existing title, in any case, returns the existing memory and writes nothing. */
  create(memory: NewMemory, origin: Origin): Promise<{ memory: Memory; isDuplicate: boolean }>;
  /** Changes only the given fields, at least one. */
  change(id: string, patch: { [Key in keyof NewMemory]?: NewMemory[Key] | undefined }): Promise<Memory>;
  /** Returns the deleted record. */
  remove(id: string): Promise<Memory>;
}

export const memoryFields = z.strictObject({
  title: z.string().trim().min(1).max(80),
  content: z.string().trim().min(1).max(600),
  kind: z.enum(MEMORY_KINDS).optional(),
});

interface Stored {
  title: string;
  content: string;
  kind: MemoryKind;
  titleKey: string;
}

export function createMemories(needs: Pick<RecordTableNeeds<Stored>, 'ambient' | 'store'>): Memories {
  const table = createRecordTable<Stored>({
    ...needs,
    name: 'memories',
    text: 'content',
    columns: { title: 'title', content: 'content', kind: 'kind', titleKey: 'title_key' },
  });
  const oldest = (titleKey: string) => table.list({ where: { sql: 'title_key = ?', values: [titleKey] } }).at(-1);
  return {
    list: (options) => table.list(options).map(memoryOf),
    read: (id) => memoryOf(present(table.read(id), 'MEMORY_NOT_FOUND')),
    async create(memory, origin) {
      const { title, content, kind = 'preference' } = checked(memoryFields, memory, 'MEMORY_INVALID');
      const titleKey = keyOf(title);
      const { record, isNew } = await table.insert({ title, content, kind, titleKey }, origin, () => oldest(titleKey));
      return { memory: memoryOf(record), isDuplicate: !isNew };
    },
    async change(id, patch) {
      const given = checkedPatch(memoryFields.partial(), patch, 'MEMORY_INVALID') as Partial<Stored>;
      const titleKey = given.title === undefined ? {} : { titleKey: keyOf(given.title) };
      return memoryOf(present(await table.update(id, { ...given, ...titleKey }), 'MEMORY_NOT_FOUND'));
    },
    remove: async (id) => memoryOf(present(await table.remove(id), 'MEMORY_NOT_FOUND')),
  };
}

const keyOf = (title: string): string => title.normalize().toLowerCase();

function memoryOf({ titleKey: _titleKey, ...record }: Stored & LibraryRecord): Memory {
  return record;
}
