import { types } from 'node:util';

/** Makes it at its first use, and again only after a failure: of the making, or of the promise made. */
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
