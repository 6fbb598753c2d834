import type { ToolAction } from '@fucina/conversation';
import { isNetwork } from './ask-title.ts';

/** The one reason that the server gives: the file could run code or widen rights later. */
export const isControlFile = ({ motivo }: ToolAction): boolean => motivo === 'file-di-controllo';

/** The rule that answers this request in its project from now on; undefined where no rule can. */
export function projectRule(action: ToolAction): string | undefined {
  const { host, percorso } = action;
  if (isNetwork(action)) {
    if (typeof host !== 'string' || host === '') return undefined;
    return `Network(${host.includes(':') ? `[${host}]` : host})`;
  }
  if (!isControlFile(action) || !percorso) return undefined;
  const isRelative = !/^([\\/~]|[a-z]:)/i.test(percorso) && !percorso.split('/').includes('..');
  return isRelative && !/[*?{}[\]\\()]/.test(percorso) ? `Write(${percorso})` : undefined;
}
