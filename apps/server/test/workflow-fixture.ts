import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sqliteDriver } from '@fucina/shared/testing';
import type { Reply, TestServer } from './harness.ts';

export interface WorkflowDraft {
  title: string;
  objective: string;
  phases: { id: string; label: string }[];
  steps: { id: string; phase: string; label: string; instructions: string; dependsOn?: string[]; model?: string }[];
  budgets?: Record<string, number | null>;
}

/** Two read-only steps, and one that combines their results. */
export function sampleDraft(changes: Partial<WorkflowDraft> = {}): WorkflowDraft {
  return {
    title: 'Compare two ways',
    objective: 'Know which is better',
    phases: [
      { id: 'read', label: 'Read' },
      { id: 'judge', label: 'Judge' },
    ],
    steps: [
      { id: 'first', phase: 'read', label: 'Read the first', instructions: 'Read the first way.\nSay what it costs.' },
      { id: 'second', phase: 'read', label: 'Read the second', instructions: 'Read the second way.' },
      {
        id: 'verdict',
        phase: 'judge',
        label: 'Judge',
        instructions: 'Say which is better.',
        dependsOn: ['first', 'second'],
      },
    ],
    ...changes,
  };
}

export interface ProposedWorkflow {
  sessionId: string;
  workflowId: string;
  version: number;
  definitionHash: string;
  /** Of this version, below the interface's address. */
  path: string;
}

/** A session whose agent proposed `draft` in its first, finished turn. */
export async function proposed(
  server: TestServer,
  draft: WorkflowDraft = sampleDraft(),
  session: Record<string, unknown> = {},
): Promise<ProposedWorkflow> {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool'
      ? { text: 'Look at it in the window.' }
      : { toolCalls: [{ name: 'workflow_propose', arguments: draft as unknown as Record<string, unknown> }] },
  );
  const sessionId = await server.startSession(session);
  await server.settled(sessionId);
  const { data } = await server.call('GET', `/sessions/${sessionId}/workflow-proposals`);
  const [row] = data.items;
  if (!row) throw new Error(`not proposed: ${JSON.stringify(await server.events(sessionId))}`);
  const { workflowId, version, definitionHash } = row;
  return { sessionId, workflowId, version, definitionHash, path: versionPath(workflowId, version) };
}

export const versionPath = (workflowId: string, version: number): string =>
  `/workflows/${workflowId}/versions/${version}`;

export function approve(
  server: TestServer,
  { path, definitionHash }: Pick<ProposedWorkflow, 'path' | 'definitionHash'>,
  commandId: string = randomUUID(),
): Promise<Reply> {
  return server.call('POST', `${path}/approve`, { body: { commandId, definitionHash } });
}

/** Damage to the store that only a failing disk or another program could cause. */
export function tamper(server: TestServer, sql: string): void {
  const db = new (sqliteDriver())(join(server.dataDir, 'workflows.db'));
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** The first column of a query on the store. */
export function ask(server: TestServer, sql: string): unknown[] {
  const db = new (sqliteDriver())(join(server.dataDir, 'workflows.db'), { readonly: true });
  try {
    return db.prepare(sql).pluck().all();
  } finally {
    db.close();
  }
}
