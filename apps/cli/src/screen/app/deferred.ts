/** A promise and who keeps it. */
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
  // Told to whoever asks: nobody may.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
