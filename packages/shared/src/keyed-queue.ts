/** Runs one act at a time for each key, in the order of the calls; an act that fails does not stop the next one. */
export type KeyedQueue = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const own = (last.get(key) ?? Promise.resolve()).then(act, act);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
