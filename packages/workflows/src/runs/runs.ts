import { retryBusy, systemCode } from '@fucina/shared';
import { workflowsError } from '../errors.ts';
import { controlRun, previewRetry } from './control.ts';
import { createScheduler, type Scheduler } from './engine/scheduler.ts';
import { createGraphs } from './graph/graphs.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import type { RunChange, RunsNeeds } from './needs.ts';
import type { ControlResult, ControlRunRequest, RetryPreview, RunRef, StartResult, StartRunRequest } from './orders.ts';
import { createOutcomeReporter } from './outcome-reporter.ts';
import type { RunCommand } from './run-state.ts';
import { startRun } from './start.ts';

/**
 * Runs of approved definitions. Every writing method resolves once its single transaction is on disk; the scheduler of
 * `begin` starts the following steps afterwards. Times are ms since the epoch.
 */
export interface Runs {
  /**
   * Recovers the runs of an ended process and resumes them, once. The first command does the same, in the process that
   * works in the background. In any other, and while the recovery could not be written, commands throw
   * WORKFLOW_RUNTIME_NOT_READY.
   */
  begin(): void;
  /**
   * Starts an approved version; the run is `created`. Checked in this order: the same command again (its receipt),
   * another command with this id (WORKFLOW_COMMAND_CONFLICT), WORKFLOW_PROPOSAL_NOT_FOUND,
   * WORKFLOW_DEFINITION_HASH_MISMATCH, WORKFLOW_DEFINITION_NOT_APPROVED, WORKFLOW_VERSION_SUPERSEDED,
   * WORKFLOW_VERSION_NOT_LATEST, WORKFLOW_ALREADY_STARTED, WORKFLOW_START_UNSUPPORTED (with a reason).
   */
  start(order: StartRunRequest): Promise<StartResult>;
  /**
   * Commands of the user, each idempotent by its command id. WORKFLOW_RUN_STATE_CONFLICT with a reason when the state
   * does not allow it, NOT_FOUND for an unknown run or one of another session. Pause and cancel take effect when the
   * steps in flight have ended: they finish by themselves, or are stopped.
   */
  pause(order: ControlRunRequest): Promise<ControlResult>;
  resume(order: ControlRunRequest): Promise<ControlResult>;
  cancel(order: ControlRunRequest): Promise<ControlResult>;
  /** Restarts failed and uncertain steps, with their attempts reset, and their dependents. */
  retry(order: ControlRunRequest): Promise<ControlResult>;
  retryPreview(run: RunRef): RetryPreview;
  /** WORKFLOW_RUN_NOT_FINISHED while a run of this session is neither succeeded, failed nor cancelled. */
  assertFinished(sessionId: string): void;
  /** Ids of the runs of a session. */
  ofSession(sessionId: string): string[];
  /** Called after every commit that recorded facts, once per run. The returned function unsubscribes. */
  onCommit(listener: (news: RunChange) => void): () => void;
  /** Resolves when this process only waits for steps, timers and commands. */
  settled(): Promise<void>;
  /**
   * New commands throw SERVER_SHUTTING_DOWN and no step starts any more. Steps in flight may still end while their
   * sessions do; the others are left to the recovery of the next start.
   */
  [Symbol.asyncDispose](): Promise<void>;
}

const RECOVER_AGAIN_MS = 1_000;
const MOST_RECOVER_AGAIN_MS = 60_000;

