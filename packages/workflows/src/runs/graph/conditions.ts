import type { Condition } from '../../definition/core.ts';

/**
 * Whether a condition is true; `found` is undefined when there is no such value. Numbers and texts are compared without
 * conversion.
 */
export function conditionHolds({ op, value: wanted }: Condition, found: { value: unknown } | undefined): boolean {
  const value = found?.value;
  switch (op) {
    case 'exists':
      return found !== undefined;
    case 'not-exists':
      return found === undefined;
    case 'truthy':
      return isTruthy(value);
    case 'falsy':
      return !isTruthy(value);
    case 'eq':
      return found !== undefined && same(value, wanted);
    case 'neq':
      return found !== undefined && !same(value, wanted);
    case 'in':
      return Array.isArray(wanted) && found !== undefined && wanted.some((one) => same(value, one));
    case 'not-in':
      return Array.isArray(wanted) && found !== undefined && !wanted.some((one) => same(value, one));
    default:
      return compares(op, value, wanted);
  }
}

/** Texts that count as false in an agent's answer. */
const NO: ReadonlySet<string> = new Set(['', 'false', 'no', '0', 'null']);

function isTruthy(value: unknown): boolean {
  return typeof value === 'string' ? !NO.has(value.trim().toLowerCase()) : Boolean(value);
}

function same(value: unknown, wanted: unknown): boolean {
  if (typeof value !== 'string') return value === wanted;
  return value === wanted || value.trim() === String(wanted);
}

function compares(op: 'lt' | 'lte' | 'gt' | 'gte', value: unknown, wanted: unknown): boolean {
  const left = asNumber(value);
  const right = asNumber(wanted);
  if (left === undefined || right === undefined) return false;
  if (op === 'lt') return left < right;
  if (op === 'lte') return left <= right;
  return op === 'gt' ? left > right : left >= right;
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
