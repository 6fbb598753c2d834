import { type AskedAction, isAddressRead } from '../../asked-action.ts';
import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';

const NAME_WIDTH = 60;
const HOST_WIDTH = 270;

/** The title of a network request. */
export function networkTitle(action: AskedAction, say: Say): string {
  const { host, port, program } = action;
  if (isAddressRead(action))
    return say('request.address', { host: cleanLine(String(host).replace(/^\*\./, ''), HOST_WIDTH) });
  const place = cleanLine(`${String(host)}:${String(port)}`, HOST_WIDTH);
  return typeof program === 'string'
    ? say('request.network', { program: cleanLine(program, NAME_WIDTH), host: place })
    : say('request.network-command', { host: place });
}
