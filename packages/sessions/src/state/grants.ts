import type { ToolAction } from '@fucina/shared';

/**
 * What a user allowed for the rest of the session: a tool in a folder or on one exact path; for the network, a host.
 */
export interface Grant {
  tool: string;
  scope: 'folder' | 'path';
  path: string;
}

/** Not a tool of the model: network access of a sandboxed command. */
export const NETWORK_TOOL = 'rete';

/** Not a tool of the model: a path outside the project that the sandbox hid from a command. */
export const HIDDEN_READ_TOOL = 'lettura';

/** Paths outside the project that the session's commands may read. */
export const grantedReads = (grants: readonly Grant[]): readonly string[] =>
  grants.flatMap(({ tool, path }) => (tool === HIDDEN_READ_TOOL ? [path] : []));

/** Undefined for an action without a path, and for a folder outside the session's own. */
export function grantFor(action: ToolAction, scope: Grant['scope']): Grant | undefined {
  const { tipo: tool, percorso } = action;
  if (tool === NETWORK_TOOL) return { tool, scope: 'path', path: hostOf(action) };
  if (percorso === undefined) return undefined;
  if (scope === 'path') return { tool, scope, path: percorso };
  return isOutside(percorso) ? undefined : { tool, scope, path: percorso.split('/').slice(0, -1).join('/') };
}

export function isGranted(tool: string, action: ToolAction, grants: readonly Grant[]): boolean {
  const path = tool === NETWORK_TOOL ? hostOf(action) : action.percorso;
  if (path === undefined) return false;
  return grants.some((grant) => {
    if (grant.tool !== tool) return false;
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
