import { hostError } from '../errors.ts';

/** Parsers for answers of the code host: each throws HOST_OUTPUT_INVALID for an unexpected shape. */
export type Fields = Readonly<Record<string, unknown>>;

const invalid = (name: string): Error => hostError('HOST_OUTPUT_INVALID', { reason: 'shape', details: { name } });

export function parseAnswer(text: string): Fields {
  try {
    return readFields(JSON.parse(text), 'answer');
  } catch (cause) {
    if (cause instanceof SyntaxError) throw hostError('HOST_OUTPUT_INVALID', { reason: 'not-json', cause });
    throw cause;
  }
}

export function readFields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name);
  return value as Fields;
}

export function optionalFields(value: unknown, name: string): Fields | undefined {
  return value === null || value === undefined ? undefined : readFields(value, name);
}

/** The `nodes` of a list; those without access are null. */
export function nodes(value: unknown, name: string): Fields[] {
  const list = readFields(value, name).nodes;
  if (!Array.isArray(list)) throw invalid(name);
  return list.filter((one) => one !== null).map((one) => readFields(one, name));
}

export function text(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalid(name);
  return value;
}

export function optionalText(value: unknown, name: string): string | null {
  return value === null || value === undefined ? null : text(value, name);
}

export function readInteger(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw invalid(name);
  return value as number;
}

/** Only addresses that a browser may open. */
export function address(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//i.test(value) ? value : null;
}
