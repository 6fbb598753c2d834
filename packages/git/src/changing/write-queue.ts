/** One writer at a time per repository, because git fails instead of waiting for its lock. */
export type Enqueue = <T>(key: string, act: () => Promise<T>) => Promise<T>;

export function createWriteQueue(): Enqueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const written = (last.get(key) ?? Promise.resolve()).then(act, act);
    last.set(key, written);
    try {
      return await written;
    } finally {
      if (last.get(key) === written) last.delete(key);
    }
  };
}
