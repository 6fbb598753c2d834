import type { EditorFiles } from '@fucina/shared';

/** Editors that are connected to sessions in this process. */
export interface Editors {
  /** Undefined takes the editor away. The session may not have begun yet. */
  connect(sessionId: string, files: EditorFiles | undefined): void;
}

export interface KnownEditors extends Editors {
  of(sessionId: string): EditorFiles | undefined;
}

export function createEditors(): KnownEditors {
  const known = new Map<string, EditorFiles>();
  return {
    connect(sessionId, files) {
      if (files) known.set(sessionId, files);
      else known.delete(sessionId);
    },
    of: (sessionId) => known.get(sessionId),
  };
}
