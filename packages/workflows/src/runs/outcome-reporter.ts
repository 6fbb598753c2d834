import type { Ambient, SqliteDatabase } from '@fucina/shared';
import type { Rows } from './journal/rows.ts';
import type { RunOutcome, RunsNeeds } from './needs.ts';

/** Reports the outcome of a run to its session, and records that. */
export interface OutcomeReporter {
  /** Reports pending outcomes. */
  nudge(): void;
  isBusy(): boolean;
  /** Resolves when the pending reports are done. */
  done(): Promise<void>;
}

export interface OutcomeReporterNeeds extends Pick<RunsNeeds, 'reportOutcome'> {
  ambient: Ambient;
  db: SqliteDatabase;
  rows: Rows;
}

const OUTCOMES: readonly string[] = ['succeeded', 'failed', 'cancelled', 'needs_attention'];

export function createOutcomeReporter({ ambient, db, rows, reportOutcome }: OutcomeReporterNeeds): OutcomeReporter {
  const unreported = db.prepare<[], number>('SELECT key FROM runs WHERE told_seq < outcome_seq').pluck();
  const markReported = db.prepare('UPDATE runs SET told_seq = ? WHERE key = ? AND told_seq < ?');
  const refused = new Set<number>();
  let telling: Promise<void> | undefined;
  let isAsked = false;

  const outcomeOf = (key: number): { outcome: RunOutcome | undefined; seq: number } => {
    const run = rows.run(key);
    if (!run || !OUTCOMES.includes(run.status)) return { outcome: undefined, seq: run?.outcomeSeq ?? 0 };
    const { runId, sessionId, reason, outcomeSeq: seq } = run;
    const { workflowId, version, title, totalNodes: total } = rows.definition(run.definition);
    const steps = {
      total,
      succeeded: rows.count(key, 'succeeded'),
      failed: rows.count(key, 'failed'),
      skipped: rows.count(key, 'skipped'),
    };
    const status = run.status as RunOutcome['status'];
    const outcome = {
      outcomeId: `${runId}:${seq}`,
      runId,
      sessionId,
      workflowId,
      version,
      title,
      status,
      reason,
      steps,
    };
    return { outcome, seq };
  };

  const tell = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false;
      for (const key of unreported.all()) {
        if (refused.has(key)) continue;
        const { outcome, seq } = outcomeOf(key);
        try {
          // A run that was resumed has nothing to report until it stops again.
          if (outcome) await reportOutcome?.(outcome);
          markReported.run(seq, key, seq);
        } catch (error) {
          refused.add(key);
          ambient.log.warn('workflow.outcome-not-told', { runId: outcome?.runId, error });
        }
      }
    }
  };

  return {
    nudge() {
      isAsked = true;
      telling ??= tell()
        .catch((error: unknown) => ambient.log.error('workflow.outcomes-failed', { error }))
        .finally(() => (telling = undefined));
    },
    isBusy: () => telling !== undefined,
    done: async () => telling,
  };
}
