import type {
  Ambient,
  PermissionLevel,
  RuleVerdict,
  SessionEvent,
  Tool,
  ToolAction,
  ToolCallLeave,
  TraceSpan,
} from '@fucina/shared';
import { COMMAND_TOOLS, type Grant } from '../state/grants.ts';
import type { SessionSettings } from '../state/session.ts';
import { withdrawnApproval } from './closing.ts';
import { actionHash, decide, type GateDecision } from './gate.ts';
import { networkAction, type Reach, type ReachNeeds, reachOf, unansweredReach } from './network-reach.ts';
import type { CardSlot } from './pending-card.ts';
import { startWaitSpan } from './turn-spans.ts';

/** The user, the settings and the policies that decide about a call. */
export interface PermissionNeeds extends ReachNeeds {
  ambient: Ambient;
  isControlFile(path: string, folder: string): boolean | Promise<boolean>;
  cardSlot: CardSlot;
  /** Read again at every call: a user may change them during a turn. */
  settings(): SessionSettings;
  grants(): readonly Grant[];
  /** Commits and broadcasts. */
  append(events: readonly SessionEvent[]): void;
  /** True after a new instruction of the user: no further call is started. */
  isCutShort(): boolean;
  /** The effect of the user's permission rules on a call, if any. */
  rule?(action: ToolAction, folder: string): Promise<RuleVerdict | undefined>;
  /** Whether a sandbox enforces the level of the session; default: yes. */
  isSandboxed?(): Promise<boolean>;
  /** No user is available. */
  isUnattended?(): boolean;
  isTooWide?(folder: string): Promise<boolean>;
  /** Whether a command line shows that it sends something out; default: none does. */
  isSending?(line: string): Promise<boolean>;
  /** What an approval of a command line covers for the session, command by command; empty for the line alone. */
  commandPrefixes?(line: string): Promise<readonly string[]>;
  /** Of the turn, while traces are collected. */
  span?: TraceSpan | undefined;
  signal: AbortSignal;
}

/** The input of the gate: a tool, or the action that an external agent announces. */
export interface JudgedCall {
  action: ToolAction;
  tool: Pick<Tool, 'name' | 'effect' | 'gate' | 'isAsked' | 'isHarmless' | 'reaches' | 'calls'>;
  /** Why it would fail: then the user is not asked. */
  problem?(): Promise<string | undefined>;
}

/** The reason for the model why it may not run; undefined if it may, after the user's answer where one is needed. */
export async function refusalOf(call: JudgedCall, needs: PermissionNeeds): Promise<string | undefined> {
  const decision = await judge(call, needs);
  if (decision.verdict === 'deny') return denialOf(decision);
  if (decision.verdict === 'ask') {
    const problem = await call.problem?.();
    if (problem !== undefined) return problem;
    const isAllowed = await needs.cardSlot.exclusive(() => askAgain(call, needs));
    if (!isAllowed) return needs.signal.aborted ? STOPPED : needs.isCutShort() ? NOT_RUN_AFTER_REDIRECT : NOT_ALLOWED;
    // A user may have restricted the settings while the card was open: the new settings apply.
    const now = await judge(call, needs);
    if (now.verdict === 'deny') return denialOf(now);
  }
  return needs.signal.aborted ? STOPPED : undefined;
}

/** An answer to an earlier card may have allowed this call, too. */
async function askAgain(call: JudgedCall, needs: PermissionNeeds): Promise<boolean> {
  const judged = await judge(call, needs);
  if (judged.verdict !== 'ask') return judged.verdict === 'allow';
  const { because, reach } = judged;
  const action = because === 'network' && reach?.verdict === 'ask' ? networkAction(call.action, reach) : judged.action;
  return askUser(action, because, needs);
}

const denialOf = ({ because, reach }: Denied): string =>
  because === 'network' && reach?.verdict === 'ask' ? unansweredReach(reach) : DENIALS[because];

const NOT_ALLOWED =
  'The user did not allow this. Do not try the same again; ask what they would prefer, or continue without it.';

export const STOPPED = 'Stopped by the user before it ran.';

export const NOT_RUN_AFTER_REDIRECT = 'Not run: the user sent a new instruction in the meantime.';

