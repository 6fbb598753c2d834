import type { Draft, FormField } from '@fucina/shared/form-fields';

export type Drafts = Readonly<Record<string, Draft>>;

const INPUTS = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;

/** Input types of text formats. */
export function inputTypeOf({ format }: FormField): 'text' | (typeof INPUTS)[keyof typeof INPUTS] {
  return format ? INPUTS[format] : 'text';
}

/** The value of a field: the user's input, or its default. */
export function draftOf(field: FormField, drafts: Drafts): Draft {
  if (Object.hasOwn(drafts, field.name)) return drafts[field.name];
  return field.format === 'date-time' ? localTime(field.initial) : field.initial;
}

/** A browser's time input has no zone; it is the user's. */
function localTime(initial: Draft): Draft {
  const at = new Date(String(initial));
  if (Number.isNaN(at.getTime())) return undefined;
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The values to send; undefined while a required one is missing or one is invalid. Empty fields are omitted. */
export function contentOf(fields: readonly FormField[], drafts: Drafts): Record<string, unknown> | undefined {
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const draft = draftOf(field, drafts);
    const value = field.kind === 'boolean' ? draft === true : valueOf(field, draft);
    if (value === undefined && (field.isRequired || !isEmpty(draft))) return undefined;
    if (value !== undefined) content[field.name] = value;
  }
  return content;
}

function isEmpty(draft: Draft): boolean {
  return typeof draft === 'string' ? draft.trim() === '' : !Array.isArray(draft) || draft.length === 0;
}

/** Undefined for an empty or invalid value. */
function valueOf(field: FormField, draft: Draft): unknown {
  if (isEmpty(draft)) return undefined;
  if (typeof draft !== 'string') return chosen(field, draft as readonly number[]);
  if (field.kind === 'number' || field.kind === 'integer') {
    const value = Number(draft);
    return (field.kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) ? value : undefined;
  }
  if (field.format !== 'date-time') return draft;
  const at = new Date(draft);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

function chosen({ kind, choices, least = 0, most = Infinity }: FormField, places: readonly number[]): unknown {
  const values = places.map((place) => choices[place]?.value);
  if (kind === 'one') return values[0];
  return values.length >= least && values.length <= most ? values : undefined;
}
