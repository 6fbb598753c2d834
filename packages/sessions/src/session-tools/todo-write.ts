import type { Tool } from '@fucina/shared';
import * as z from 'zod';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { SessionToolNeeds } from './needs.ts';

const input = z.strictObject({
  items: z
    .array(
      z.strictObject({
        content: z.string().trim().min(1).max(300),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    )
    .max(60),
});

/** The agent's to-do list, always sent whole: shown to the user, stored in the journal. */
export function createTodoTool({ turnOf }: SessionToolNeeds): Tool<z.infer<typeof input>> {
  return {
    name: 'todo_write',
    description:
      'Keep a to-do list that the user sees, for work of three steps or more. Send the whole list each time; at most one ' +
      'item in progress; mark an item completed as soon as its result is checked.',
    category: 'base',
    effect: 'dialogue',
    gate: null,
    input,
    action: () => ({ tipo: 'todo_write' }),
    async run({ items }, { sessionId }) {
      turnOf(sessionId).append([customEvent(CUSTOM_EVENTS.todo, { items })]);
      const done = items.filter(({ status }) => status === 'completed').length;
      return { content: `Noted: ${done} of ${items.length} done.` };
    },
  };
}
