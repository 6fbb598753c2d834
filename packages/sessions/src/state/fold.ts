import type { SessionEvent, ToolAction, UsageState, UserQuestionRequested, UserQuestionResolved } from '@fucina/shared';
import {
  CUSTOM_EVENTS,
  type ElicitationValue,
  type FallbackValue,
  type PlanValue,
  type UndoValue,
} from './custom-events.ts';
import { answerDigest } from './digest.ts';
import { type Grant, grantsFor, HIDDEN_READ_TOOL } from './grants.ts';
import { addUsage, type UsageTotal } from './usage.ts';

/**
 * What the list row needs from a session's events, stored with the session and updated in the transaction that appends
 * them. Deliberately small: contains no message text.
 */
export interface SessionFold {
  runs: number;
  /** Sequence of the last RunStarted. */
  runStartSeq: number;
  /** True between RunStarted and RunFinished or RunError. */
  isTurnOpen: boolean;
  outcome: TurnOutcome | null;
  closeCode: string | null;
  /** Epoch ms of the last assistant message or end of turn. */
  lastReplyAt: number | null;
  pendingApproval: { requestId: string; at: number; action: Record<string, unknown> } | null;
  pendingQuestion: PendingRequest | null;
  pendingPlan: (PendingRequest & { planId: string; revision: number; hash: string }) | null;
  /** Pending requests of MCP servers. */
  elicitations: string[];
  /** The last plan: a new one is its next revision until one is approved. */
  plan: { planId: string; revision: number } | null;
  /** The last answers, so that the same answer sent again has the same result. */
  answered: { requestId: string; digest: string }[];
  /** A redirect that was requested and not yet applied. */
  redirectId: string | null;
  /** What the user allowed for the rest of the session. */
  grants: Grant[];
  /** Running commands of the user, and background commands of the agent. */
  openCommands: string[];
  background: string[];
  /** The fallback that answers instead of the model chosen at that time. */
  fallback: { chosen: string | null; model: string } | null;
  commandPlace: CommandPlace;
  /** Whether the model is told about the user's own commands. */
  reportsCommands: boolean;
  /** Sequences of the RunStarted of turns the user stopped. */
  stoppedTurns: number[];
  /** Undone turns, the last one at the end. */
  undone: UndoneTurn[];
  usage: UsageState | null;
  /** Whole conversation: the sum of every turn's final usage, plus the turn in progress. */
  total: UsageTotal | null;
  /** Open tool calls and messages, which an interruption has to close. */
  openCalls: string[];
  openText: string | null;
  openReasoning: string | null;
}

/** A pending question or plan. `seq` is its event, which contains the text. */
export interface PendingRequest {
  requestId: string;
  toolCallId: string;
  seq: number;
  at: number;
  /** Can be answered after a restart. */
  isRestorable: boolean;
}

export interface UndoneTurn {
  /** Sequence of its RunStarted. */
  turn: number;
  files: boolean;
  /** Hidden from the model. */
  chat: boolean;
  /** Until a turn changes files again. */
  canRedo: boolean;
}

export type CommandPlace = 'wsl2' | 'windows' | null;

export type TurnOutcome = 'finished' | 'steps-used-up' | 'stopped' | 'error' | 'interrupted';

export const EMPTY_FOLD: SessionFold = {
  runs: 0,
  runStartSeq: 0,
  isTurnOpen: false,
  outcome: null,
  closeCode: null,
  lastReplyAt: null,
  pendingApproval: null,
  pendingQuestion: null,
  pendingPlan: null,
  elicitations: [],
  plan: null,
  answered: [],
  redirectId: null,
  grants: [],
  openCommands: [],
  background: [],
  fallback: null,
  commandPlace: null,
  reportsCommands: false,
  stoppedTurns: [],
  undone: [],
  usage: null,
  total: null,
  openCalls: [],
  openText: null,
  openReasoning: null,
};

