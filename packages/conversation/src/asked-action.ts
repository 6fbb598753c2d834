import type { ToolAction } from './events.ts';

/** A command wants to reach a host. */
export const isNetwork = ({ tipo }: Pick<ToolAction, 'tipo'>): boolean => tipo === 'rete';

/** The sandbox hid a place outside the project from a command. */
export const isHiddenRead = ({ tipo }: Pick<ToolAction, 'tipo'>): boolean => tipo === 'lettura';

/** The one reason that the server gives: the file could run code or widen rights later. */
export const isControlFile = ({ motivo }: Pick<ToolAction, 'motivo'>): boolean => motivo === 'file-di-controllo';

/** What git and Fucina run by themselves: a rule for it is written in the settings, not with one key. */
const BY_HAND = new Set(['.git', '.svc']);
/** A rule would read it as a pattern. */
const PATTERN = /[*?{}[\]\\()\n\r]/;

/** The rule of the sandbox that answers this request in its project from now on; undefined where no card offers one. */
export function projectRule(action: ToolAction): string | undefined {
  const { host, percorso } = action;
  if (isNetwork(action)) {
    if (typeof host !== 'string' || host === '') return undefined;
    return `Network(${host.includes(':') ? `[${host}]` : host})`;
  }
  if (typeof percorso !== 'string' || percorso === '' || PATTERN.test(percorso)) return undefined;
  if (isHiddenRead(action)) return `Read(${percorso})`;
  if (!isControlFile(action)) return undefined;
  const parts = percorso.toLowerCase().split('/');
  const isRelative = !/^([\\/~]|[a-z]:)/i.test(percorso) && !parts.includes('..');
  return isRelative && !parts.some((part) => BY_HAND.has(part)) ? `Write(${percorso})` : undefined;
}
