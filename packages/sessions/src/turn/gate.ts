import type {
  OperatingMode,
  PermissionLevel,
  RuleVerdict,
  Tool,
  ToolAction,
  ToolEffect,
  ToolPermissions,
} from '@fucina/shared';
import { sha256 } from '../store/digest.ts';

/** The one permission gate: every tool call of every wire passes here, and nowhere else is a permission decided. */
export type GateDecision =
  | { verdict: 'allow' }
  | { verdict: 'ask'; because: 'level' | 'tool' | 'control-file' | 'rule' }
  | { verdict: 'deny'; because: 'level' | 'tool' | 'plan-mode' | 'rule' };

export interface GateInput {
  tool: Pick<Tool, 'name' | 'effect' | 'gate' | 'isAsked'>;
  action: ToolAction;
  level: PermissionLevel;
  mode: OperatingMode;
  toolPermissions: ToolPermissions | null;
  /** Files whose change could run code or widen rights later: always asked, whatever the level. */
  isControlFile: boolean;
  grants: readonly Grant[];
  /** What the person's standing rules say of this very call, if anything. */
  rule?: RuleVerdict | undefined;
  /** Nobody is there to be asked: it is the run of an automation. */
  isUnattended?: boolean;
}

/** What a person allowed for the rest of the session: one tool under one folder, or on one exact path. */
export interface Grant {
  tool: string;
  scope: 'folder' | 'path';
  path: string;
}

/** What plan mode keeps from happening, whatever tool does it. */
const CHANGING: ReadonlySet<ToolEffect> = new Set(['write', 'process', 'record', 'control']);

/** Pure. `deny` wins over everything; then the mode, what is asked each time, a rule, the tool's own choice, the level. */
export function decide(input: GateInput): GateDecision {
  const { tool, action, level, mode, toolPermissions, isControlFile, grants, rule, isUnattended } = input;
  if (rule === 'deny') return { verdict: 'deny', because: 'rule' };
  const own = tool.gate ? toolPermissions?.[tool.gate] : undefined;
  if (own === 'deny') return { verdict: 'deny', because: 'tool' };
  if (mode === 'plan' && CHANGING.has(tool.effect)) return { verdict: 'deny', because: 'plan-mode' };
  if (level === 'Research' && CHANGING.has(tool.effect)) return { verdict: 'deny', because: 'level' };
  if (tool.isAsked && !isUnattended) return { verdict: 'ask', because: 'tool' };
  const isAsked = rule === 'ask' && !isGranted(tool.name, action, grants);
  if (tool.effect !== 'write' && tool.effect !== 'process') {
    return isAsked ? { verdict: 'ask', because: 'rule' } : { verdict: 'allow' };
  }
  if (own === undefined && level === 'Read only') return { verdict: 'deny', because: 'level' };
  if (isControlFile) return { verdict: 'ask', because: 'control-file' };
  if (isAsked) return { verdict: 'ask', because: 'rule' };
  if (own === 'always' || rule === 'allow') return { verdict: 'allow' };
  const mustAsk = own === 'ask' || (own === undefined && level === 'On request');
  if (!mustAsk || isGranted(tool.name, action, grants)) return { verdict: 'allow' };
  return { verdict: 'ask', because: own === 'ask' ? 'tool' : 'level' };
}

/** What an approval binds to: the same bytes are what runs. */
export function actionHash(action: ToolAction): string {
  return sha256(JSON.stringify(action));
}

/** Undefined for an action without a path, and for a folder that is not inside the session's own. */
export function grantFor(action: ToolAction, scope: Grant['scope']): Grant | undefined {
  const { tipo: tool, percorso } = action;
  if (percorso === undefined) return undefined;
  if (scope === 'path') return { tool, scope, path: percorso };
  return isOutside(percorso) ? undefined : { tool, scope, path: percorso.split('/').slice(0, -1).join('/') };
}

function isGranted(tool: string, action: ToolAction, grants: readonly Grant[]): boolean {
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
