/** Files that sessions are about to write: the journal does not contain the results yet. */
export interface PendingWrites {
  /** Paths relative to the session's folder, until the returned function is called. */
  add(sessionId: string, paths: readonly string[]): () => void;
  /** Whether it is such a file, or a folder that contains one. */
  has(sessionId: string, path: string): boolean;
}

export function createPendingWrites(): PendingWrites {
  /** For each session: the files and the folders that contain them, with how many writes are pending. */
  const sessions = new Map<string, Map<string, number>>();

  const count = (sessionId: string, places: readonly string[], by: 1 | -1): void => {
    const counts = sessions.get(sessionId) ?? new Map<string, number>();
    sessions.set(sessionId, counts);
    for (const place of places) {
      const left = (counts.get(place) ?? 0) + by;
      if (left > 0) counts.set(place, left);
      else counts.delete(place);
    }
    if (counts.size === 0) sessions.delete(sessionId);
  };
  return {
    add(sessionId, paths) {
      const places = paths.flatMap(withFolders);
      count(sessionId, places, 1);
      return () => count(sessionId, places, -1);
    },
    has: (sessionId, path) => sessions.get(sessionId)?.has(path) ?? false,
  };
}

/** `a/b/c`, `a/b` and `a`. */
function withFolders(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, at) => names.slice(0, names.length - at).join('/'));
}
