import type { FileChange, Tool, ToolAction } from '@fucina/shared';
import type { Trace } from '../undo/change-events.ts';
import type { WatchedCommand } from '../undo/file-changes.ts';
import type { FileVersion } from '../undo/file-history.ts';

/** File changes by the calls of a turn. */
export interface ToolFiles {
  /** Sequence of the RunStarted of the turn. */
  turn(): number;
  /** Resolves when no scan is running. */
  settled(): Promise<void>;
  ready(): Promise<void>;
  command(): WatchedCommand;
  /** A call is about to write this file; the returned function says that its result is recorded. */
  writing(path: string): () => void;
  note(path: string): Promise<FileVersion | null | undefined>;
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

/** For one call: what it writes counts as being written until `end`, after its result is recorded. */
export function filesOfCall(files: ToolFiles): { files: ToolFiles; end(): void } {
  const ends: (() => void)[] = [];
  return {
    files: {
      ...files,
      writing(path) {
        const end = files.writing(path);
        ends.push(end);
        return end;
      },
    },
    end() {
      for (const end of ends) end();
    },
  };
}

/** Waits until the changes of an earlier command are recorded: this call could change the same files. */
export async function watchCall({ effect }: Tool, action: ToolAction, files: ToolFiles): Promise<WatchedCall> {
  if (effect !== 'write' && effect !== 'process') return UNWATCHED;
  await files.settled();
  if (effect === 'write') return watchWrite(action.percorso, files);
  await files.ready();
  return watchCommand(files.command());
}

async function watchWrite(path: string | undefined, files: ToolFiles): Promise<WatchedCall> {
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
