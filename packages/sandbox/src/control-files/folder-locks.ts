/** One act at a time for each folder, in the order of the calls. */
export interface FolderLocks {
  hold<T>(folder: string, act: () => Promise<T>): Promise<T>;
}

export function createFolderLocks(): FolderLocks {
  const last = new Map<string, Promise<void>>();
  return {
    async hold(folder, act) {
      const result = (last.get(folder) ?? Promise.resolve()).then(act);
      const over = result.then(
        () => undefined,
        () => undefined,
      );
      last.set(folder, over);
      try {
        return await result;
      } finally {
        if (last.get(folder) === over) last.delete(folder);
      }
    },
  };
}
