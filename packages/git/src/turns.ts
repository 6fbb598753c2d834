/** One writer at a time per repository: git refuses a second one instead of waiting. */
export type InTurn = <T>(key: string, act: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(act, act);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
