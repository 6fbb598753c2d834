import { GATED_TOOLS, type PermissionLevel, type Tool, type ToolAction, type ToolCallLeave } from '@fucina/shared';
import { COMMAND_TOOLS } from '../state/grants.ts';
import { withdrawnApproval } from '../turn/closing.ts';
import { append, type CallScope, isCutShort, type Reach, type Turn, type TurnNeeds } from '../turn/turn-context.ts';
import { startWaitSpan } from '../turn/turn-spans.ts';
import { actionHash, decide, type GateDecision } from './gate.ts';
import { networkAction, reachOf, unansweredReach } from './network-reach.ts';

/** The input of the gate: a tool, or the action that an external agent announces. */
export interface JudgedCall {
  action: ToolAction;
  tool: Pick<Tool, 'name' | 'effect' | 'gate' | 'isAsked' | 'isHarmless' | 'reaches' | 'calls' | 'parts'>;
  /** Found in the text of an answer: where it does more than read, the user is asked. */
  isWritten?: boolean | undefined;
  /** Why it would fail: then the user is not asked. */
  problem?(): Promise<string | undefined>;
}

/** The reason for the model why it may not run; undefined if it may, after the user's answer where one is needed. */
export async function refusalOf(
  call: JudgedCall,
  { turn, signal }: Pick<CallScope, 'turn' | 'signal'>,
): Promise<string | undefined> {
  const decision = await judge(call, turn);
  if (decision.verdict === 'deny') return denialOf(decision);
  if (decision.verdict === 'ask') {
    const problem = await call.problem?.();
    if (problem !== undefined) return problem;
    const isAllowed = await turn.cardSlot.exclusive(() => askAgain(call, turn));
    if (!isAllowed) return signal.aborted ? STOPPED : isCutShort(turn) ? NOT_RUN_AFTER_REDIRECT : NOT_ALLOWED;
    // A user may have restricted the settings while the card was open: the new settings apply.
    const now = await judge(call, turn);
    if (now.verdict === 'deny') return denialOf(now);
  }
  return signal.aborted ? STOPPED : undefined;
}

/** An answer to an earlier card may have allowed this call, too. */
async function askAgain(call: JudgedCall, turn: Turn): Promise<boolean> {
  const judged = await judge(call, turn);
  if (judged.verdict !== 'ask') return judged.verdict === 'allow';
  const { because, reach } = judged;
  const action = because === 'network' && reach?.verdict === 'ask' ? networkAction(call.action, reach) : judged.action;
  return askUser(action, because, turn);
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
  text: 'A call that was written as text runs only after the user allowed it, and nobody is there to ask. Make it with a tool of the request.',
  'plan-mode': 'This session is in plan mode: nothing may change until the user approves a plan.',
};

type WithReach<Decision> = Decision & { reach?: Reach | undefined };
/** `action`: as the card shows it. */
type Judged = WithReach<GateDecision> & { action: ToolAction };
type Denied = WithReach<Extract<GateDecision, { verdict: 'deny' }>>;

/** A call that stands for several is as free as the least free of them; the card shows it whole. */
async function judge(call: JudgedCall, turn: Turn): Promise<Judged> {
  const parts = call.tool.parts?.(call.action) ?? [];
  const { parts: _none, ...tool } = call.tool;
  const judged = await Promise.all(
    parts.map((action) => {
      const { tipo: name } = action;
      const gate = GATED_TOOLS.find((one) => one === name) ?? tool.gate;
      return judgeOne({ ...call, action, tool: { ...tool, name, gate } }, turn);
    }),
  );
  const [first] = judged;
  if (!first) return judgeOne(call, turn);
  const strictest = (['deny', 'ask'] as const).flatMap((one) => judged.filter(({ verdict }) => verdict === one))[0];
  return { ...(strictest ?? first), action: call.action };
}

/** The settings are read again for every call: the user may change them during a turn. */
async function judgeOne({ tool, action, isWritten = false }: JudgedCall, turn: Turn): Promise<Judged> {
  const { needs, record } = turn;
  const { folder } = record.header;
  const { permissions: level, mode, toolPermissions } = record.settings;
  const { grants } = record.fold;
  const { percorso, comando } = action;
  const isControlFile =
    tool.effect === 'write' && percorso !== undefined && (await needs.isControlFile(percorso, folder));
  const isUnattended = needs.isUnattended(record);
  const rule = await needs.rule?.(action, folder);
  const isSandboxed = !isHeldBySandbox(tool, level) || ((await needs.commands.isSandboxed?.()) ?? true);
  const isFolderTooWide = isBoundToFolder(tool, level) && ((await needs.isTooWide?.(folder)) ?? false);
  const leave = await tool.calls?.();
  const reach = await reachOf({ tool, action }, turn, rule);
  const isSending =
    tool.effect === 'process' &&
    comando !== undefined &&
    !needs.readsAnyAddress(record) &&
    ((await needs.isSending?.(comando)) ?? false);
  const facts = { isControlFile, grants, rule, reach, leave, isSending, isUnattended, isSandboxed, isFolderTooWide };
  const decideOn = (asked: ToolAction) => ({
    ...decide({ tool, action: asked, level, mode, toolPermissions, isWritten, ...facts }),
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

async function withPrefixes({ tool, action }: JudgedCall, needs: TurnNeeds): Promise<ToolAction> {
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

export async function askUser(action: ToolAction, because: string, turn: Turn): Promise<boolean> {
  const requestId = turn.needs.ambient.newId();
  const motivo = because === 'control-file' ? { motivo: 'file-di-controllo' } : {};
  const hash = actionHash(action);
  append(turn, [{ type: 'ApprovalRequested', requestId, azione: { ...action, ...motivo } }]);
  const wait = startWaitSpan(turn.span, action.tipo);
  const answer = await turn.cardSlot.wait(requestId);
  wait?.end();
  if (answer?.kind !== 'approval') {
    append(turn, [withdrawnApproval(requestId)]);
    return false;
  }
  // Only the displayed call may run.
  return answer.isApproved && actionHash(action) === hash;
}
