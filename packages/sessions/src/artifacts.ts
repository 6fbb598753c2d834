import type { Ambient } from '@fucina/shared';

/** Pages that the agent created for the user: in memory only, lost when the process ends. */
export interface Artifacts {
  /** Returns the id under which it is served. Deletes the oldest above the limit. */
  keep(artifact: Artifact): string;
  read(id: string): Artifact | undefined;
  /** Deletes those of a deleted session. */
  forget(sessionId: string): void;
}

export interface Artifact {
  sessionId: string;
  title: string;
  html: string;
}

const MAX_STORED = 200;
/** Total characters of all pages; a JavaScript string takes one or two bytes per character. */
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
        if (kept.size <= MAX_STORED && chars <= MAX_CHARS) break;
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
