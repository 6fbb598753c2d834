/** Work with the server of a folder, one at a time: the texts of two edits must not alternate. */
export type FolderQueue = <Result>(folder: string, act: () => Promise<Result>) => Promise<Result>;

export function createFolderQueue(): FolderQueue {
  const last = new Map<string, Promise<unknown>>();
  return (folder, act) => {
    const before = last.get(folder) ?? Promise.resolve();
    const mine = before.then(act, act);
    const settled = mine.catch(() => undefined);
    last.set(folder, settled);
    void settled.then(() => last.get(folder) === settled && last.delete(folder));
    return mine;
  };
}
