import { isAddressRead, isHiddenRead, isNetwork, isOfFiles, type ToolAction } from '@fucina/conversation';
import { cleanText } from '@fucina/conversation/clean-text';
import type { useWords } from '../words/words.ts';
import { toolLabels } from './tool-words.ts';

type Say = ReturnType<typeof useWords>['say'];

/** The title of a card. */
export function askTitle(action: ToolAction, say: Say): string {
  if (isHiddenRead(action)) return say('ask.read', { path: cleanText(action.path ?? '') });
  if (isOfFiles(action)) return say('tool.apply_patch.ask');
  if (!isNetwork(action)) return say(toolLabels(action.kind).ask, { name: cleanText(action.kind) });
  if (isAddressRead(action)) return say('ask.address', { host: cleanText(String(action.host).replace(/^\*\./, '')) });
  const { program } = action;
  const host = cleanText(`${String(action.host)}:${String(action.port)}`);
  return typeof program === 'string'
    ? say('ask.network', { program: cleanText(program), host })
    : say('ask.networkCommand', { host });
}
