import type { FileChange, Tool, ToolAction } from '@fucina/shared';
import type { Turn } from '../turn/turn-context.ts';
import type { Trace } from '../undo/change-events.ts';
import type { WatchedCommand } from '../undo/file-changes.ts';
import type { FileVersion } from '../undo/file-history.ts';

/** The changes of files by one call. */
export interface CallFiles {
  /** Resolves when no scan is running. */
  settled(): Promise<void>;
  ready(): Promise<void>;
  command(): WatchedCommand;
  /** The file counts as being written from now until `end`. */
  writing(path: string): void;
  note(path: string): Promise<FileVersion | null | undefined>;
  /** After the call's result is recorded. */
  end(): void;
}

/** One call that may change files, from start to end. */
export interface WatchedCall {
  /** Its command continues after the call returned. */
  letGo(ended: Promise<unknown>): void;
  /** Before it changes a file that its action does not name. */
  willChange(path: string): Promise<void>;
  /** After its result. Records the files that it reported; changes of a command are recorded in the background. */
  finish(changes: readonly FileChange[]): Promise<ReadonlyMap<string, Trace> | undefined>;
}

const UNWATCHED: WatchedCall = {
  letGo: () => undefined,
  willChange: async () => undefined,
  finish: async () => undefined,
};

/** How long a turn waits for the recording of a command's changes; later ones are recorded afterwards. */
export const CHANGES_MS = 3_000;

export function filesOfCall({ needs: { changes }, record }: Turn): CallFiles {
  const ends: (() => void)[] = [];
  return {
    settled: () => changes.settled(record.header.sessionId, CHANGES_MS),
    ready: () => changes.ready(record),
    command: () => changes.command(record),
    writing: (path) => void ends.push(changes.writing(record, [path])),
    note: (path) => changes.note(record, path),
    end() {
      for (const end of ends) end();
    },
  };
}

/** Waits until the changes of an earlier command are recorded: this call could change the same files. */
export async function watchCall({ effect }: Tool, action: ToolAction, files: CallFiles): Promise<WatchedCall> {
  if (effect !== 'write' && effect !== 'process') return UNWATCHED;
  await files.settled();
  if (effect === 'write') return watchWrite(action.percorso, files);
  await files.ready();
  return watchCommand(files.command());
}

async function watchWrite(path: string | undefined, files: CallFiles): Promise<WatchedCall> {
  const before = new Map<string, FileVersion | null | undefined>();
  const note = async (one: string): Promise<void> => {
    if (before.has(one)) return;
    files.writing(one);
    before.set(one, await files.note(one));
  };
  if (path !== undefined) await note(path);
  return {
    letGo: () => undefined,
    willChange: note,
    async finish(changes) {
      const traces = new Map<string, Trace>();
      for (const change of changes) {
        const unknown = change.before === null ? null : undefined;
        const first = before.has(change.path) ? before.get(change.path) : unknown;
        traces.set(change.path, { before: first, after: await files.note(change.path) });
      }
      return traces;
    },
  };
}

function watchCommand(command: WatchedCommand): WatchedCall {
  let isLetGo = false;
  return {
    willChange: async () => undefined,
    letGo(ended) {
      isLetGo = true;
      void ended.then(command.ended, command.ended);
    },
    async finish() {
      if (isLetGo) command.answered();
      else command.ended();
      return undefined;
    },
  };
}
