import type { ControlWrite, FileChange, ToolResult } from '@fucina/shared';
import type { Trace } from '../undo/change-events.ts';

type Written = ToolResult & { traces?: ReadonlyMap<string, Trace> | undefined };

/** Writes a file as the write tool does, after the user's answer. An error if the user did not allow it. */
export type WriteAsked = (path: string, content: string) => Promise<Written>;

/**
 * Asks for each control file that a command wrote; the sandbox has already removed them, or what is dangerous in them.
 * Allowed files are written again. The result reports each to the model, and contains the changes.
 */
export async function withControlWrites<Result extends Written>(result: Result, write: WriteAsked): Promise<Result> {
  const { controlWrites = [], ...rest } = result;
  if (controlWrites.length === 0) return result;
  const outcomes: string[] = [];
  const changes: FileChange[] = [...(rest.changes ?? [])];
  const traces = new Map(rest.traces ?? []);
  for (const one of controlWrites) {
    const written = one.content === null ? undefined : await write(one.path, one.content);
    outcomes.push(outcomeOf(one, written));
    changes.push(...(written?.changes ?? []));
    for (const [path, trace] of written?.traces ?? []) traces.set(path, trace);
  }
  return { ...result, content: `${rest.content}\n${outcomes.join('\n')}`, changes, traces };
}

function outcomeOf({ path, isLeft, isStripped }: ControlWrite, written: Written | undefined): string {
  const what = `The command made ${path}, a file that other programs run or obey.`;
  if (isLeft) return `${what} It could not be removed, and is still there: say so to the user.`;
  if (!written) return `${what} It was removed: it is a link, too large or not text.`;
  if (!written.isError) return `${what} The user allowed it.`;
  return isStripped
    ? `${what} The settings that start a program were removed: the user did not allow them.`
    : `${what} It was removed: the user did not allow it.`;
}
