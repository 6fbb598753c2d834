import { types } from 'node:util';

/** Creates a value at its first use, and again only if creating it, or the created promise, failed. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  const keep = (value: Value): { value: Value } => {
    if (types.isPromise(value)) {
      value.catch(() => {
        made = undefined;
      });
    }
    return { value };
  };
  return () => (made ??= keep(make())).value;
}
