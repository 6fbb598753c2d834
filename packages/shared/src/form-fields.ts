/** A field of a form that a server requests, as far as its JSON schema describes it. */
export interface FormField {
  name: string;
  title: string;
  description?: string;
  isRequired: boolean;
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'one' | 'many';
  /** For `one` and `many`: the value to send, and its label. */
  choices: readonly FormChoice[];
  /** Format of a text. */
  format?: TextFormat;
  /** Limits: characters of a text, value of a number, count of choices. */
  least?: number;
  most?: number;
  initial: Draft;
}

export interface FormChoice {
  value: unknown;
  label: string;
}

/** The value of a field: text, boolean or choices; undefined while it is empty. */
export type Draft = string | boolean | readonly number[] | undefined;

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof FORMATS)[number];

type Schema = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The fields in order; unknown types become text fields. An invalid schema has no fields. */
export function fieldsOf(schema: unknown): FormField[] {
  const form = isRecord(schema) ? schema : {};
  const needed = list(form.required);
  const properties = isRecord(form.properties) ? form.properties : {};
  return Object.entries(properties).map(([name, field]) => fieldOf(name, isRecord(field) ? field : {}, needed));
}

function fieldOf(name: string, field: Schema, needed: readonly unknown[]): FormField {
  const isMany = field.type === 'array';
  const choices = choicesOf(isMany && isRecord(field.items) ? field.items : field);
  const kind = choices.length > 0 ? (isMany ? 'many' : 'one') : plainKind(field.type);
  const format = FORMATS.find((known) => known === field.format);
  const facts = {
    description: text(field.description),
    format: kind === 'text' ? format : undefined,
    ...bounds(field, kind),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return {
    name,
    title: text(field.title) ?? name,
    isRequired: needed.includes(name),
    kind,
    choices,
    initial: initialOf(field.default, kind, choices),
    ...known,
  };
}

function plainKind(type: unknown): FormField['kind'] {
  return type === 'boolean' || type === 'number' || type === 'integer' ? type : 'text';
}

function choicesOf(schema: Schema): FormChoice[] {
  const titled = [...list(schema.oneOf), ...list(schema.anyOf)].filter(isRecord).filter((one) => 'const' in one);
  if (titled.length > 0)
    return titled.map(({ const: value, title }) => ({ value, label: text(title) ?? String(value) }));
  const names = list(schema.enumNames);
  return list(schema.enum).map((value, at) => ({ value, label: text(names[at]) ?? String(value) }));
}

function bounds(field: Schema, kind: FormField['kind']): { least: number | undefined; most: number | undefined } {
  switch (kind) {
    case 'text':
      return { least: count(field.minLength), most: count(field.maxLength) };
    case 'many':
      return { least: count(field.minItems), most: count(field.maxItems) };
    default:
      return { least: count(field.minimum), most: count(field.maximum) };
  }
}

function initialOf(value: unknown, kind: FormField['kind'], choices: readonly FormChoice[]): Draft {
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (kind === 'one' || kind === 'many') {
    const wanted = kind === 'many' ? list(value) : [value];
    const places = choices.flatMap((choice, at) => (wanted.includes(choice.value) ? [at] : []));
    return places.length > 0 ? places : undefined;
  }
  return typeof value === 'number' ? String(value) : text(value);
}
