import type { ToolAction } from '@fucina/conversation';
import { isNetwork } from './ask-title.ts';

/** The one reason that the server gives: the file could run code or widen rights later. */
export const isControlFile = ({ motivo }: ToolAction): boolean => motivo === 'file-di-controllo';

/** What git and Fucina run by themselves: a rule for it is written in the settings, not with one key. */
const BY_HAND = new Set(['.git', '.svc']);

/** The rule that answers this request in its project from now on; undefined where no card offers one. */
export function projectRule(action: ToolAction): string | undefined {
  const { host, percorso } = action;
  if (isNetwork(action)) {
    if (typeof host !== 'string' || host === '') return undefined;
    return `Network(${host.includes(':') ? `[${host}]` : host})`;
  }
  if (!isControlFile(action) || !percorso) return undefined;
  const parts = percorso.toLowerCase().split('/');
  const isRelative = !/^([\\/~]|[a-z]:)/i.test(percorso) && !parts.includes('..');
  const isOffered = isRelative && !parts.some((part) => BY_HAND.has(part));
  return isOffered && !/[*?{}[\]\\()]/.test(percorso) ? `Write(${percorso})` : undefined;
}