/** Pure. Returns the same object when the event changes nothing, so that the caller can skip the write. */
export function foldEvent(fold: SessionFold, event: SessionEvent, place: { seq: number; at: number }): SessionFold {
  switch (event.type) {
    case 'RunStarted':
      return {
        ...fold,
        runs: fold.runs + 1,
        runStartSeq: place.seq,
        isTurnOpen: true,
        outcome: null,
        closeCode: null,
        usage: null,
      };
    case 'RunFinished':
      return { ...closeTurn(fold, place.at), outcome: 'finished' };
    case 'RunError':
      return foldRunError(fold, event, place.at);
    case 'TextMessageStart':
      return { ...fold, openText: event.messageId };
    case 'TextMessageEnd':
      return { ...fold, openText: null, lastReplyAt: place.at };
    case 'ReasoningMessageStart':
      return { ...fold, openReasoning: event.messageId };
    case 'ReasoningMessageEnd':
      return { ...fold, openReasoning: null };
    case 'ToolCallStart':
      return { ...fold, openCalls: [...fold.openCalls, event.toolCallId] };
    case 'ToolCallResult':
      return { ...fold, openCalls: fold.openCalls.filter((id) => id !== event.toolCallId) };
    case 'StateDelta': {
      if (event.giro !== undefined) return endRedo(fold);
      const usage = event.delta.find(({ path }) => path === '/usage')?.value as UsageState | undefined;
      return usage ? { ...fold, ...addUsage(fold, usage) } : fold;
    }
    case 'ApprovalRequested':
      return { ...fold, pendingApproval: { requestId: event.requestId, at: place.at, action: event.azione } };
    case 'ApprovalResolved':
      return foldApproval(fold, event);
    case 'UserQuestionRequested':
    case 'UserQuestionResolved':
      return foldQuestion(fold, event, place);
    case 'RunRedirectRequested':
      return { ...fold, redirectId: event.redirectId };
    case 'RunRedirectApplied':
    case 'RunRedirectCancelled':
    case 'RunRedirectFailed':
      return { ...fold, redirectId: null };
    case 'ComandoUtenteIniziato':
      return { ...fold, openCommands: [...fold.openCommands, event.comandoId] };
    case 'ComandoUtenteFinito':
      return { ...fold, openCommands: fold.openCommands.filter((id) => id !== event.comandoId) };
    case 'CUSTOM':
      return foldCustom(fold, event, place);
    default:
      return fold;
  }
}

const MAX_STORED_ANSWERS = 8;

function remember(fold: SessionFold, requestId: string, digest: string): SessionFold['answered'] {
  return [...fold.answered, { requestId, digest }].slice(-MAX_STORED_ANSWERS);
}

function foldApproval(fold: SessionFold, event: { approvato: boolean; ambito?: 'cartella' | 'percorso' }): SessionFold {
  const action = fold.pendingApproval?.action;
  // The command has ended: what later commands may read applies for the session.
  const ambito = action?.tipo === HIDDEN_READ_TOOL ? 'percorso' : event.ambito;
  const scope = ambito && (ambito === 'cartella' ? 'folder' : 'path');
  const granted = event.approvato && scope && action ? grantsFor(action as unknown as ToolAction, scope) : [];
  return { ...fold, pendingApproval: null, ...(granted.length > 0 && { grants: [...fold.grants, ...granted] }) };
}

function foldQuestion(
  fold: SessionFold,
  event: UserQuestionRequested | UserQuestionResolved,
  { seq, at }: { seq: number; at: number },
): SessionFold {
  const { requestId } = event;
  if (event.type === 'UserQuestionResolved') {
    return { ...fold, pendingQuestion: null, answered: remember(fold, requestId, answerDigest(event)) };
  }
  const { toolCallId = '', ripristinabile: isRestorable = false } = event;
  return { ...fold, pendingQuestion: { requestId, toolCallId, seq, at, isRestorable } };
}

