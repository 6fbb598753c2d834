import type { ChildAgent, PendingCard as JournalCard, Services } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import type { PendingCard } from './state.ts';

/** An agent that the agent of this conversation started. */
export interface AgentRow {
  sessionId: string;
  task: string;
  isRunning: boolean;
  /** The tool it uses right now. */
  tool: string | null;
}

export interface AgentWatch {
  rows(): readonly AgentRow[];
  /** What one of them asks the person, the oldest first. */
  card(): { sessionId: string; card: PendingCard } | undefined;
  /** Looks now: a card was answered. */
  look(): void;
  stop(): void;
}

export interface AgentWatchNeeds {
  services: Services;
  ambient: Ambient;
  sessionId: string;
  changed(): void;
}

const LOOK_MS = 700;

/** The agents of a running turn, looked at every moment: what they do is in journals of their own. */
export function watchAgents({ services, ambient, sessionId, changed }: AgentWatchNeeds): AgentWatch {
  const { sessions } = services;
  let rows: readonly AgentRow[] = [];
  let card: ReturnType<AgentWatch['card']>;
  let isStopped = false;
  let cancel: () => void = () => undefined;

  const look = async (): Promise<void> => {
    const children = await sessions.agents.children(sessionId);
    const asking = await cardAmong(services, children);
    if (isStopped) return;
    const before = JSON.stringify([rows, card]);
    rows = children.map(rowOf);
    card = asking;
    if (JSON.stringify([rows, card]) !== before) changed();
  };
  const lookAgain = (): void => {
    cancel();
    void look()
      // A session that was deleted meanwhile has no agents; the next look finds out the same.
      .catch(() => undefined)
      .finally(() => {
        if (!isStopped) cancel = ambient.timer(LOOK_MS, lookAgain);
      });
  };
  lookAgain();
  return {
    rows: () => rows,
    card: () => card,
    look: lookAgain,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function rowOf({ record, activity }: ChildAgent): AgentRow {
  const { header, state } = record;
  return {
    sessionId: header.sessionId,
    task: header.delegatedTask ?? header.assignment,
    isRunning: state === 'running',
    tool: activity.currentTool,
  };
}

async function cardAmong(services: Services, children: readonly ChildAgent[]): Promise<ReturnType<AgentWatch['card']>> {
  const running = children.filter(({ record }) => record.state === 'running');
  for (const { record } of running) {
    const { sessionId } = record.header;
    const card = await cardOf(services, sessionId);
    if (card) return { sessionId, card };
    const below = await cardAmong(services, await services.sessions.agents.children(sessionId));
    if (below) return below;
  }
  return undefined;
}

async function cardOf({ sessions, sessionExtensions }: Services, sessionId: string): Promise<PendingCard | undefined> {
  const [asked] = await sessionExtensions.waiting(sessionId);
  if (asked) {
    const { requestId, serverId: server, message, form, url } = asked;
    return { kind: 'elicitation', requestId, server, message, ...(url === undefined ? { form } : { url }) };
  }
  const card = await sessions.requests.pending(sessionId);
  return card ? asShown(card) : undefined;
}

function asShown(card: JournalCard): PendingCard {
  switch (card.kind) {
    case 'approval':
      return { kind: 'approval', requestId: card.requestId, action: card.action };
    case 'question':
      return { kind: 'questions', requestId: card.requestId, questions: card.questions };
    case 'plan':
      return { kind: 'plan', requestId: card.requestId, hash: card.hash, content: card.content };
  }
}
