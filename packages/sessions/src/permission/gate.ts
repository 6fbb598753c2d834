import type {
  OperatingMode,
  PermissionLevel,
  RuleVerdict,
  Tool,
  ToolAction,
  ToolCallLeave,
  ToolEffect,
  ToolPermissions,
} from '@fucina/shared';
import { sha256 } from '../state/digest.ts';
import { type Grant, isGranted } from '../state/grants.ts';
import type { Reach } from '../turn/turn-context.ts';

/** The permission gate: every tool call of every provider passes here, and permissions are decided nowhere else. */
export type GateDecision =
  | { verdict: 'allow' }
  | { verdict: 'ask'; because: 'level' | 'tool' | 'control-file' | 'rule' | 'network' | 'server' }
  | {
      verdict: 'deny';
      because: 'level' | 'tool' | 'text' | 'plan-mode' | 'rule' | 'folder-too-wide' | 'network' | 'network-off';
    };

export interface GateInput {
  tool: Pick<Tool, 'name' | 'effect' | 'gate' | 'isAsked' | 'isHarmless'>;
  action: ToolAction;
  level: PermissionLevel;
  mode: OperatingMode;
  toolPermissions: ToolPermissions | null;
  /** Control files, whose change could run code or widen rights later: always ask, at every level. */
  isControlFile: boolean;
  grants: readonly Grant[];
  /** The effect of the user's permission rules on this call, if any. */
  rule?: RuleVerdict | undefined;
  /** The command line shows that it sends something out, as `git push` does: Workspace write asks. */
  isSending?: boolean;
  /** What the network policy says, for a tool that asks something outside this computer. */
  reach?: Reach | undefined;
  /** Of an MCP server: what the user answered about the calls of this tool. */
  leave?: ToolCallLeave | undefined;
  /** It was found in the text of an answer, and not made with a tool of the request. */
  isWritten?: boolean;
  /** No user is available: it is an automation run. */
  isUnattended?: boolean;
  /** False when no sandbox enforces the level: Workspace write then asks before each command. Default: true. */
  isSandboxed?: boolean;
  /** The session's folder contains the user's home or Fucina's data: Workspace write does not change files there. */
  isFolderTooWide?: boolean;
}

/** What plan mode forbids, whatever the tool. */
const CHANGING: ReadonlySet<ToolEffect> = new Set(['write', 'process', 'record', 'control']);

/** What a call that was only written may do without a question. */
const HARMLESS: ReadonlySet<ToolEffect> = new Set(['read', 'dialogue']);

/**
 * Pure. `deny` takes precedence; then the mode, what always asks, a rule, the tool's own setting, the level. A call that was
 * only written is asked about where it would be allowed and does more than read.
 */
export function decide(input: GateInput): GateDecision {
  const decision = decideMade(input);
  if (!input.isWritten || decision.verdict !== 'allow' || HARMLESS.has(input.tool.effect)) return decision;
  return input.isUnattended ? { verdict: 'deny', because: 'text' } : { verdict: 'ask', because: 'tool' };
}

function decideMade(input: GateInput): GateDecision {
  const {
    tool,
    action,
    level,
    mode,
    toolPermissions,
    isControlFile,
    grants,
    rule,
    reach,
    leave,
    isSending = false,
    isUnattended,
    isSandboxed = true,
    isFolderTooWide = false,
  } = input;
  if (rule === 'deny') return { verdict: 'deny', because: 'rule' };
  const own = tool.gate ? toolPermissions?.[tool.gate] : undefined;
  if (own === 'deny') return { verdict: 'deny', because: 'tool' };
  if (mode === 'plan' && CHANGING.has(tool.effect)) return { verdict: 'deny', because: 'plan-mode' };
  if (level === 'Research' && CHANGING.has(tool.effect)) return { verdict: 'deny', because: 'level' };
  if (reach?.verdict === 'deny') return reach;
  if (tool.isAsked && !isUnattended) return { verdict: 'ask', because: 'tool' };
  if (reach?.verdict === 'ask') return { verdict: isUnattended ? 'deny' : 'ask', because: 'network' };
  const isAsked = rule === 'ask' && !isGranted(tool.name, action, grants);
  if (tool.effect !== 'write' && tool.effect !== 'process') {
    return isAsked ? { verdict: 'ask', because: 'rule' } : { verdict: 'allow' };
  }
  if (own === undefined && level === 'Read only') return { verdict: 'deny', because: 'level' };
  if (isFolderTooWide && level === 'Workspace write') return { verdict: 'deny', because: 'folder-too-wide' };
  if (isControlFile) return { verdict: 'ask', because: 'control-file' };
  if (isAsked) return { verdict: 'ask', because: 'rule' };
  if (own === 'always' || rule === 'allow' || (tool.isHarmless && own === undefined)) return { verdict: 'allow' };
  if (leave && asksServer(leave, { level, isUnattended })) return { verdict: 'ask', because: 'server' };
  // A server runs outside the sandbox: there the user's answer decides.
  const isOpenCommand =
    leave !== 'allow' && (isSending || !isSandboxed) && tool.effect === 'process' && level === 'Workspace write';
  const mustAsk = own === 'ask' || (own === undefined && (level === 'On request' || isOpenCommand));
  if (!mustAsk || isGranted(tool.name, action, grants)) return { verdict: 'allow' };
  return { verdict: 'ask', because: own === 'ask' ? 'tool' : 'level' };
}

/**
 * What the user answered applies at every level that runs the tool. Without an answer Workspace write asks for it, but not
 * in an automation, which nobody could answer.
 */
function asksServer(leave: ToolCallLeave, { level, isUnattended }: Pick<GateInput, 'level' | 'isUnattended'>): boolean {
  if (leave === 'ask-server') return level === 'Workspace write' && !isUnattended;
  return leave !== 'allow';
}

/** An approval applies only to these exact bytes. */
export function actionHash(action: ToolAction): string {
  return sha256(JSON.stringify(action));
}
