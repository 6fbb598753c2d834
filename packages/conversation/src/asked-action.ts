import type { ToolAction } from './events.ts';

/** A command wants to reach a host. */
export const isNetwork = ({ kind }: Pick<ToolAction, 'kind'>): boolean => kind === 'network';

/** A tool wants to read an address: `indirizzo`, with the data that it carries in `dati`. */
export const isAddressRead = (action: Pick<ToolAction, 'kind'> & { address?: unknown }): boolean =>
  isNetwork(action) && typeof action.address === 'string';

/** A patch of several files. */
export const isOfFiles = ({ parts }: ToolAction): boolean => Array.isArray(parts) && parts.length > 1;

/** The sandbox hid a place outside the project from a command. */
export const isHiddenRead = ({ kind }: Pick<ToolAction, 'kind'>): boolean => kind === 'hidden-read';

/**
 * What a card about a call of an MCP server asks beyond this call: how calls of the whole server are answered from now on,
 * or whether this tool runs without asking. Undefined: about this call only.
 */
export function askedOfServer({ asks }: ToolAction): 'server' | 'tool' | undefined {
  if (asks === 'server') return 'server';
  return asks === 'tool' ? 'tool' : undefined;
}

/**
 * An answer that allows the call and applies to later ones: each call of the server asks, this tool runs without asking,
 * or all tools of the server do.
 */
export type ServerAnswer = 'each' | 'tool' | 'server';

/** The answers that a card offers beside denying; none for a card that asks nothing about a server. */
export function serverAnswers(action: ToolAction): readonly ServerAnswer[] {
  const asked = askedOfServer(action);
  if (asked === undefined) return [];
  return asked === 'server' ? ['each', 'tool', 'server'] : ['tool'];
}

/** The server of the call, and what is stored about it. */
export function storedServerAnswer(
  { server, tool }: ToolAction,
  answer: ServerAnswer,
): { server: string; choice: { allowTool: string } | { answer: 'allow' | 'ask' } } {
  const choice = answer === 'tool' ? { allowTool: String(tool) } : { answer: serverWide[answer] };
  return { server: String(server), choice };
}

const serverWide = { each: 'ask', server: 'allow' } as const;

/** The server's only reason: the file could run code or widen rights later. */
export const isControlFile = ({ reason }: Pick<ToolAction, 'reason'>): boolean => reason === 'control-file';

/**
 * What an answer for the session allows of a command: a prefix for each command of its line, as `npm test`; empty for
 * this very line. Undefined for a request that is not about a command.
 */
export function sessionCommands({ prefixes }: ToolAction): readonly string[] | undefined {
  return Array.isArray(prefixes) ? prefixes.filter((prefix) => typeof prefix === 'string') : undefined;
}

/** Prefixes as people read them: `git status …, npm test …`. */
export const prefixText = (prefixes: readonly string[]): string => prefixes.map((prefix) => `${prefix} …`).join(', ');

/**
 * Files that git and Fucina run by themselves: a rule for them must be written in the settings, not accepted with one
 * key.
 */
const BY_HAND = new Set(['.git', '.svc']);
/** A rule would interpret it as a pattern. */
const PATTERN = /[*?{}[\]\\()\n\r]/;

/** The sandbox rule that would answer this request in this project from now on; undefined if the card offers none. */
export function projectRule(action: ToolAction): string | undefined {
  const { host, path } = action;
  if (isNetwork(action)) {
    if (typeof host !== 'string' || host === '') return undefined;
    return `Network(${host.includes(':') ? `[${host}]` : host})`;
  }
  if (typeof path !== 'string' || path === '' || PATTERN.test(path)) return undefined;
  if (isHiddenRead(action)) return `Read(${path})`;
  if (!isControlFile(action)) return undefined;
  const parts = path.toLowerCase().split('/');
  const isRelative = !/^([\\/~]|[a-z]:)/i.test(path) && !parts.includes('..');
  return isRelative && !parts.some((part) => BY_HAND.has(part)) ? `Write(${path})` : undefined;
}
