import type { Services } from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import type { Language } from '@fucina/shared/sentences';
import type * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation, type Refusal } from '../../http/operation.ts';
import { deletedRecord, listQuery } from '../../wire/record-fields.ts';
import { type RecordScope, tag } from './record-scope.ts';

type Library = Services['library'];
type LibraryRecord = { id: string; title: string };

interface ListAsk {
  text?: string | undefined;
  limit?: number | undefined;
}

/** The differences between notes, tasks and memories in their five common operations. */
export interface RecordKind<Kept extends LibraryRecord, Made, New, Patch> {
  /** Part of the operation ids. */
  name: string;
  /** Part of the path. */
  collection: string;
  /** Name of the id parameter. */
  idParam: string;
  summaries: { list: string; create: string; read: string; change: string; remove: string };
  invalid: ErrorCode;
  absent: ErrorCode;
  /** Field of body or path → its code. */
  refusals: Readonly<Record<string, Refusal>>;
  /** Bytes. */
  bodyLimit: number;
  newRecord: z.ZodType<New>;
  changes: z.ZodType<Patch>;
  listAnswer: z.ZodType<{ records: readonly Kept[] | null; language: Language }>;
  answer: z.ZodType<Kept>;
  madeAnswer: z.ZodType<Made>;
  records(library: Library): {
    list(ask: ListAsk): readonly Kept[];
    read(id: string): Kept;
    create(fields: New): Promise<Made>;
    change(id: string, patch: Patch): Promise<Kept>;
    remove(id: string): Promise<Kept>;
  };
  idOf(made: Made): string;
}

/** Both paths lead to the same records. */
export function recordOperations<Kept extends LibraryRecord, Made, New, Patch>(
  kind: RecordKind<Kept, Made, New, Patch>,
  place: RecordScope,
) {
  return { ...onCollection(kind, place), ...onRecord(kind, place) };
}

function onCollection<Kept extends LibraryRecord, Made, New, Patch>(
  kind: RecordKind<Kept, Made, New, Patch>,
  place: RecordScope,
) {
  const all = {
    tag,
    refusals: kind.refusals,
    path: `${place.path}/${kind.collection}`,
    params: place.params,
  } as const;
  return {
    list: operation({
      ...all,
      id: `${place.prefix}${kind.name}.list`,
      summary: kind.summaries.list,
      method: 'GET',
      query: listQuery,
      answer: json(kind.listAnswer),
      async handle({ params, query, services, language }) {
        const library = await place.enter(services, params);
        return { records: await library.orNull(() => kind.records(library).list(query)), language };
      },
    }),
    create: operation({
      ...all,
      id: `${place.prefix}${kind.name}.create`,
      summary: kind.summaries.create,
      method: 'POST',
      body: kind.newRecord,
      bodyLimit: kind.bodyLimit,
      answer: json(kind.madeAnswer),
      errors: [kind.invalid],
      location: (made, params) => place.addressOf(params, kind.collection, kind.idOf(made)),
      handle: async ({ params, body, services }) => kind.records(await place.enter(services, params)).create(body),
    }),
  };
}

function onRecord<Kept extends LibraryRecord, Made, New, Patch>(
  kind: RecordKind<Kept, Made, New, Patch>,
  place: RecordScope,
) {
  const one = {
    tag,
    refusals: kind.refusals,
    path: `${place.path}/${kind.collection}/{${kind.idParam}}`,
    params: place.paramsOf(kind.idParam),
    errors: [kind.absent, kind.invalid],
  } as const;
  return {
    read: operation({
      ...one,
      id: `${place.prefix}${kind.name}.read`,
      summary: kind.summaries.read,
      method: 'GET',
      answer: json(kind.answer),
      handle: async ({ params, services }) => kind.records(await place.enter(services, params)).read(params.id),
    }),
    change: operation({
      ...one,
      id: `${place.prefix}${kind.name}.change`,
      summary: kind.summaries.change,
      method: 'PATCH',
      body: kind.changes,
      bodyLimit: kind.bodyLimit,
      answer: json(kind.answer),
      handle: async ({ params, body, services }) =>
        kind.records(await place.enter(services, params)).change(params.id, body),
    }),
    remove: operation({
      ...one,
      id: `${place.prefix}${kind.name}.delete`,
      makesRoom: true,
      summary: kind.summaries.remove,
      method: 'DELETE',
      answer: json(deletedRecord),
      handle: async ({ params, services }) => kind.records(await place.enter(services, params)).remove(params.id),
    }),
  };
}
