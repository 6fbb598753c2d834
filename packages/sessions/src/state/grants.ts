import type { ToolAction } from '@fucina/shared';

/** What a person allowed for the rest of the session: one tool under one folder, or on one exact path. */
export interface Grant {
  tool: string;
  scope: 'folder' | 'path';
  path: string;
}

/** Undefined for an action without a path, and for a folder that is not inside the session's own. */
export function grantFor(action: ToolAction, scope: Grant['scope']): Grant | undefined {
  const { tipo: tool, percorso } = action;
  if (percorso === undefined) return undefined;
  if (scope === 'path') return { tool, scope, path: percorso };
  return isOutside(percorso) ? undefined : { tool, scope, path: percorso.split('/').slice(0, -1).join('/') };
}

export function isGranted(tool: string, action: ToolAction, grants: readonly Grant[]): boolean {
  const path = action.percorso;
  if (path === undefined) return false;
  return grants.some((grant) => {
    if (grant.tool !== tool) return false;
    if (grant.scope === 'path') return path === grant.path;
    return !isOutside(path) && (grant.path === '' || path.startsWith(`${grant.path}/`));
  });
}

/** At Full access a path may lead out of the folder: a grant for a folder never reaches that far. */
function isOutside(path: string): boolean {
  return /^([\\/]|[a-z]:)/i.test(path) || path.split(/[\\/]/).includes('..');
}
