import type { SeenFiles, SessionEvent } from '@fucina/shared';
import { textHash } from '../undo/change-events.ts';

/** Versions of files that a session has read, written or made, rebuilt from its journal. */
export interface KnownFiles extends SeenFiles {
  learn(event: SessionEvent): void;
}

const FILE = '/file/';

export function createKnownFiles(): KnownFiles {
  const versions = new Map<string, string>();
  return {
    get: (path) => versions.get(path),
    set: (path, sha256) => void versions.set(path, sha256),
    learn(event) {
      if (event.type === 'ToolCallResult')
        for (const { percorso, sha256 } of event.versioni ?? []) versions.set(percorso, sha256);
      // A revert, which has no turn, is the user's. What is known of a path may be newer than what a command made there.
      if (event.type !== 'StateDelta' || event.giro === undefined) return;
      for (const { op, path, value, dopoBlob } of event.delta) {
        const name = path.slice(FILE.length);
        const sha256 = dopoBlob ?? (typeof value === 'string' ? textHash(value) : undefined);
        if (op === 'add' && path.startsWith(FILE) && sha256 && !versions.has(name)) versions.set(name, sha256);
      }
    },
  };
}

/** Also collects what one call learns, for its result. */
export function learning(seen: SeenFiles): { seen: SeenFiles; versions: ReadonlyMap<string, string> } {
  const versions = new Map<string, string>();
  return {
    versions,
    seen: {
      get: (path) => seen.get(path),
      set(path, sha256) {
        versions.set(path, sha256);
        seen.set(path, sha256);
      },
    },
  };
}
