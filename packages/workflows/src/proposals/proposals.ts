import { type Ambient, isAppError, retryBusy, type SqliteDatabase } from '@fucina/shared';
import { type Command, type CommandReceipt, findReceipt, saveReceipt } from '../commands/ledger.ts';
import { hashOf } from '../definition/canonical.ts';
import { type Graph } from '../definition/graph.ts';
import { type PreflightNeeds, preflight } from '../definition/preflight.ts';
import { type BudgetChange, changesBudgets, withBudgets } from '../definition/revision.ts';
import { writeDefinition } from '../definition/write-definition.ts';
import { workflowsError } from '../errors.ts';
import { graphOfRows, hashOfRows } from '../store/definition-rows.ts';
import { type Definition, findDefinition, type Preflight, type Problem } from '../store/definitions.ts';
import type { Store } from '../store/store.ts';
import { type ListedProposals, listProposals, type ProposalView, viewOf } from './proposal-view.ts';
import { workflowIdOf } from './workflow-id.ts';

export interface ProposalRequest {
  /** The root session whose agent proposes. */
  sessionId: string;
  toolCallId: string;
  graph: Graph;
  plannerModel: string | null;
  sessionModel: string | null;
}

export interface Proposed {
  workflowId: string;
  version: number;
  definitionHash: string;
  preflight: Preflight;
  /** False when this tool call had already proposed it. */
  isNew: boolean;
}

export interface VersionRef {
  workflowId: string;
  version: number;
}

export interface ApprovalRequest extends VersionRef {
  commandId: string;
  definitionHash: string;
}

export interface Approval extends VersionRef {
  definitionHash: string;
  receipt: CommandReceipt;
  /** True for an already accepted command. */
  isReplay: boolean;
}

export interface RevisionRequest extends VersionRef {
  definitionHash: string;
  budgets: BudgetChange;
}

export interface Revision extends VersionRef {
  definitionHash: string;
  previousVersion: number;
  preflight: Preflight;
}

/**
 * Versions of proposed workflows, immutable. A version of a deleted session counts as missing. Every method:
 * WORKFLOW_STORE_UNAVAILABLE.
 */
export interface Proposals {
  /** Stores a valid proposal, once per tool call. */
  propose(order: ProposalRequest): Promise<Proposed | { errors: readonly Problem[] }>;
  /** NOT_FOUND. */
  view(version: VersionRef): ProposalView;
  /** Newest first. NOT_FOUND for an unknown session. */
  list(sessionId: string, page: { offset: number; limit: number }): ListedProposals;
  /**
   * Checked in this order: WORKFLOW_PROPOSAL_NOT_FOUND, the same command again (its receipt),
   * WORKFLOW_COMMAND_CONFLICT, WORKFLOW_DEFINITION_HASH_MISMATCH, WORKFLOW_APPROVAL_CONFLICT,
   * WORKFLOW_STORE_NEEDS_ATTENTION.
   */
  approve(order: ApprovalRequest): Promise<Approval>;
  /**
   * Creates the next version, not approved. Checked in this order: WORKFLOW_PROPOSAL_NOT_FOUND, the same revision again
   * (its version), WORKFLOW_DEFINITION_HASH_MISMATCH, WORKFLOW_VERSION_NOT_LATEST, WORKFLOW_ALREADY_STARTED,
   * WORKFLOW_REVISION_EMPTY, WORKFLOW_STORE_NEEDS_ATTENTION, WORKFLOW_DEFINITION_INVALID.
   */
  revise(order: RevisionRequest): Promise<Revision>;
  /** Ids of the sessions with proposals, including deleted ones. */
  proposers(): string[];
  /** Deletes the proposals and runs of a deleted session. */
  removeOf(sessionId: string): Promise<void>;
}

export interface ProposalNeeds extends PreflightNeeds {
  ambient: Ambient;
  store: Store;
  /** Whether the session that proposed a definition still exists. */
  sessionExists(sessionId: string): boolean;
}

export function createProposals(needs: ProposalNeeds): Proposals {
  const { ambient, store, sessionExists } = needs;
  const write = <Result>(act: (db: SqliteDatabase) => Result): Promise<Result> => {
    const db = store.db();
    return retryBusy(ambient, () => db.transaction(() => act(db)).immediate());
  };
  const present = (db: SqliteDatabase, { workflowId, version }: VersionRef): Definition | undefined => {
    const found = findDefinition(db, workflowId, version);
    return found && sessionExists(found.sessionId) ? found : undefined;
  };
  const changeable = (db: SqliteDatabase, ref: VersionRef): Definition => {
    const found = readable(() => present(db, ref));
    if (!found) throw workflowsError('WORKFLOW_PROPOSAL_NOT_FOUND');
    return found;
  };

  return {
    propose: (order) => write((db) => propose(db, order, needs)),
    view(ref) {
      const db = store.db();
      const found = present(db, ref);
      if (!found) throw workflowsError('NOT_FOUND');
      return viewOf(db, found);
    },
    list(sessionId, page) {
      if (!sessionExists(sessionId)) throw workflowsError('NOT_FOUND');
      return listProposals(store.db(), sessionId, page);
    },
    approve: (order) => write((db) => approve(db, order, { definition: changeable(db, order), at: ambient.now() })),
    revise: (order) => write((db) => revise(db, order, { ...needs, definition: changeable(db, order) })),
    proposers: () => store.db().prepare<[], string>('SELECT DISTINCT session_id FROM definitions').pluck().all(),
    removeOf: (sessionId) =>
      write((db) => {
        db.prepare(
          'DELETE FROM commands WHERE workflow_id IN (SELECT workflow_id FROM definitions WHERE session_id = ?)',
        ).run(sessionId);
        db.prepare('DELETE FROM definitions WHERE session_id = ?').run(sessionId);
      }),
  };
}