function foldCustom(
  fold: SessionFold,
  { name, value }: { name: string; value: unknown },
  place: { seq: number; at: number },
): SessionFold {
  switch (name) {
    case CUSTOM_EVENTS.plan:
      return foldPlan(fold, value as PlanValue, place);
    case CUSTOM_EVENTS.background: {
      const { toolCallId, fase } = value as { toolCallId: string; fase: 'inizio' | 'fine' };
      const others = fold.background.filter((id) => id !== toolCallId);
      return { ...fold, background: fase === 'inizio' ? [...others, toolCallId] : others };
    }
    case CUSTOM_EVENTS.fallback: {
      const { a, scelto } = value as FallbackValue;
      return { ...fold, fallback: { chosen: scelto, model: `${a.provider}:${a.modello}` } };
    }
    case CUSTOM_EVENTS.commandPlace:
      return { ...fold, commandPlace: (value as { dove: CommandPlace }).dove };
    case CUSTOM_EVENTS.elicitation:
      return foldElicitation(fold, value as ElicitationValue);
    case CUSTOM_EVENTS.undo:
      return foldUndo(fold, value as UndoValue);
    case CUSTOM_EVENTS.reportsCommands:
      return { ...fold, reportsCommands: (value as { acceso: boolean }).acceso };
    default:
      return fold;
  }
}

function foldUndo(fold: SessionFold, { fase, tipo, giro, file, chat }: UndoValue): SessionFold {
  if (fase !== 'fine') return fold;
  const known = fold.undone.find(({ turn }) => turn === giro);
  const isUndo = tipo === 'undo';
  const now: UndoneTurn = {
    turn: giro,
    files: file.length ? isUndo : (known?.files ?? false),
    chat: chat ? isUndo : (known?.chat ?? false),
    canRedo: true,
  };
  const others = fold.undone.filter(({ turn }) => turn !== giro);
  return { ...fold, undone: now.files || now.chat ? [...others, now] : others };
}

function endRedo(fold: SessionFold): SessionFold {
  if (!fold.undone.some(({ canRedo }) => canRedo)) return fold;
  return { ...fold, undone: fold.undone.map((turn) => ({ ...turn, canRedo: false })) };
}

function foldElicitation(fold: SessionFold, { requestId, stato }: ElicitationValue): SessionFold {
  const others = fold.elicitations.filter((id) => id !== requestId);
  return { ...fold, elicitations: stato === 'in-attesa' ? [...others, requestId] : others };
}

function foldPlan(fold: SessionFold, value: PlanValue, { seq, at }: { seq: number; at: number }): SessionFold {
  const { requestId, toolCallId, planId, revision, hash, ripristinabile: isRestorable } = value;
  if (value.status === 'proposed') {
    const pendingPlan = { requestId, toolCallId, seq, at, isRestorable, planId, revision, hash };
    return { ...fold, pendingPlan, plan: { planId, revision } };
  }
  const plan = value.status === 'changes-requested' ? fold.plan : null;
  return { ...fold, pendingPlan: null, plan, answered: remember(fold, requestId, answerDigest(value)) };
}

function closeTurn(fold: SessionFold, at: number): SessionFold {
  return {
    ...fold,
    isTurnOpen: false,
    lastReplyAt: at,
    pendingApproval: null,
    elicitations: [],
    openCalls: [],
    openText: null,
    openReasoning: null,
  };
}

const OUTCOME_OF_CODE: Record<string, TurnOutcome> = {
  fermato: 'stopped',
  'giri-esauriti': 'steps-used-up',
  SESSION_INTERRUPTED: 'interrupted',
};

function foldRunError(fold: SessionFold, event: { code?: string }, at: number): SessionFold {
  const outcome = OUTCOME_OF_CODE[event.code ?? ''] ?? 'error';
  const closed = { ...closeTurn(fold, at), outcome, closeCode: event.code ?? null };
  return outcome === 'stopped' ? { ...closed, stoppedTurns: [...fold.stoppedTurns, fold.runStartSeq] } : closed;
}
