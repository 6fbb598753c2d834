import type { CommandType } from '../../commands/ledger.ts';
import type { StepFacts } from './rows.ts';

export type FactType =
  | 'run_created'
  | 'run_started'
  | 'run_pause_requested'
  | 'run_paused'
  | 'run_resumed'
  | 'run_cancel_requested'
  | 'run_cancelled'
  | 'run_succeeded'
  | 'run_failed'
  | 'node_started'
  | 'node_succeeded'
  | 'node_failed'
  | 'node_cancelled'
  | 'node_skipped'
  | 'node_recovered'
  | 'activity_scheduled'
  | 'activity_started'
  | 'activity_uncertain'
  | 'activity_reconciled'
  | 'activity_completed'
  | 'activity_failed'
  | 'capacity_claimed'
  | 'capacity_released'
  | 'budget_reserved'
  | 'budget_settled'
  | 'budget_released'
  | 'budget_overrun_observed'
  | 'provider_limit_changed'
  | 'circuit_opened'
  | 'circuit_half_open'
  | 'circuit_closed'
  | 'retry_scheduled'
  | 'timer_scheduled'
  | 'timer_fired'
  | 'agent_session_created'
  | 'agent_session_finished'
  | 'result_recorded'
  | 'stale_activity_completion_observed'
  /** A state that no other fact reports. */
  | 'checkpoint_written';

/** One fact of the journal. Omitted fields are null in its envelope. */
export interface JournalFact {
  type: FactType;
  /** Position of its step. */
  node?: number;
  command?: { commandId: string; commandType: CommandType; payloadHash: string };
  /** Its execution. */
  activity?: Pick<StepFacts, 'executionId' | 'attempt' | 'leaseId' | 'leaseEpoch'>;
  causationId?: string;
  payload: Readonly<Record<string, unknown>>;
}

/** A stored event: `svc.workflow-event.v1` with its step's position instead of its id. */
export interface StoredFact extends Envelope {
  seq: number;
  at: number;
  type: FactType;
  node: number | null;
}

export interface Envelope {
  eventId: string;
  commandId: string | null;
  commandType: CommandType | null;
  commandPayloadHash: string | null;
  causationId: string | null;
  correlationId: string;
  graphVersion: number;
  activityExecutionId: string | null;
  attempt: number | null;
  leaseId: string | null;
  leaseEpoch: number | null;
  payload: Record<string, unknown>;
}
