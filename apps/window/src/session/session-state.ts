import type { SessionRow } from '../wire/records.ts';

export type SessionState =
  | 'waiting'
  | 'running'
  | 'interrupted'
  | 'stopped'
  | 'exhausted'
  | 'failed'
  | 'done'
  | 'unrecorded';

const CLOSED: Record<string, SessionState> = {
  finished: 'done',
  'step-limit': 'exhausted',
  stopped: 'stopped',
  error: 'failed',
};

/** It has a pending request that can be answered outside of its page. */
export const hasCard = (row: SessionRow): boolean => row.waitsForApproval || row.waitsForQuestion || row.waitsForPlan;

/** It, or an MCP server, has a pending request. */
export const isWaiting = (row: SessionRow): boolean => hasCard(row) || row.waitsForElicitation;

/** A question or a plan outlives an interruption: it is still pending, and its answer resumes the turn. */
export function stateOf(row: SessionRow): SessionState {
  if (isWaiting(row) || row.waitsForDescendant) return 'waiting';
  if (row.isInterrupted) return 'interrupted';
  if (!row.isConcluded) return 'running';
  return stateOfClosing(row.closingReason);
}

/** How a finished session ended. */
export const stateOfClosing = (reason: string | null): SessionState => CLOSED[reason ?? ''] ?? 'unrecorded';

export const isLive = (row: SessionRow): boolean => !row.isConcluded && !row.isInterrupted;

export interface SessionGroup {
  name: string;
  rows: SessionRow[];
  /** Input and output tokens of all its sessions. */
  tokens: number;
}

function tokensOf(rows: readonly SessionRow[]): number {
  return rows.reduce(
    (sum, { sessionUsage: total }) => sum + (total ? total.prompt_tokens + total.completion_tokens : 0),
    0,
  );
}

/** The sub-agents of each session, oldest first; of workflow steps only the running ones. */
export function groupByParent(rows: readonly SessionRow[]): Map<string, SessionRow[]> {
  const agents = new Map<string, SessionRow[]>();
  for (const row of rows.toReversed()) {
    if (row.parentId === null || (row.workflowStep && !isLive(row) && !isWaiting(row))) continue;
    const known = agents.get(row.parentId);
    if (known) known.push(row);
    else agents.set(row.parentId, [row]);
  }
  return agents;
}

/** The sessions of each project, most recently used project first. Sub-agents belong to their parent's page. */
export function groupByProject(rows: readonly SessionRow[], unnamed: string): SessionGroup[] {
  const groups = new Map<string, SessionRow[]>();
  for (const row of rows) {
    const name = row.project || unnamed;
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups].map(([name, members]) => ({ name, rows: members, tokens: tokensOf(members) }));
}
