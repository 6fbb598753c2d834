import { defineErrors, type ErrorCode } from '@fucina/shared';
import type * as z from 'zod';

export const libraryError = defineErrors(
  'LIBRARY_INVALID',
  'LIBRARY_MALFORMED',
  'LIBRARY_NAME_EMPTY',
  'LIBRARY_NOT_FOUND',
  'LIBRARY_READ_FAILED',
  'LIBRARY_TOO_LARGE',
  'MEMORY_INVALID',
  'MEMORY_NOT_FOUND',
  'NOTE_INVALID',
  'NOTE_NOT_FOUND',
  'RESEARCH_CONFLICT',
  'RESEARCH_INVALID',
  'RESEARCH_NOT_FOUND',
  'RESEARCH_RECHECK_UNAVAILABLE',
  'TASK_INVALID',
  'TASK_NOT_FOUND',
);

type InvalidCode = Extract<(typeof libraryError.codes)[number], `${string}_INVALID`>;
type AbsentCode = Extract<ErrorCode, `${string}_NOT_FOUND`> & (typeof libraryError.codes)[number];

/** The parsed input, trimmed; throws `code`, naming the first invalid field. */
export function checked<Schema extends z.ZodType>(schema: Schema, input: unknown, code: InvalidCode): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join('.') ?? '';
  throw libraryError(code, { params: { field }, cause: result.error });
}

/** Like `checked`, for a change: only the fields that were sent, at least one. */
export function checkedPatch<Schema extends z.ZodType<object>>(
  schema: Schema,
  patch: object,
  code: InvalidCode,
): z.output<Schema> {
  const sent = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  if (Object.keys(sent).length === 0) throw libraryError(code, { reason: 'nothing-to-change' });
  return checked(schema, sent, code);
}

export function present<Kept>(record: Kept | undefined, code: AbsentCode): Kept {
  if (record === undefined) throw libraryError(code);
  return record;
}
