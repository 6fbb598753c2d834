import type { SqliteDatabase } from '@fucina/shared';
import type { AnyHead, Budgets, RevisableKey } from '../definition/core.ts';
import { REVISABLE_KEYS } from '../definition/core.ts';
import type { Definition, Problem, Proposal } from '../store/definitions.ts';

/** The proposal as shown to the user before approval. */
export interface ProposalView {
  status: 'approved' | 'proposed';
  workflowId: string;
  version: number;
  definitionHash: string;
  proposal: Proposal;
  title: string;
  objective: string;
  phases: readonly { id: string; label: string; total: number }[];
  counts: { nodes: number; edges: number; writers: number | null; acceptance: number };
  policy: Omit<AnyHead['policy'], 'human'>;
  budgets: Pick<Budgets, RevisableKey>;
  limits: AnyHead['limits'];
  preflight: {
    errorCount: number;
    warningCount: number;
    errors: readonly Problem[];
    warnings: readonly Problem[];
    estimates: Record<string, number | null>;
  };
  /** `approvedAt` as ISO time. */
  approval: { commandId: string; approvedAt: string; definitionHash: string } | null;
}

interface ListedProposal {
  workflowId: string;
  version: number;
  status: ProposalView['status'];
  definitionHash: string;
  title: string;
  /** In ms. */
  createdAt: number;
}

export interface ListedProposals {
  total: number;
  items: ListedProposal[];
}

const MAX_SHOWN = 20;
const MAX_SUBJECTS = 10;

export function viewOf(db: SqliteDatabase, definition: Definition): ProposalView {
  const { key, head, preflight, definitionHash } = definition;
  const { human: _human, ...policy } = head.policy;
  const approval = db
    .prepare<[number], { commandId: string; approvedAt: number }>(
      'SELECT command_id AS commandId, approved_at AS approvedAt FROM approvals WHERE definition = ?',
    )
    .get(key);
  return {
    status: approval ? 'approved' : 'proposed',
    workflowId: definition.workflowId,
    version: definition.version,
    definitionHash,
    proposal: definition.proposal,
    title: head.title,
    objective: head.objective,
    phases: db
      .prepare<[number], { id: string; label: string; total: number }>(
        'SELECT phase_id AS id, label, total FROM definition_phases WHERE definition = ? ORDER BY ord',
      )
      .all(key),
    counts: {
      nodes: definition.totalNodes,
      edges: definition.totalEdges,
      writers: definition.writers,
      acceptance: head.acceptance.length,
    },
    policy,
    budgets: Object.fromEntries(
      REVISABLE_KEYS.map((budget) => [budget, head.budgets[budget]]),
    ) as ProposalView['budgets'],
    limits: head.limits,
    preflight: {
      errorCount: preflight.errors.length,
      warningCount: preflight.warnings.length,
      errors: shown(preflight.errors),
      warnings: shown(preflight.warnings),
      estimates: preflight.estimates,
    },
    approval: approval
      ? { commandId: approval.commandId, approvedAt: new Date(approval.approvedAt).toISOString(), definitionHash }
      : null,
  };
}

function shown(problems: readonly Problem[]): Problem[] {
  return problems
    .slice(0, MAX_SHOWN)
    .map(({ subjects, ...problem }) => ({ ...problem, subjects: subjects.slice(0, MAX_SUBJECTS) }));
}

interface ListedRow extends Omit<ListedProposal, 'status'> {
  isApproved: 0 | 1;
}

export function listProposals(
  db: SqliteDatabase,
  sessionId: string,
  { offset, limit }: { offset: number; limit: number },
): ListedProposals {
  return db.transaction(() => ({
    total: count(db, sessionId),
    items: db
      .prepare<[string, number, number], ListedRow>(
        `SELECT workflow_id AS workflowId, version, definition_hash AS definitionHash, title, created_at AS createdAt,
           EXISTS (SELECT 1 FROM approvals WHERE definition = key) AS isApproved
         FROM definitions WHERE session_id = ? ORDER BY created_at DESC, key DESC LIMIT ? OFFSET ?`,
      )
      .all(sessionId, limit, offset)
      .map(({ isApproved, ...row }): ListedProposal => ({ ...row, status: isApproved ? 'approved' : 'proposed' })),
  }))();
}

function count(db: SqliteDatabase, sessionId: string): number {
  return db
    .prepare<[string], number>('SELECT count(*) FROM definitions WHERE session_id = ?')
    .pluck()
    .get(sessionId) as number;
}