function propose(
  db: SqliteDatabase,
  { sessionId, toolCallId, graph, plannerModel, sessionModel }: ProposalRequest,
  needs: ProposalNeeds,
): Proposed | { errors: readonly Problem[] } {
  const workflowId = workflowIdOf(sessionId, toolCallId);
  const before = findDefinition(db, workflowId, 1);
  if (before) {
    return { workflowId, version: 1, definitionHash: before.definitionHash, preflight: before.preflight, isNew: false };
  }
  const looked = preflight(graph, needs);
  if (looked.errors.length > 0) return { errors: looked.errors };
  const now = needs.ambient.now();
  const createdAt = new Date(now).toISOString();
  const { definitionHash } = writeDefinition(db, graph, {
    workflowId,
    version: 1,
    sessionId,
    proposal: { initiatingSessionId: sessionId, createdAt, plannerModel, sessionModel },
    preflight: looked,
    createdAt: now,
  });
  return { workflowId, version: 1, definitionHash, preflight: looked, isNew: true };
}

function approve(
  db: SqliteDatabase,
  { workflowId, version, commandId, definitionHash }: ApprovalRequest,
  { definition, at }: { definition: Definition; at: number },
): Approval {
  const command: Command = {
    commandId,
    commandType: 'approve-definition',
    target: { workflowId, definitionVersion: version },
    payload: { definitionHash },
  };
  const answer = { workflowId, version, definitionHash };
  const replayed = findReceipt(db, command);
  if (replayed) return { ...answer, receipt: replayed, isReplay: true };
  if (definition.definitionHash !== definitionHash) throw workflowsError('WORKFLOW_DEFINITION_HASH_MISMATCH');
  if (db.prepare('SELECT 1 FROM approvals WHERE definition = ?').get(definition.key)) {
    throw workflowsError('WORKFLOW_APPROVAL_CONFLICT');
  }
  assertUntouched(db, definition);
  const receipt = saveReceipt(db, command, { at, source: 'approval-record' });
  db.prepare('INSERT INTO approvals (definition, command_id, approved_at) VALUES (?, ?, ?)').run(
    definition.key,
    receipt.commandId,
    at,
  );
  return { ...answer, receipt, isReplay: false };
}

function revise(
  db: SqliteDatabase,
  { workflowId, version, definitionHash, budgets }: RevisionRequest,
  { definition, ...needs }: ProposalNeeds & { definition: Definition },
): Revision {
  const hash = hashOf({ definitionHash, budgets: asked(budgets) });
  const made = readable(() => madeBy(db, definition, hash));
  if (made) return revisionOf(made, version);
  if (definition.definitionHash !== definitionHash) throw workflowsError('WORKFLOW_DEFINITION_HASH_MISMATCH');
  const latest = db
    .prepare<[string], number>('SELECT max(version) FROM definitions WHERE workflow_id = ?')
    .pluck()
    .get(workflowId);
  if (latest !== version) throw workflowsError('WORKFLOW_VERSION_NOT_LATEST', { params: { ultima: latest ?? 0 } });
  if (db.prepare('SELECT 1 FROM runs WHERE definition = ?').get(definition.key)) {
    throw workflowsError('WORKFLOW_ALREADY_STARTED');
  }
  if (!changesBudgets(definition.head.budgets, budgets)) throw workflowsError('WORKFLOW_REVISION_EMPTY');
  assertUntouched(db, definition);
  const graph = withBudgets(graphOfRows(db, definition.key), budgets);
  const looked = preflight(graph, needs);
  const [problem] = looked.errors;
  if (problem) {
    throw workflowsError('WORKFLOW_DEFINITION_INVALID', {
      reason: problem.code,
      params: { dettaglio: problem.message },
    });
  }
  writeDefinition(db, graph, {
    workflowId,
    version: version + 1,
    sessionId: definition.sessionId,
    proposal: definition.proposal,
    preflight: looked,
    createdAt: needs.ambient.now(),
    revision: { previousVersion: version, hash },
  });
  return revisionOf(findDefinition(db, workflowId, version + 1) as Definition, version);
}

function asked(budgets: BudgetChange): BudgetChange {
  return Object.fromEntries(Object.entries(budgets).filter(([, value]) => value !== undefined));
}

/** The version created by this revision. */
function madeBy(db: SqliteDatabase, { workflowId, version }: Definition, hash: string): Definition | undefined {
  const made = db
    .prepare<[string, number, string], number>(
      'SELECT version FROM definitions WHERE workflow_id = ? AND previous_version = ? AND revision_hash = ?',
    )
    .pluck()
    .get(workflowId, version, hash);
  return made === undefined ? undefined : findDefinition(db, workflowId, made);
}

function revisionOf(made: Definition, previousVersion: number): Revision {
  const { workflowId, version, definitionHash, preflight: looked } = made;
  return { workflowId, version, definitionHash, previousVersion, preflight: looked };
}

/** Verifies that the rows still have the stored hash before they are approved or revised. */
function assertUntouched(db: SqliteDatabase, { key, definitionHash }: Definition): void {
  if (readable(() => hashOfRows(db, key)) !== definitionHash) {
    throw workflowsError('WORKFLOW_STORE_NEEDS_ATTENTION', { reason: 'definition-changed' });
  }
}

/** Unreadable rows. */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (isAppError(error) || !(error instanceof SyntaxError)) throw error;
    throw workflowsError('WORKFLOW_STORE_NEEDS_ATTENTION', { reason: 'definition-unreadable', cause: error });
  }
}
