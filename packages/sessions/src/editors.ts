import type { Editor } from '@fucina/shared';

/** Editors that are connected to sessions in this process. */
export interface Editors {
  /** Undefined disconnects the editor. The session may not exist yet. */
  connect(sessionId: string, editor: Editor | undefined): void;
}

export interface KnownEditors extends Editors {
  of(sessionId: string): Editor | undefined;
}

export function createEditors(): KnownEditors {
  const known = new Map<string, Editor>();
  return {
    connect(sessionId, editor) {
      if (editor) known.set(sessionId, editor);
      else known.delete(sessionId);
    },
    of: (sessionId) => known.get(sessionId),
  };
}
