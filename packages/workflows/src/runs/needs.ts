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
  /** True in the one process that recovers and runs. */
  isBackground: boolean;
  /** Steps at once, in all and of one provider; from 1. */
  concurrency: Concurrency;
  /** Whether the session that proposed a definition is still there. */
  sessionExists(sessionId: string): boolean;
  /**
   * Told when a run ends or begins to need attention: at least once, also after a crash in between, and never twice
   * with another text for the same `outcomeId`. A rejection is logged and tried again at the next start.
   */
  tellOutcome?(outcome: RunOutcome): Promise<void>;
  /** Tests only: called at these moments of every write. One that throws stands for a process that ends there. */
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
  /** The run and the fact that it is about: the same for every telling. */
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
