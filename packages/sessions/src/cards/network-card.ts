import type { Ambient, ToolAction } from '@fucina/shared';
import type { LiveTurn } from '../live-turn.ts';
import type { Registry } from '../registry.ts';
import { isGranted, NETWORK_TOOL } from '../state/grants.ts';
import type { SessionRecord } from '../store/store.ts';
import { withdrawnApproval } from '../turn/closing.ts';

/** A host that a sandboxed command of a session wants to reach. */
export interface NetworkRequest {
  host: string;
  port: number;
  /** The program and its command line, if known. */
  program?: string;
  command?: string;
}

export interface NetworkCardNeeds {
  ambient: Ambient;
  registry: Pick<Registry, 'get' | 'live'>;
  isUnattended(record: SessionRecord): boolean;
}

/** The action of the card about a command. */
export const networkRequestAction = ({ host, port, program, command }: NetworkRequest): ToolAction => ({
  tipo: NETWORK_TOOL,
  host,
  porta: port,
  ...(program !== undefined && { programma: program }),
  ...(command !== undefined && { comando: command }),
});

/**
 * Asks with an approval card in the running turn; an answer with a scope applies for the session. Returns `deny` at
 * once if no turn runs or no user is available. The signal withdraws the card.
 */
export async function askNetwork(
  { ambient, registry, isUnattended }: NetworkCardNeeds,
  { sessionId, action }: { sessionId: string; action: ToolAction },
  signal: AbortSignal,
): Promise<'once' | 'session' | 'deny'> {
  const turn = registry.live.get(sessionId);
  const record = registry.get(sessionId);
  const isAllowed = (): boolean => isGranted(NETWORK_TOOL, action, record.fold.grants);
  if (isAllowed()) return 'session';
  if (!turn || signal.aborted || isUnattended(record)) return 'deny';
  const isOver = AbortSignal.any([signal, turn.signal, endOf(turn)]);
  const answer = await turn.cardSlot.exclusive(async () => {
    if (isAllowed()) return true;
    return !isOver.aborted && show(turn, { requestId: ambient.newId(), action }, isOver);
  });
  if (!answer) return 'deny';
  return isAllowed() ? 'session' : 'once';
}

async function show(
  turn: LiveTurn,
  { requestId, action }: { requestId: string; action: ToolAction },
  isOver: AbortSignal,
): Promise<boolean> {
  turn.append([{ type: 'ApprovalRequested', requestId, azione: action }]);
  const withdraw = (): void => turn.cardSlot.withdraw(requestId);
  isOver.addEventListener('abort', withdraw, { once: true });
  const answer = await turn.cardSlot.wait(requestId);
  isOver.removeEventListener('abort', withdraw);
  if (answer?.kind === 'approval') return answer.isApproved;
  // A turn that ended has already closed its card.
  if (turn.record.fold.pendingApproval?.requestId === requestId) turn.append([withdrawnApproval(requestId)]);
  return false;
}

function endOf({ done }: LiveTurn): AbortSignal {
  const over = new AbortController();
  void done.then(() => over.abort());
  return over.signal;
}
