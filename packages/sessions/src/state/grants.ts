import type { ToolAction } from '@fucina/shared';

/**
 * What a user allowed for the rest of the session: a tool in a folder or on one exact path; for the network, a host; for
 * commands, the prefix of one or, as `line`, a line that no prefix can stand for.
 */
export interface Grant {
  tool: string;
  scope: 'folder' | 'path' | 'prefix' | 'line';
  path: string;
}

/** What the answer to a card names. */
export type GrantScope = 'folder' | 'path';

/** Tools of the model that run the command line of their action. */
export const COMMAND_TOOLS: ReadonlySet<string> = new Set(['shell', 'prova']);

/** Not a tool of the model: network access of a sandboxed command. */
export const NETWORK_TOOL = 'rete';

/** Not a tool of the model: a path outside the project that the sandbox hid from a command. */
export const HIDDEN_READ_TOOL = 'lettura';

/** Paths outside the project that the session's commands may read. */
export const grantedReads = (grants: readonly Grant[]): readonly string[] =>
  grants.flatMap(({ tool, path }) => (tool === HIDDEN_READ_TOOL ? [path] : []));

/** Hosts that the session may reach, each with its port. */
export const grantedHosts = (grants: readonly Grant[]): readonly string[] =>
  grants.flatMap(({ tool, path }) => (tool === NETWORK_TOOL ? [path] : []));

/** Empty for an action without a path, and for a folder outside the session's own. */
export function grantsFor(action: ToolAction, scope: GrantScope): Grant[] {
  const { tipo: tool, percorso, comando, prefissi, parti } = action;
  if (Array.isArray(parti)) return (parti as ToolAction[]).flatMap((part) => grantsFor(part, scope));
  if (tool === NETWORK_TOOL) return [{ tool, scope: 'path', path: hostOf(action) }];
  // A card of an earlier version has no prefixes: its answer allowed no other command.
  if (COMMAND_TOOLS.has(tool) && comando !== undefined && percorso === undefined && prefissi !== undefined) {
    if (scope === 'folder') return [];
    if (prefissi.length === 0) return [{ tool, scope: 'line', path: comando }];
    return prefissi.map((path) => ({ tool, scope: 'prefix', path }));
  }
  if (percorso === undefined) return [];
  if (scope === 'path') return [{ tool, scope, path: percorso }];
  return isOutside(percorso) ? [] : [{ tool, scope, path: percorso.split('/').slice(0, -1).join('/') }];
}

/** A line is granted as it is, or if each of its commands has a granted prefix. */
function isGrantedCommand(tool: string, { comando, prefissi = [] }: ToolAction, grants: readonly Grant[]): boolean {
  const granted = (scope: Grant['scope'], path: string): boolean =>
    grants.some((grant) => grant.tool === tool && grant.scope === scope && grant.path === path);
  if (comando !== undefined && granted('line', comando)) return true;
  return prefissi.length > 0 && prefissi.every((prefix) => granted('prefix', prefix));
}

export function isGranted(tool: string, action: ToolAction, grants: readonly Grant[]): boolean {
  if (COMMAND_TOOLS.has(tool) && isGrantedCommand(tool, action, grants)) return true;
  const path = tool === NETWORK_TOOL ? hostOf(action) : action.percorso;
  if (path === undefined) return false;
  return grants.some((grant) => {
    if (grant.tool !== tool || grant.scope === 'prefix' || grant.scope === 'line') return false;
    if (grant.scope === 'path') return path === grant.path || (tool === NETWORK_TOOL && isOfDomain(path, grant.path));
    return !isOutside(path) && (grant.path === '' || path.startsWith(`${grant.path}/`));
  });
}

/** A grant for `*.example.org:443` covers the domain and every name under it, at that port. */
function isOfDomain(host: string, granted: string): boolean {
  return granted.startsWith('*.') && (host === granted.slice(2) || host.endsWith(granted.slice(1)));
}

function hostOf({ host, porta }: ToolAction): string {
  return `${String(host)}:${String(porta)}`;
}

/** At Full access a path may be outside the folder: a grant for a folder never extends that far. */
function isOutside(path: string): boolean {
  return /^([\\/]|[a-z]:)/i.test(path) || path.split(/[\\/]/).includes('..');
}
