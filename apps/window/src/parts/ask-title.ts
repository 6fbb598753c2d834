import { isAddressRead, isHiddenRead, isNetwork, type ToolAction } from '@fucina/conversation';
import { cleanText } from '@fucina/conversation/clean-text';
import type { useWords } from '../words/words.ts';
import { toolLabels } from './tool-words.ts';

type Say = ReturnType<typeof useWords>['say'];

/** The title of a card. */
export function askTitle(action: ToolAction, say: Say): string {
  if (isHiddenRead(action)) return say('ask.read', { path: cleanText(action.percorso ?? '') });
  if (!isNetwork(action)) return say(toolLabels(action.tipo).ask, { name: cleanText(action.tipo) });
  if (isAddressRead(action)) return say('ask.address', { host: cleanText(String(action.host).replace(/^\*\./, '')) });
  const { programma } = action;
  const host = cleanText(`${String(action.host)}:${String(action.porta)}`);
  return typeof programma === 'string'
    ? say('ask.network', { program: cleanText(programma), host })
    : say('ask.networkCommand', { host });
}
