import type { SessionEvent, StatePatch } from '@fucina/shared';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import { textHash } from '../undo/change-events.ts';

/** What a session wrote, by path: the last recorded state of each file. */
export interface OwnWrites {
  /** Reads the new events of the journal. */
  update(): Promise<void>;
  of(path: string): OwnWrite | undefined;
  /** Whether it changed anything inside the folder. */
  isInside(folder: string): boolean;
}

export interface OwnWrite {
  /** SHA-256 of the content; null: deleted; undefined: not recorded. */
  sha256: string | null | undefined;
  /** Epoch ms: when it was recorded. */
  at: number;
}

const PAGE = 500;

export function createOwnWrites(store: Pick<SessionStore, 'eventsAfter'>, record: SessionRecord): OwnWrites {
  const writes = new Map<string, OwnWrite>();
  let readTo = record.lastSeq;
  return {
    async update() {
      for (let events = store.eventsAfter(record.key, readTo, PAGE); events.length > 0; ) {
        for (const { seq, at, json } of events) {
          readTo = seq;
          if (!json.includes('"StateDelta"')) continue;
          const event = JSON.parse(json) as SessionEvent;
          if (event.type !== 'StateDelta') continue;
          for (const patch of event.delta) {
            if (patch.path.startsWith('/file/')) writes.set(patch.path.slice(6), { sha256: hashOf(patch), at });
          }
        }
        await new Promise((resolve) => setImmediate(resolve)); // A long turn is read in pieces.
        events = store.eventsAfter(record.key, readTo, PAGE);
      }
    },
    of: (path) => writes.get(path),
    isInside: (folder) => [...writes.keys()].some((path) => path.startsWith(`${folder}/`)),
  };
}

function hashOf({ op, value, dopoBlob }: StatePatch): string | null | undefined {
  if (op === 'remove') return null;
  return dopoBlob ?? (typeof value === 'string' ? textHash(value) : undefined);
}
