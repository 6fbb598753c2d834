import { type AskedAction, isNetwork } from './asked-action.ts';
import { cleanLine } from './clean-text.ts';
import { isWordKey, type Say } from './words/index.ts';

/** What an approval shows in parts of its own: the command, the file and its change, the host. */
const SHOWN_APART: ReadonlySet<string> = new Set([
  'kind',
  'command',
  'path',
  'content',
  'oldText',
  'newText',
  'all',
  'reason',
  'prefixes',
  'asks',
  'patch',
  'parts',
]);
const IN_TITLE: ReadonlySet<string> = new Set(['host', 'port', 'program', 'tool']);

const NAME_WIDTH = 60;
const DESCRIPTION_WIDTH = 300;

/** Everything else that would be done, a text for each argument: the user needs to see it before approving. */
export function actionFacts(action: AskedAction, { say, indent }: { say: Say; indent?: number }): string[] {
  const printed = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value, undefined, indent);
  return Object.entries(action)
    .filter(([name]) => !(isNetwork(action) && IN_TITLE.has(name)))
    .filter(([name, value]) => !SHOWN_APART.has(name) && value !== undefined && value !== null && value !== false)
    .map(([name, value]) => {
      // What a model says about its command is no fact, and stays on one line.
      if (name === 'description' && typeof action.command === 'string')
        return say('ask.model-says', { text: cleanLine(String(value), DESCRIPTION_WIDTH) });
      const label = factName(name, say);
      return value === true ? label : `${label}: ${printed(value)}`;
    });
}

/** Label of an argument: ours are translated, those of other tools are unchanged. */
export function factName(name: string, say: Say): string {
  const key = `fact.${name}`;
  return isWordKey(key) ? say(key) : cleanLine(name, NAME_WIDTH);
}

/** A file that can run code or grant permissions later: always asked about. */
export const isControlFile = ({ reason }: AskedAction): boolean => reason === 'control-file';
