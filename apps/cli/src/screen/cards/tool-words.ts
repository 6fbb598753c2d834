import { callSubject } from '../../call-subject.ts';
import { cleanLine } from '../../clean-text.ts';
import type { Say, Words } from '../../words/index.ts';
import { isWordKey } from '../../words/index.ts';

/** In a user's words: what is being done, or was. A tool that others brought goes by its own name. */
export function toolVerb(tool: string, isOver: boolean, say: Say): string {
  const key = `tool.${tool}.${isOver ? 'done' : 'now'}`;
  return isWordKey(key) ? say(key as keyof Words) : cleanLine(tool, NAME_WIDTH);
}

const NAME_WIDTH = 60;

/** On one line, as long as it is; empty when the call has no subject, or not yet. */
export function subjectOf(args: Readonly<Record<string, unknown>>): string {
  return cleanLine(callSubject(args), SUBJECT_WIDTH);
}

const SUBJECT_WIDTH = 400;
