import { readAction } from '@fucina/conversation/reader';
import type { ChildAgent, PendingCard as JournalCard, Services } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import type { PendingCard } from './state.ts';

/** A sub-agent of this conversation. */
export interface AgentRow {
  sessionId: string;
  task: string;
  isRunning: boolean;
  /** The tool that it is using. */
  tool: string | null;
}

/** A request of a sub-agent to the user. */
export interface AgentAsking {
  sessionId: string;
  /** Its task. */
  task: string;
  card: PendingCard;
}

export interface AgentWatch {
  rows(): readonly AgentRow[];
  /** Oldest first. */
  asking(): AgentAsking | undefined;
  /** Refreshes at once, after a card was answered. */
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

/** The sub-agents of a running turn, polled because they are in other journals. */
export function watchAgents({ services, ambient, sessionId, changed }: AgentWatchNeeds): AgentWatch {
  const { sessions } = services;
  let rows: readonly AgentRow[] = [];
  let asking: AgentAsking | undefined;
  let isStopped = false;
  let cancel: () => void = () => undefined;

  const look = async (): Promise<void> => {
    const children = await sessions.agents.children(sessionId);
    const found = await askingAmong(services, children);
    if (isStopped) return;
    const before = JSON.stringify([rows, asking]);
    rows = children.map(rowOf);
    asking = found;
    if (JSON.stringify([rows, asking]) !== before) changed();
  };
  const lookAgain = (): void => {
    cancel();
    void look()
      // A session deleted in the meantime has no agents; the next poll finds the same.
      .catch(() => undefined)
      .finally(() => {
        if (!isStopped) cancel = ambient.timer(LOOK_MS, lookAgain);
      });
  };
  lookAgain();
  return {
    rows: () => rows,
    asking: () => asking,
    look: lookAgain,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function rowOf({ record, activity }: ChildAgent): AgentRow {
  return {
    sessionId: record.header.sessionId,
    task: taskOf(record),
    isRunning: record.state === 'running',
    tool: activity.currentTool,
  };
}

function taskOf({ header }: ChildAgent['record']): string {
  return header.delegatedTask ?? header.assignment;
}

async function askingAmong(services: Services, children: readonly ChildAgent[]): Promise<AgentAsking | undefined> {
  const running = children.filter(({ record }) => record.state === 'running');
  for (const { record } of running) {
    const { sessionId } = record.header;
    const card = await cardOf(services, sessionId);
    if (card) return { sessionId, task: taskOf(record), card };
    const below = await askingAmong(services, await services.sessions.agents.children(sessionId));
    if (below) return below;
  }
  return undefined;
}

async function cardOf({ sessions, sessionExtensions }: Services, sessionId: string): Promise<PendingCard | undefined> {
  const [asked] = await sessionExtensions.waiting(sessionId);
  if (asked) {
    const { requestId, serverId: server, message, form, url } = asked;
    const sampling = asked.sampling && { model: asked.sampling.model, maxTokens: asked.sampling.maxOutputTokens };
    return { kind: 'elicitation', requestId, server, message, sampling, ...(url === undefined ? { form } : { url }) };
  }
  const card = await sessions.requests.pending(sessionId);
  return card ? asShown(card) : undefined;
}

function asShown(card: JournalCard): PendingCard {
  switch (card.kind) {
    case 'approval':
      return { kind: 'approval', requestId: card.requestId, action: readAction(card.action) };
    case 'question':
      return { kind: 'questions', requestId: card.requestId, questions: card.questions };
    case 'plan':
      return { kind: 'plan', requestId: card.requestId, hash: card.hash, content: card.content };
  }
}
