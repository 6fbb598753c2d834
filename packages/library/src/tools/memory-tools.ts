import type { Tool } from '@fucina/shared';
import * as z from 'zod';
import { MEMORY_KINDS, type Memories, memoryFields } from '../notes-tasks-memories/memories.ts';
import { asToolResult, listResult, receipt, recordLine } from './receipt.ts';

const { title, content } = memoryFields.shape;
const kind = z.enum(MEMORY_KINDS);
const id = z.string().min(1).max(200);
const search = z.strictObject({
  query: z.string().trim().min(1).max(200),
  limit: z.int().min(1).max(20).optional().describe('default 5'),
});
const write = z.strictObject({ title, content, kind: kind.optional().describe('default preference') });
const update = z.strictObject({
  id,
  title: title.optional(),
  content: content.optional(),
  kind: kind.optional(),
});
const remove = z.strictObject({ id });

export function memoryTools(memories: Memories): readonly Tool[] {
  const searchTool: Tool<z.infer<typeof search>> = {
    name: 'memory_search',
    description:
      'What was kept for later about the user and their projects: preferences, facts, procedures, rules. Finds one piece of ' +
      'text in title or content. Look before you ask something the user may have told you already.',
    category: 'extended',
    effect: 'read',
    gate: null,
    input: search,
    action: ({ query }) => ({ tipo: 'memory_search', testo: query }),
    async run({ query, limit = 5 }) {
      const found = memories.list({ text: query, limit: limit + 1 });
      const lines = found.map((memory) => recordLine(memory, memory.kind, memory.content));
      return listResult(lines, limit, 'Nothing is kept that holds this text.');
    },
  };
  const writeTool: Tool<z.infer<typeof write>> = {
    name: 'memory_write',
    description:
      'Keep one lasting fact for later conversations. Only what stays true and the user would want kept; never secrets. A ' +
      'title that is there already is not written again.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: write,
    action: (input) => ({ tipo: 'memory_write', titolo: input.title }),
    run: (input) =>
      asToolResult(async () => {
        const { memory, isDuplicate } = await memories.create(input, 'model');
        return receipt(isDuplicate ? 'Already kept, nothing written' : 'Memory written', memory);
      }),
  };
  const updateTool: Tool<z.infer<typeof update>> = {
    name: 'memory_update',
    description: 'Change title, content or kind of a memory; omitted fields stay unchanged.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: update,
    action: (input) => ({ tipo: 'memory_update', id: input.id }),
    run: ({ id: memoryId, ...patch }) =>
      asToolResult(async () => receipt('Memory changed', await memories.change(memoryId, patch))),
  };
  const deleteTool: Tool<z.infer<typeof remove>> = {
    name: 'memory_delete',
    description: 'Permanently delete a memory: when it is no longer true, or the user asked for it.',
    category: 'extended',
    effect: 'record',
    gate: null,
    input: remove,
    action: (input) => ({ tipo: 'memory_delete', id: input.id }),
    run: (input) => asToolResult(async () => receipt('Memory deleted', await memories.remove(input.id))),
  };
  return [searchTool, writeTool, updateTool, deleteTool];
}
