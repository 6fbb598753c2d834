/** What the engine asks of sessions: to run one step as an agent, and to say what became of it after a crash. */
export interface StepSessions {
  /**
   * Makes the session of a step (read only, child of the root session, with the id of the order) and runs its one turn
   * to the end. Calls `begun` as soon as the session exists on the disk, before its turn begins. Resolves also when the
   * turn failed; rejects only when no session could be made. Aborting stops the turn and its processes.
   */
  run(order: StepRunRequest, begun: (session: StepSession) => void, signal: AbortSignal): Promise<StepOutcome>;
  /** What became of a step's session that this process did not see end; undefined when it is not there. Stops nothing. */
  lookUp(stepSessionId: string): Promise<StepOutcome | undefined>;
  /** Whose limits a step with this model counts against; null for the root session's model. Looks nothing up on the disk. */
  providerOf(model: string | null, rootSessionId: string): string;
}

export interface StepRunRequest {
  runId: string;
  nodeId: string;
  attempt: number;
  rootSessionId: string;
  /** The id its session gets: chosen and kept before, so that a crash at any point leaves something to look up. */
  stepSessionId: string;
  /** Shown as the session's name. */
  label: string;
  /** The step's instructions and the results of the steps before it, marked as untrusted. */
  prompt: string;
  /** A model id, or null for the root session's. */
  model: string | null;
  /** Model calls the turn may make; null: the sessions' own bound. */
  maxModelCalls: number | null;
}

export interface StepSession {
  stepSessionId: string;
  /** Null while it is not known. */
  model: { provider: string; model: string } | null;
}

export interface StepUsage {
  promptTokens: number;
  completionTokens: number;
  toolCalls: number;
  modelRequests: number;
  /** Null where a price is not known. */
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
  /** `running`: only from lookUp, when the turn still goes on in another process. */
  end: 'succeeded' | 'failed' | 'running';
  /** The last words of the agent; empty when it failed. */
  text: string;
  /** Present when it failed. */
  errorClass?: StepErrorClass;
  /** What the provider asked to wait, in ms. */
  retryAfterMs?: number;
}
