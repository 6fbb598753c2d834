/** A field that a server asks for, as far as its JSON schema says what it is. */
export interface AskedField {
  name: string;
  title: string;
  description: string | undefined;
  isRequired: boolean;
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice';
  /** Of a choice: what is sent, and how it is called. */
  choices: readonly { value: string; label: string }[];
  /** How a browser checks a text. */
  input: 'text' | 'email' | 'url' | 'date' | 'datetime-local';
  initial: string | boolean;
}

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const INPUTS: Record<string, AskedField['input']> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
};

/** The fields of a form; what a window cannot draw is asked for as text. */
export function fieldsOf(schema: unknown): AskedField[] {
  const { properties, required } = isRecord(schema) ? schema : {};
  if (!isRecord(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, field]) => fieldOf(name, isRecord(field) ? field : {}, needed));
}

function fieldOf(name: string, field: Fields, needed: readonly unknown[]): AskedField {
  const choices = choicesOf(field);
  const kind = choices.length > 0 ? 'choice' : kindOf(field.type);
  const initial = kind === 'boolean' ? field.default === true : (text(field.default) ?? numberText(field.default));
  return {
    name,
    title: text(field.title) ?? name,
    description: text(field.description),
    isRequired: needed.includes(name),
    kind,
    choices,
    input: INPUTS[text(field.format) ?? ''] ?? 'text',
    initial,
  };
}

const numberText = (value: unknown): string => (typeof value === 'number' ? String(value) : '');

function kindOf(type: unknown): AskedField['kind'] {
  if (type === 'boolean' || type === 'number' || type === 'integer') return type;
  return 'text';
}

function choicesOf(field: Fields): AskedField['choices'] {
  if (Array.isArray(field.oneOf)) {
    return field.oneOf
      .filter(isRecord)
      .map(({ const: value, title }) => ({ value: String(value), label: text(title) ?? String(value) }));
  }
  if (!Array.isArray(field.enum)) return [];
  const names = Array.isArray(field.enumNames) ? field.enumNames : [];
  return field.enum.map((value, at) => ({ value: String(value), label: text(names[at]) ?? String(value) }));
}

export type Drafts = Record<string, string | boolean>;

/** What is sent; undefined while something that is needed is missing, or no number. Empty fields are left out. */
export function contentOf(fields: readonly AskedField[], drafts: Drafts): Record<string, unknown> | undefined {
  const content: Record<string, unknown> = {};
  for (const { name, kind, isRequired, initial } of fields) {
    const draft = drafts[name] ?? initial;
    if (typeof draft === 'boolean') content[name] = draft;
    else if (draft.trim() === '') {
      if (isRequired) return undefined;
    } else if (kind === 'number' || kind === 'integer') {
      const value = Number(draft);
      if (!Number.isFinite(value) || (kind === 'integer' && !Number.isInteger(value))) return undefined;
      content[name] = value;
    } else content[name] = draft;
  }
  return content;
}
