import { createHistory, type History, type HistoryNeeds } from '../input/history.ts';

/** The history of what was said, read once it is known where it is kept; until then only what is said here. */
export function createLateHistory(ambient: HistoryNeeds['ambient'], dataDir: Promise<string | undefined>): History {
  const here = createHistory({ ambient, dataDir: undefined });
  let whole: History | undefined;
  void dataDir.then(
    (dir) => {
      whole = createHistory({ ambient, dataDir: dir });
      for (const text of here.entries()) whole.add(text);
    },
    () => undefined, // there is no data folder, which is told elsewhere
  );
  return {
    entries: () => (whole ?? here).entries(),
    add: (text) => (whole ?? here).add(text),
    settled: async () => whole?.settled(),
  };
}
