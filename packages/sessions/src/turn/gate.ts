import type {
  OperatingMode,
  PermissionLevel,
  RuleVerdict,
  Tool,
  ToolAction,
  ToolEffect,
  ToolPermissions,
} from '@fucina/shared';
import { sha256 } from '../state/digest.ts';
import { type Grant, isGranted } from '../state/grants.ts';

/** The one permission gate: every tool call of every wire passes here, and nowhere else is a permission decided. */
export type GateDecision =
  | { verdict: 'allow' }
  | { verdict: 'ask'; because: 'level' | 'tool' | 'control-file' | 'rule' }
  | { verdict: 'deny'; because: 'level' | 'tool' | 'plan-mode' | 'rule' | 'folder-too-wide' };

export interface GateInput {
  tool: Pick<Tool, 'name' | 'effect' | 'gate' | 'isAsked'>;
  action: ToolAction;
  level: PermissionLevel;
  mode: OperatingMode;
  toolPermissions: ToolPermissions | null;
  /** Files whose change could run code or widen rights later: always asked, whatever the level. */
  isControlFile: boolean;
  grants: readonly Grant[];
  /** What the user's standing rules say of this very call, if anything. */
  rule?: RuleVerdict | undefined;
  /** Nobody is there to be asked: it is the run of an automation. */
  isUnattended?: boolean;
  /** False where no sandbox holds a command to its level: Workspace write then asks before each. Default: true. */
  isSandboxed?: boolean;
  /** The session's folder holds the user's home or Fucina's data: Workspace write changes nothing there. */
  isFolderTooWide?: boolean;
}

/** What plan mode keeps from happening, whatever tool does it. */
const CHANGING: ReadonlySet<ToolEffect> = new Set(['write', 'process', 'record', 'control']);

/** Pure. `deny` wins over everything; then the mode, what is asked each time, a rule, the tool's own choice, the level. */
export function decide(input: GateInput): GateDecision {
  const {
    tool,
    action,
    level,
    mode,
    toolPermissions,
    isControlFile,
    grants,
    rule,
    isUnattended,
    isSandboxed = true,
    isFolderTooWide = false,
  } = input;
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
  if (isFolderTooWide && level === 'Workspace write') return { verdict: 'deny', because: 'folder-too-wide' };
  if (isControlFile) return { verdict: 'ask', because: 'control-file' };
  if (isAsked) return { verdict: 'ask', because: 'rule' };
  if (own === 'always' || rule === 'allow') return { verdict: 'allow' };
  const isUnheld = !isSandboxed && tool.effect === 'process' && level === 'Workspace write';
  const mustAsk = own === 'ask' || (own === undefined && (level === 'On request' || isUnheld));
  if (!mustAsk || isGranted(tool.name, action, grants)) return { verdict: 'allow' };
  return { verdict: 'ask', because: own === 'ask' ? 'tool' : 'level' };
}

/** What an approval binds to: the same bytes are what runs. */
export function actionHash(action: ToolAction): string {
  return sha256(JSON.stringify(action));
}