const DENIALS: Record<Extract<GateDecision, { verdict: 'deny' }>['because'], string> = {
  tool: 'The user has turned this tool off for this session.',
  rule: 'A permission rule of the user forbids this. Do not work around it; ask, or continue without it.',
  level: 'This session is read only: files cannot be changed and commands cannot be run.',
  network: 'The network policy blocks this address.',
  'network-off': 'The network is off for this session or project. Continue without it.',
  'folder-too-wide':
    'Workspace write changes nothing in this folder: it contains the user’s home folder or Fucina’s data. Tell the user to open a project folder, or to choose another permission level.',
  'plan-mode': 'This session is in plan mode: nothing may change until the user approves a plan.',
};

type WithReach<Decision> = Decision & { reach?: Reach | undefined };
/** `action`: as the card shows it. */
type Judged = WithReach<GateDecision> & { action: ToolAction };
type Denied = WithReach<Extract<GateDecision, { verdict: 'deny' }>>;

async function judge({ tool, action }: JudgedCall, needs: PermissionNeeds): Promise<Judged> {
  const { percorso } = action;
  const isControlFile =
    tool.effect === 'write' && percorso !== undefined && (await needs.isControlFile(percorso, needs.place.folder));
  const { permissions: level, mode, toolPermissions } = needs.settings();
  const isUnattended = needs.isUnattended?.() ?? false;
  const rule = await needs.rule?.(action, needs.place.folder);
  const grants = needs.grants();
  const isSandboxed = !isHeldBySandbox(tool, level) || ((await needs.isSandboxed?.()) ?? true);
  const isFolderTooWide = isBoundToFolder(tool, level) && ((await needs.isTooWide?.(needs.place.folder)) ?? false);
  const leave = await tool.calls?.();
  const reach = await reachOf({ tool, action }, needs, { level, rule, grants });
  const { comando } = action;
  const isSending = tool.effect === 'process' && comando !== undefined && ((await needs.isSending?.(comando)) ?? false);
  const facts = { isControlFile, grants, rule, reach, leave, isSending, isUnattended, isSandboxed, isFolderTooWide };
  const decideOn = (asked: ToolAction) => ({
    ...decide({ tool, action: asked, level, mode, toolPermissions, ...facts }),
    action: asked,
    reach,
  });
  const decision = decideOn(action);
  if (decision.verdict !== 'ask') return decision;
  if (decision.because === 'server') return { ...decision, action: withQuestion(action, leave) };
  // Only a call that asks needs the prefixes, which may need the shell grammar.
  return decideOn(await withPrefixes({ tool, action }, needs));
}

/** What an answer can decide beyond this call: the server, or this tool of it. */
function withQuestion(action: ToolAction, leave: ToolCallLeave | undefined): ToolAction {
  if (leave === 'ask-server') return { ...action, chiede: 'server' };
  return leave === 'ask-tool' ? { ...action, chiede: 'attrezzo' } : action;
}

async function withPrefixes({ tool, action }: JudgedCall, needs: PermissionNeeds): Promise<ToolAction> {
  const { comando, percorso, agente } = action;
  // The answer to a card with a path is about the path.
  if (!COMMAND_TOOLS.has(tool.name) || comando === undefined || percorso !== undefined) return action;
  // What another agent calls its command need not be one.
  const prefissi = agente === undefined ? ((await needs.commandPrefixes?.(comando)) ?? []) : [];
  return { ...action, prefissi };
}

/** At other levels the gate does not check the sandbox, whose test starts programs. */
const isHeldBySandbox = ({ effect }: Pick<Tool, 'effect'>, level: PermissionLevel): boolean =>
  level === 'Workspace write' && effect === 'process';

/** At other levels the gate does not check how wide the folder is. */
const isBoundToFolder = ({ effect }: Pick<Tool, 'effect'>, level: PermissionLevel): boolean =>
  level === 'Workspace write' && (effect === 'write' || effect === 'process');

export async function askUser(action: ToolAction, because: string, needs: PermissionNeeds): Promise<boolean> {
  const requestId = needs.ambient.newId();
  const motivo = because === 'control-file' ? { motivo: 'file-di-controllo' } : {};
  const hash = actionHash(action);
  needs.append([{ type: 'ApprovalRequested', requestId, azione: { ...action, ...motivo } }]);
  const wait = startWaitSpan(needs.span, action.tipo);
  const answer = await needs.cardSlot.wait(requestId);
  wait?.end();
  if (answer?.kind !== 'approval') {
    needs.append([withdrawnApproval(requestId)]);
    return false;
  }
  // Only the displayed call may run.
  return answer.isApproved && actionHash(action) === hash;
}
