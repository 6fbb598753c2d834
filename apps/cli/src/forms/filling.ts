import { type Draft, type FormField, fieldsOf, type TextFormat } from '@fucina/shared/form-fields';
import type { Words } from '../words/index.ts';

/** Why a value is invalid. */
export interface FieldProblem {
  key: keyof Words;
  params?: Record<string, number>;
}

/** A form being filled in. Immutable: each step returns a new one. */
export interface FormState {
  fields: readonly FormField[];
  drafts: readonly Draft[];
  problems: readonly (FieldProblem | undefined)[];
}

export function createFormState(schema: Readonly<Record<string, unknown>>): FormState {
  const fields = fieldsOf(schema);
  return { fields, drafts: fields.map(({ initial }) => initial), problems: fields.map(() => undefined) };
}

/** A value is validated at once; an empty field only when the form is sent. */
export function setField(filling: FormState, at: number, draft: Draft): FormState {
  const field = filling.fields[at];
  if (!field) return filling;
  const problem = isEmpty(draft) ? undefined : problemOf(field, draft);
  return { ...filling, drafts: filling.drafts.with(at, draft), problems: filling.problems.with(at, problem) };
}

/** The values to send; without them, the form with all its problems. Empty fields are omitted. */
export function finishForm(filling: FormState): { content: Record<string, unknown> } | { refused: FormState } {
  const problems = filling.fields.map((field, at) => problemOf(field, filling.drafts[at]));
  if (problems.some((problem) => problem !== undefined)) return { refused: { ...filling, problems } };
  const entries = filling.fields.flatMap((field, at): [string, unknown][] => {
    const draft = filling.drafts[at];
    return isEmpty(draft) ? [] : [[field.name, valueOf(field, draft)]];
  });
  return { content: Object.fromEntries(entries) };
}

function isEmpty(draft: Draft): boolean {
  return draft === undefined || (typeof draft === 'object' ? draft.length === 0 : draft === '');
}

function valueOf({ kind, choices }: FormField, draft: Draft): unknown {
  if (kind === 'number' || kind === 'integer') return Number(draft);
  if (typeof draft !== 'object') return draft;
  const values = draft.map((place) => choices[place]?.value);
  return kind === 'many' ? values : values[0];
}

export function problemOf(field: FormField, draft: Draft): FieldProblem | undefined {
  if (isEmpty(draft)) return field.isRequired ? { key: 'form.needed' } : undefined;
  switch (field.kind) {
    case 'text':
      return textProblem(field, String(draft));
    case 'number':
    case 'integer':
      return numberProblem(field, String(draft).trim());
    case 'many':
      return outOfBounds(field, (draft as readonly number[]).length, 'choices');
    default:
      return undefined;
  }
}

function numberProblem(field: FormField, draft: string): FieldProblem | undefined {
  // Only plain notation: not 0x10 or 1e3, which Number accepts.
  if (!/^[+-]?\d+(\.\d+)?$/.test(draft)) return { key: field.kind === 'integer' ? 'form.integer' : 'form.number' };
  const value = Number(draft);
  if (field.kind === 'integer' && !Number.isSafeInteger(value)) return { key: 'form.integer' };
  return outOfBounds(field, value, 'value');
}

function textProblem(field: FormField, draft: string): FieldProblem | undefined {
  if (field.format && !FORMATS[field.format](draft)) return { key: `form.${field.format}` };
  return outOfBounds(field, [...draft].length, 'characters');
}

function outOfBounds(
  { least, most }: FormField,
  size: number,
  what: 'characters' | 'choices' | 'value',
): FieldProblem | undefined {
  if (least !== undefined && size < least) return { key: `form.least-${what}`, params: { count: least } };
  if (most !== undefined && size > most) return { key: `form.most-${what}`, params: { count: most } };
  return undefined;
}

const DAY = /^(\d{4}-\d{2}-\d{2})(?:$|T)/;

/** Rejects dates like 2026-02-30. */
function isDay(draft: string): boolean {
  const day = DAY.exec(draft)?.[1];
  const time = Date.parse(`${day}T00:00:00Z`);
  return day !== undefined && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

const FORMATS: Readonly<Record<TextFormat, (draft: string) => boolean>> = {
  email: (draft) => /^[^\s@]+@[^\s@]+$/.test(draft),
  uri: (draft) => URL.canParse(draft),
  date: (draft) => draft.length === 10 && isDay(draft),
  'date-time': (draft) => isDay(draft) && /T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(draft),
};

/** The hint of an empty field. */
export function limitsOf({ kind, format, least, most, isRequired }: FormField): FieldProblem[] {
  const what = kind === 'text' ? 'characters' : kind === 'many' ? 'choices' : 'value';
  return [
    ...(isRequired ? [{ key: 'form.needed' } as const] : []),
    ...(kind === 'integer' || kind === 'number' ? [{ key: `form.${kind}` } as const] : []),
    ...(format ? [{ key: `form.${format}` } as const] : []),
    ...(least === undefined ? [] : [{ key: `form.least-${what}`, params: { count: least } } as const]),
    ...(most === undefined ? [] : [{ key: `form.most-${what}`, params: { count: most } } as const]),
  ];
}
