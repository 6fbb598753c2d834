import { prefixText } from '@fucina/conversation';
import { GATED_TOOLS, type GatedTool } from '@fucina/shared';
import { isControlFile } from '../action-facts.ts';
import { type AskedAction, isNetwork, sessionCommands } from '../asked-action.ts';
import { cleanLine } from '../clean-text.ts';
import type { Terminal } from '../terminal.ts';
import type { Say } from '../words/index.ts';

/** The text that a user sees before approving. */
export interface ActionView {
  title: string;
  lines: string[];
  /** All lines, and those that are shown at first: of a long command also its end. */
  isLong: boolean;
  preview: string[];
}

/** Of a command an answer for the session allows its prefixes, never the whole tool. */
export type WholeTool = Exclude<GatedTool, 'shell' | 'prova'>;

/**
 * The tool that can be allowed for the whole session. Undefined for a file that can run code later, which always asks.
 */
export function sessionTool(action: AskedAction): WholeTool | undefined {
  const found = isControlFile(action) ? undefined : GATED_TOOLS.find((tool) => tool === action.kind);
  return found === 'shell' || found === 'prova' ? undefined : found;
}

/** The subject of an answer for the session that the answer itself carries: a host, or commands. */
export function answeredSubject(action: AskedAction): 'host' | 'command' | undefined {
  if (isNetwork(action)) return 'host';
  return sessionCommands(action) && 'command';
}

/** `npm test …`; a line without prefixes is allowed as it is. */
export function sessionCommandText(action: AskedAction, say: Say): string | undefined {
  const prefixes = sessionCommands(action);
  if (prefixes === undefined) return undefined;
  return prefixes.length > 0 ? cleanLine(prefixText(prefixes), PREFIX_WIDTH) : say('ask.this-line');
}

const PREFIX_WIDTH = 200;

/** `before` is the file's current text; null when it does not exist, undefined when it cannot be shown. */
export async function viewAction(
  action: AskedAction,
  { terminal, folder, before }: { terminal: Terminal; folder: string; before: string | null | undefined },
): Promise<ActionView> {
  // Loaded on demand, because only a request needs to draw differences.
  const { actionLines, actionTitle, commandEnd, fittingLines } = await import('../screen/requests/action-lines.ts');
  const { say, errorStyle: style } = terminal;
  const title = style.bold(actionTitle(action, { say, folder, before }));
  const place = { say, folder, before };
  const all = actionLines(action, place);
  const more = (count: number): string => say('ask.more', { count });
  const preview = fittingLines(all, { room: PREVIEW_LINES + 1, end: commandEnd(action, place), more }).lines;
  return {
    title,
    lines: all.map(style.line),
    isLong: all.length > PREVIEW_LINES + 1,
    preview: preview.map(style.line),
  };
}

const PREVIEW_LINES = 40;
