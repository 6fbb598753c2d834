/** Subscriptions to the facts of a run. */
export interface Followers {
  /** Calls back after every commit of that run; the returned function unsubscribes. */
  follow(runId: string, onCommit: () => void): () => void;
  /** Call once the facts are on disk. */
  tell(runId: string): void;
}

export function createFollowers(): Followers {
  const byRun = new Map<string, Set<() => void>>();
  return {
    follow(runId, onCommit) {
      // A wrapper, because the same function may subscribe twice.
      const listener = (): void => onCommit();
      const followers = byRun.get(runId) ?? new Set();
      byRun.set(runId, followers.add(listener));
      return () => {
        followers.delete(listener);
        if (followers.size === 0 && byRun.get(runId) === followers) byRun.delete(runId);
      };
    },
    tell(runId) {
      for (const listener of byRun.get(runId) ?? []) listener();
    },
  };
}
