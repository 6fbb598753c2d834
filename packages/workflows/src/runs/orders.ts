import type { CommandReceipt } from '../commands/ledger.ts';

export interface StartRunRequest {
  workflowId: string;
  version: number;
  /** A UUID v4 of the client's. */
  commandId: string;
  definitionHash: string;
}

export interface StartResult {
  workflowId: string;
  version: number;
  definitionHash: string;
  runId: string;
  receipt: CommandReceipt;
  /** True for an already accepted command. */
  isReplay: boolean;
}

export interface RunRef {
  /** The session that proposed it. */
  sessionId: string;
  runId: string;
}

export interface ControlRunRequest extends RunRef {
  commandId: string;
}

export interface ControlResult {
  runId: string;
  receipt: CommandReceipt;
  isReplay: boolean;
}

export interface RetryPreview {
  runId: string;
  /** Steps that would start again. */
  failed: readonly { nodeId: string; label: string; errorClass: string; attempt: number }[];
  /** Ids of the steps that depend on one of them, in graph order. */
  dependents: readonly string[];
  /** Finished steps that stay unchanged. */
  kept: number;
}
