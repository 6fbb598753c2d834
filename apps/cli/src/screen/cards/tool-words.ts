import { callSubject, toolFacts } from '@fucina/conversation';
import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';

/** A label for a running or finished call. A tool of an extension is shown by its own name. */
export function toolVerb(tool: string, isOver: boolean, say: Say): string {
  const { words } = toolFacts(tool);
  return words === 'other' ? cleanLine(tool, NAME_WIDTH) : say(`tool.${words}.${isOver ? 'done' : 'now'}`);
}

const NAME_WIDTH = 60;

/** On one line, untruncated; empty when the call has no subject, or not yet. */
export function subjectOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  return cleanLine(callSubject(tool, args), SUBJECT_WIDTH);
}

const SUBJECT_WIDTH = 400;
