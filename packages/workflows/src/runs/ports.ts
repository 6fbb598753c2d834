/** The engine's requests to sessions: to run one step as an agent, and to look up its outcome after a crash. */
export interface StepSessions {
  /**
   * Creates the session of a step (read-only, child of the root session, with the id of the order) and runs its single
   * turn to the end. Calls `begun` as soon as the session is on disk, before its turn starts. Also resolves when the
   * turn failed; rejects only when no session could be created. Aborting stops the turn and its processes.
   */
  run(order: StepRunRequest, begun: (session: StepSession) => void, signal: AbortSignal): Promise<StepOutcome>;
  /**
   * The outcome of a step's session that this process did not follow; undefined when it does not exist. Stops nothing.
   */
  lookUp(stepSessionId: string): Promise<StepOutcome | undefined>;
  /** The provider whose limits apply to a step with this model; null for the root session's model. No disk access. */
  providerOf(model: string | null, rootSessionId: string): string;
}

export interface StepRunRequest {
  runId: string;
  nodeId: string;
  attempt: number;
  rootSessionId: string;
  /** The id of its session: chosen and stored before, so that it can be looked up after a crash at any point. */
  stepSessionId: string;
  /** Shown as the session's name. */
  label: string;
  /** The step's instructions and the results of its predecessors, marked as untrusted. */
  prompt: string;
  /** A model id, or null for the root session's. */
  model: string | null;
  /** Maximum model calls of the turn; null: the sessions' default. */
  maxModelCalls: number | null;
  /** The trace context of the step. */
  traceparent: string | undefined;
}

export interface StepSession {
  stepSessionId: string;
  /** Null if unknown. */
  model: { provider: string; model: string } | null;
}

export interface StepUsage {
  promptTokens: number;
  completionTokens: number;
  toolCalls: number;
  modelRequests: number;
  /** Null if a price is unknown. */
  costUsd: number | null;
}

export type StepErrorClass =
  | 'rate_limit'
  | 'transient_network'
  | 'provider_5xx'
  | 'timeout'
  | 'process_exit_retryable'
  | 'store_transient'
  | 'provider_refused'
  | 'turns_exhausted'
  | 'stopped'
  | 'interrupted'
  | 'internal';

export interface StepOutcome {
  stepSessionId: string;
  model: { provider: string; model: string } | null;
  usage: StepUsage;
  /** `running`: only from lookUp, when the turn is still running in another process. */
  end: 'succeeded' | 'failed' | 'running';
  /** The agent's last message; empty on failure. */
  text: string;
  /** Present when it failed. */
  errorClass?: StepErrorClass;
  /** The wait that the provider asked for, in ms. */
  retryAfterMs?: number;
}
