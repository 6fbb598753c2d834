export type TraceOutcome = 'running' | 'done' | 'failed' | 'interrupted';

/** Epoch ms; `end` is undefined while it runs. */
export interface TimeSpan {
  start: number;
  end: number | undefined;
}

/** One thing that a turn spent time on. */
export interface TraceStep extends TimeSpan {
  kind: 'model' | 'tool' | 'wait' | 'retry' | 'compaction';
  /** The model, or the tool; of a wait what the user was asked about. Empty where it is unknown. */
  name: string;
  outcome: TraceOutcome;
  /** Of a model call: when the first of its answer arrived. */
  firstOutputAt: number | undefined;
  tokens: { input: number; output: number; cached: number | undefined } | undefined;
  usd: number | undefined;
  /** Of a tool: when the user was asked about it. */
  wait: TimeSpan | undefined;
  callId: string | undefined;
  /** Kind of failure, an HTTP status or an exit code. */
  error: string | undefined;
  /** Session of the sub-agent that the tool started, once it has reported. */
  agentId: string | undefined;
  /** What a delegating call asked for, while its report is missing. */
  task: string | undefined;
}
