import { isAbsolute, join } from 'node:path';
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import { actionFacts, isControlFile } from '../action-facts.ts';
import type { AskedAction } from '../asked-action.ts';
import { cleanText } from '../clean-text.ts';
import { fenced } from '../fenced.ts';
import type { Say } from '../words/index.ts';
import { textContent } from './updates.ts';

interface AskedPlace {
  folder: string;
  /** The file's current text: null when it does not exist, undefined when it cannot be shown. */
  before: string | null | undefined;
  say: Say;
}

/** Everything that the user of an editor needs to see before approving. */
export function askedContent(action: AskedAction, place: AskedPlace): ToolCallContent[] {
  const { say } = place;
  const { command, patch, all } = action;
  const facts = actionFacts(action, { say, indent: 2 }).join('\n');
  const printed = [command, patch, facts].filter((text) => typeof text === 'string' && text !== '') as string[];
  const notes = [
    ...(all === true ? [say('fact.all')] : []),
    ...(isControlFile(action) ? [say('ask.control-file')] : []),
  ];
  return [
    ...changeOf(action, place),
    ...printed.map((text) => textContent(fenced(cleanText(text)))),
    ...notes.map(textContent),
  ];
}

function changeOf(
  { path: asked, content, oldText, newText }: AskedAction,
  { folder, before }: AskedPlace,
): ToolCallContent[] {
  if (typeof asked !== 'string') return [];
  const path = isAbsolute(asked) ? asked : join(folder, asked);
  if (typeof content === 'string') return [{ type: 'diff', path, oldText: before ?? null, newText: content }];
  if (typeof oldText !== 'string' || typeof newText !== 'string') return [];
  return [{ type: 'diff', path, oldText, newText }];
}
