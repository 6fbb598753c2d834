import type { Services } from '@fucina/host';
import { type ErrorCode, isAppError, storeFailureOf } from '@fucina/shared';
import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { STATUSES } from '../../http/statuses.ts';
import { storeCodeOf } from '../../http/store-refusal.ts';
import { sessionId } from '../../wire/common.ts';
import { tag } from './record-scope.ts';

const MOST_IDS = 250;
const BODY_BYTES = 64 * 1024;

const batch = z.strictObject({
  azione: z.literal('elimina'),
  ids: z
    .array(z.string().min(1))
    .min(1)
    .max(MOST_IDS)
    .refine((ids) => new Set(ids).size === ids.length, 'each id once'),
});

const outcome = z.union([
  z.object({ id: z.string(), ok: z.literal(true), status: z.literal(200) }),
  z.object({ id: z.string(), ok: z.literal(false), status: z.int(), code: z.string() }),
]);
const answer = json(
  z.object({
    azione: z.literal('elimina'),
    risorsa: z.string(),
    esiti: z.array(outcome),
    riepilogo: z.object({ richiesti: z.int(), riusciti: z.int(), falliti: z.int() }),
  }),
);

/** Each id separately, in order: a missing one does not stop the others. */
async function deleteEach(
  { resource, ids, services }: { resource: string; ids: readonly string[]; services: Pick<Services, 'withReserve'> },
  remove: (id: string) => Promise<unknown>,
) {
  const outcomes: z.output<typeof outcome>[] = [];
  for (const id of ids) {
    const code = await failureOf(() => services.withReserve(() => remove(id)));
    outcomes.push(code ? { id, ok: false, status: STATUSES[code], code } : { id, ok: true, status: 200 });
  }
  const done = outcomes.filter(({ ok }) => ok).length;
  return {
    azione: 'elimina' as const,
    risorsa: resource,
    esiti: outcomes,
    riepilogo: { richiesti: ids.length, riusciti: done, falliti: ids.length - done },
  };
}

async function failureOf(act: () => Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (isAppError(error)) return error.code;
    if (storeFailureOf(error)) return storeCodeOf({ tag, errors: [] });
    throw error;
  }
}

const base = { tag, method: 'POST', body: batch, bodyLimit: BODY_BYTES, answer } as const;

export const deleteNotes = operation({
  ...base,
  id: 'notes.batch',
  summary: 'Delete several notes',
  path: '/me/notes/batch',
  handle: ({ body, services }) =>
    deleteEach({ resource: 'notes', ids: body.ids, services }, (id) => services.library.notes.remove(id)),
});

export const deleteTasks = operation({
  ...base,
  id: 'tasks.batch',
  summary: 'Delete several tasks',
  path: '/me/tasks/batch',
  handle: ({ body, services }) =>
    deleteEach({ resource: 'tasks', ids: body.ids, services }, (id) => services.library.tasks.remove(id)),
});

export const deleteMemories = operation({
  ...base,
  id: 'memories.batch',
  summary: 'Delete several memories',
  path: '/me/memory/batch',
  handle: ({ body, services }) =>
    deleteEach({ resource: 'memory', ids: body.ids, services }, (id) => services.library.memories.remove(id)),
});

const RESOURCES = ['library', 'notes', 'tasks', 'memory', 'research'] as const;

/** How each kind of record is deleted through a session. */
function removing(
  resource: (typeof RESOURCES)[number],
  { services, session }: { services: Services; session: string },
): (id: string) => Promise<unknown> {
  const { library, sessionLibrary, sessionResearch } = services;
  switch (resource) {
    case 'library':
      return (id) => sessionLibrary.remove(session, id);
    case 'notes':
      return (id) => library.notes.remove(id);
    case 'tasks':
      return (id) => library.tasks.remove(id);
    case 'memory':
      return (id) => library.memories.remove(id);
    case 'research':
      return (id) => sessionResearch.remove(session, id);
  }
}

export const deleteForSession = operation({
  ...base,
  id: 'session-kept.batch',
  summary: 'Delete several items of one kind',
  path: '/sessions/{sessionId}/{resource}/batch',
  params: z.strictObject({ sessionId, resource: z.enum(RESOURCES) }),
  errors: ['RESEARCH_CONFLICT', 'RESEARCH_INVALID', 'RESEARCH_NOT_FOUND'],
  async handle({ params: { sessionId: session, resource }, body, services }) {
    await services.sessions.read(session);
    return deleteEach({ resource, ids: body.ids, services }, removing(resource, { services, session }));
  },
});
