/** A promise with its resolve and reject functions. */
export interface Deferred<Value> {
  promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

export function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // The error is reported to whoever awaits it; there may be no one.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
