import { GATED_TOOLS, type GatedTool } from '@fucina/shared';
import type { AskedAction } from '../asked-action.ts';
import type { Terminal } from '../terminal.ts';

/** What a user reads before giving leave. */
export interface ActionView {
  title: string;
  lines: string[];
  /** How many lines at the end are beyond a first look. */
  isLong: boolean;
}

/**
 * The tool that can be allowed for the whole session. A file that can run code later is asked each time: "for this
 * session" would promise too much.
 */
export function sessionTool({ tipo, motivo }: AskedAction): GatedTool | undefined {
  return motivo === 'file-di-controllo' ? undefined : GATED_TOOLS.find((tool) => tool === tipo);
}

/** `before` is the file's present text; null when there is none, undefined when it cannot be shown. */
export async function viewAction(
  action: AskedAction,
  { terminal, folder, before }: { terminal: Terminal; folder: string; before: string | null | undefined },
): Promise<ActionView> {
  // With it comes what draws differences, which only a question needs.
  const { actionLines, actionTitle } = await import('../screen/requests/action-lines.ts');
  const { say, errorStyle: style } = terminal;
  const title = style.bold(actionTitle(action, { say, folder, before }));
  const lines = actionLines(action, { say, folder, before }).map(style.line);
  return { title, lines, isLong: lines.length > PREVIEW_LINES };
}

export const PREVIEW_LINES = 40;
