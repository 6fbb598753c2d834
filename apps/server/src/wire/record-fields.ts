import { type Language, LIBRARY_NOT_READ } from '@fucina/shared/sentences';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { instant, wholeNumber } from './common.ts';

export const recordId = z.string().min(1).max(200);
export const originAndTimes = {
  creataAlle: instant,
  aggiornataAlle: instant,
  origine: mapped({ persona: 'person', modello: 'model' }),
};
export const originAndTimeNames = { creataAlle: 'createdAt', aggiornataAlle: 'updatedAt', origine: 'origin' } as const;

/** Beyond the interface: only records that contain a text, and a limit. */
export const listQuery = renamed(
  z.strictObject({
    cerca: z.string().max(200).optional(),
    limite: wholeNumber.pipe(z.number().min(1)).optional(),
  }),
  { cerca: 'text', limite: 'limit' },
);

/** Of a record that was deleted. */
export const deletedRecord = encoded(
  z.object({ eliminata: z.literal(true), id: z.string(), titolo: z.string() }),
  ({ id, title }: { id: string; title: string }) => ({ eliminata: true as const, id, titolo: title }),
);

/** The fields beside a list that is null, never empty, when it is unreadable. */
export const listProblem = z.object({ errore: z.string().nullable() });
export function withProblem<Kept>(rows: readonly Kept[] | null, language: Language) {
  return { rows, rest: { errore: rows ? null : LIBRARY_NOT_READ[language] } };
}

/** `records` is null, never empty, when they are unreadable; `errore` then explains it. */
export function recordList<Name extends string, Row extends z.ZodType, Kept>(
  name: Name,
  row: Row,
  encode: (record: Kept) => z.output<Row>,
) {
  const shape = { [name]: z.array(row).nullable(), errore: z.string().nullable() };
  return encoded(z.object(shape), ({ records, language }: { records: readonly Kept[] | null; language: Language }) => ({
    [name]: records && records.map(encode),
    errore: records ? null : LIBRARY_NOT_READ[language],
  }));
}

/** Body fields with their own code. */
export function allRefusedAs<Code extends string, const Field extends string>(code: Code, ...fields: Field[]) {
  return Object.fromEntries(fields.map((field) => [field, code])) as Record<Field, Code>;
}

export const priority = z.enum(['low', 'normal', 'high']);
export const taskStatus = z.enum(['todo', 'doing', 'done']);
export const memoryKind = z.enum(['preference', 'project_fact', 'procedure', 'policy_note']);
export const noteFormat = mapped({ markdown: 'markdown', testo: 'text' });
