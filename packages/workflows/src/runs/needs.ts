import type { Ambient, SqliteDatabase } from '@fucina/shared';
import type { ContentStore } from '../content/content-store.ts';
import type { StepSessions } from './ports.ts';
import type { RunState } from './run-state.ts';

export interface RunsNeeds {
  ambient: Ambient;
  /** workflows.db, opened by store.ts. */
  db(): SqliteDatabase;
  content: Pick<ContentStore, 'put' | 'get'>;
  steps: StepSessions;
  /** True only in the process that recovers and executes runs. */
  isBackground: boolean;
  /** Maximum parallel steps, in total and per provider; from 1. */
  concurrency: Concurrency;
  /** Whether the session that proposed a definition still exists. */
  sessionExists(sessionId: string): boolean;
  /**
   * Called when a run ends or needs attention: at least once, even after a crash, and with the same text for the same
   * `outcomeId`. A rejection is logged and retried at the next start.
   */
  reportOutcome?(outcome: RunOutcome): Promise<void>;
  /** Tests only: called at these points of every write. A throw simulates the end of the process at that point. */
  fault?(moment: FaultMoment): void;
}

export type FaultMoment = 'before-write' | 'before-commit' | 'after-commit';

export interface Concurrency {
  total: number;
  perProvider: number;
}

export interface RunChange {
  runId: string;
  sessionId: string;
  lastSeq: number;
}

export interface RunOutcome {
  /** The run and the fact: the same for every repetition. */
  outcomeId: string;
  runId: string;
  workflowId: string;
  version: number;
  sessionId: string;
  title: string;
  status: Extract<RunState, 'succeeded' | 'failed' | 'cancelled' | 'needs_attention'>;
  /** Why it needs attention or failed; null else. */
  reason: string | null;
  steps: { total: number; succeeded: number; failed: number; skipped: number };
}
