import type { ToolAction, ToolResult } from '@fucina/shared';
import { HIDDEN_READ_TOOL } from '../state/grants.ts';

/** Shows a request; true if the user allowed it. */
export type AskRead = (action: ToolAction) => Promise<boolean>;

/**
 * Asks once for each path that the sandbox hid from a failed command. The session's next commands can read what the
 * user allows; the result tells the model.
 */
export async function withHiddenReads<Result extends ToolResult>(
  result: Result,
  { command, asked, ask }: { command: string | undefined; asked: Set<string>; ask: AskRead },
): Promise<Result> {
  const { hiddenReads = [], ...rest } = result;
  if (hiddenReads.length === 0) return result;
  const sentences: string[] = [];
  for (const path of hiddenReads.filter((one) => !asked.has(one))) {
    asked.add(path);
    const isAllowed = await ask({
      tipo: HIDDEN_READ_TOOL,
      percorso: path,
      ...(command !== undefined && { comando: command }),
    });
    sentences.push(
      isAllowed
        ? `The user now lets commands of this session read ${path}. Run the command again if it needs it.`
        : `The user did not allow commands to read ${path}.`,
    );
  }
  return { ...(rest as Result), content: [rest.content, ...sentences].join('\n') };
}