export function createRuns(needs: RunsNeeds): Runs {
  const { ambient } = needs;
  const listeners = new Set<(news: RunChange) => void>();
  let made: Engine | undefined;
  let hasBegun = false;
  let isReady = false;
  let isClosing = false;
  let recoverAgainMs = RECOVER_AGAIN_MS;
  let stopWaiting = (): void => undefined;

  /** At first use: a process that only reads runs needs no engine. */
  const engine = (): Engine => {
    if (made) return made;
    made = createEngine(needs);
    made.journal.onCommit((news) => {
      for (const listener of listeners) listener(news);
    });
    return made;
  };

  const recover = (): void => {
    hasBegun = true;
    try {
      engine().scheduler.recover();
      isReady = true;
      engine().outcomes.nudge();
    } catch (error) {
      ambient.log.error('workflows.not-recovered', { error });
      stopWaiting = ambient.timer(recoverAgainMs, recover);
      recoverAgainMs = Math.min(recoverAgainMs * 2, MOST_RECOVER_AGAIN_MS);
    }
  };

  const assertReady = (): void => {
    if (needs.isBackground && !hasBegun && !isClosing) recover();
    if (isReady) return;
    // A store that cannot be opened is reported first.
    needs.db();
    throw workflowsError('WORKFLOW_RUNTIME_NOT_READY');
  };
  const assertOpen = (): void => {
    if (isClosing) throw workflowsError('SERVER_SHUTTING_DOWN');
  };
  const writing = async <Result>(write: () => Result): Promise<Result> => {
    try {
      return await retryBusy(ambient, write);
    } catch (error) {
      if (error instanceof SyntaxError) {
        throw workflowsError('WORKFLOW_STORE_NEEDS_ATTENTION', { reason: 'definition-unreadable', cause: error });
      }
      if (!systemCode(error)?.startsWith('SQLITE_')) throw error;
      throw workflowsError('WORKFLOW_STORE_UNAVAILABLE', { reason: 'not-written', cause: error });
    }
  };
  const control = async (asked: RunCommand, order: ControlRunRequest): Promise<ControlResult> => {
    assertReady();
    const { journal, scheduler } = engine();
    const { run, receipt, isReplay } = await writing(() => controlRun(journal, asked, order));
    if (!isReplay) {
      if (asked === 'cancel') scheduler.stop(run.key);
      scheduler.nudge(run.key, asked === 'resume' || asked === 'retry');
    }
    return { runId: run.runId, receipt, isReplay };
  };

  return {
    begin() {
      if (!hasBegun && !isClosing) recover();
    },
    async start(order) {
      assertOpen();
      assertReady();
      const { journal, scheduler } = engine();
      const result = await writing(() => startRun({ ...needs, journal }, order));
      const run = result.isReplay ? undefined : journal.rows.runById(result.runId);
      if (run) scheduler.nudge(run.key, false);
      return result;
    },
    pause: (order) => control('pause', order),
    cancel: (order) => control('cancel', order),
    async resume(order) {
      assertOpen();
      return control('resume', order);
    },
    async retry(order) {
      assertOpen();
      return control('retry', order);
    },
    retryPreview(ref) {
      assertReady();
      const { graphs, journal, names } = engine();
      return previewRetry({ rows: journal.rows, downstream: graphs.downstream, names }, ref);
    },
    assertFinished(sessionId) {
      const open = needs
        .db()
        .prepare<[string]>(
          `SELECT 1 FROM runs WHERE session_id = ? AND status NOT IN ('succeeded', 'failed', 'cancelled') LIMIT 1`,
        )
        .get(sessionId);
      if (open) throw workflowsError('WORKFLOW_RUN_NOT_FINISHED');
    },
    ofSession: (sessionId) =>
      needs.db().prepare<[string], string>('SELECT run_id FROM runs WHERE session_id = ?').pluck().all(sessionId),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: async () => made?.scheduler.settled(),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      stopWaiting();
      await made?.scheduler.close();
      await made?.outcomes.done();
    },
  };
}

interface Engine {
  journal: Journal;
  scheduler: Scheduler;
  outcomes: ReturnType<typeof createOutcomeReporter>;
  graphs: ReturnType<typeof createGraphs>;
  names(definition: number, ords: Iterable<number>): Map<number, { nodeId: string; label: string }>;
}

function createEngine(needs: RunsNeeds): Engine {
  const db = needs.db();
  const journal = createJournal({ ...needs, db });
  const outcomes = createOutcomeReporter({ ...needs, db, rows: journal.rows });
  const name = db.prepare<[number, number], { nodeId: string; label: string }>(
    'SELECT node_id AS nodeId, label FROM definition_nodes WHERE definition = ? AND ord = ?',
  );
  return {
    journal,
    outcomes,
    graphs: createGraphs(db),
    scheduler: createScheduler({ ...needs, db, journal, outcomes }),
    names(definition, ords) {
      const found = new Map<number, { nodeId: string; label: string }>();
      for (const ord of ords) {
        const row = name.get(definition, ord);
        if (row) found.set(ord, row);
      }
      return found;
    },
  };
}
