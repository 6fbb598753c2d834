import { callSubject } from '@fucina/conversation';
import { cleanLine } from '../../clean-text.ts';
import type { Say, Words } from '../../words/index.ts';
import { isWordKey } from '../../words/index.ts';

/** A label for a running or finished call. A tool of an extension is shown by its own name. */
export function toolVerb(tool: string, isOver: boolean, say: Say): string {
  const key = `tool.${tool}.${isOver ? 'done' : 'now'}`;
  return isWordKey(key) ? say(key as keyof Words) : cleanLine(tool, NAME_WIDTH);
}

const NAME_WIDTH = 60;

/** On one line, untruncated; empty when the call has no subject, or not yet. */
export function subjectOf(args: Readonly<Record<string, unknown>>): string {
  return cleanLine(callSubject(args), SUBJECT_WIDTH);
}

const SUBJECT_WIDTH = 400;
