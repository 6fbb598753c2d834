import { GATED_TOOLS, type GatedTool } from '@fucina/shared';
import { isControlFile } from '../action-facts.ts';
import type { AskedAction } from '../asked-action.ts';
import type { Terminal } from '../terminal.ts';

/** The text that a user sees before approving. */
export interface ActionView {
  title: string;
  lines: string[];
  /** How many lines at the end are hidden at first. */
  isLong: boolean;
}

/**
 * The tool that can be allowed for the whole session. Undefined for a file that can run code later, which always asks.
 */
export function sessionTool(action: AskedAction): GatedTool | undefined {
  return isControlFile(action) ? undefined : GATED_TOOLS.find((tool) => tool === action.tipo);
}

/** `before` is the file's current text; null when it does not exist, undefined when it cannot be shown. */
export async function viewAction(
  action: AskedAction,
  { terminal, folder, before }: { terminal: Terminal; folder: string; before: string | null | undefined },
): Promise<ActionView> {
  // Loaded on demand, because only a request needs to draw differences.
  const { actionLines, actionTitle } = await import('../screen/requests/action-lines.ts');
  const { say, errorStyle: style } = terminal;
  const title = style.bold(actionTitle(action, { say, folder, before }));
  const lines = actionLines(action, { say, folder, before }).map(style.line);
  return { title, lines, isLong: lines.length > PREVIEW_LINES };
}

export const PREVIEW_LINES = 40;
