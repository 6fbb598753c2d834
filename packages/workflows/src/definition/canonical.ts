import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Canonical JSON, RFC 8785. Throws on values that JSON cannot represent. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('no JSON value');
  return text;
}

/** `sha256:` and 64 hexadecimal digits of the canonical JSON of `value`. */
export function hashOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(canonical(value)).digest('hex')}`;
}
