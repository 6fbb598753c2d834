import type { Ambient } from '@fucina/shared';

/** Pages the agent made for the user to look at: in memory only, gone with the process. */
export interface Artifacts {
  /** Answers the id under which it is served. The oldest make room when there are too many. */
  keep(artifact: Artifact): string;
  read(id: string): Artifact | undefined;
  /** Those of a deleted session. */
  forget(sessionId: string): void;
}

export interface Artifact {
  sessionId: string;
  title: string;
  html: string;
}

const MAX_KEPT = 200;
/** Characters of all pages together; a string of JavaScript takes one or two bytes for each. */
const MAX_CHARS = 32 * 1024 * 1024;

export function createArtifacts(ambient: Pick<Ambient, 'newId'>): Artifacts {
  const kept = new Map<string, Artifact>();
  let chars = 0;
  const drop = (id: string): void => {
    chars -= kept.get(id)?.html.length ?? 0;
    kept.delete(id);
  };

  return {
    keep(artifact) {
      const id = ambient.newId();
      kept.set(id, artifact);
      chars += artifact.html.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT && chars <= MAX_CHARS) break;
        if (oldest !== id) drop(oldest);
      }
      return id;
    },
    read: (id) => kept.get(id),
    forget(sessionId) {
      for (const [id, artifact] of kept) if (artifact.sessionId === sessionId) drop(id);
    },
  };
}
