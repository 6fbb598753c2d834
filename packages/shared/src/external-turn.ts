import type { GatedTool } from './permissions.ts';
import type { ToolAction, ToolEffect } from './tool.ts';

/**
 * What an external agent may do in the session whose turn it runs. All changes and commands pass the session's
 * permission gate and are recorded there, like tool calls of a model.
 */
export interface ExternalTurn {
  readonly sessionId: string;
  /** Absolute real path of the session's folder. */
  readonly folder: string;
  /** Runs one of the session's tools. Does not throw for a refusal: that is a result with `isError`. */
  runTool(call: ExternalToolCall, signal: AbortSignal): Promise<ExternalToolResult>;
  /** Whether the agent may do the described action itself: the gate decides, and asks the user if necessary. */
  mayDo(plan: ExternalPlan, signal: AbortSignal): Promise<boolean>;
}

export interface ExternalToolCall {
  /** A tool of the session (`scrivi`, `shell`). */
  name: string;
  /** With the tool's own field names. */
  arguments: Record<string, unknown>;
}

export interface ExternalToolResult {
  content: string;
  isError: boolean;
  /** Of a command; null when a signal ended it. */
  exitCode?: number | null;
}

export interface ExternalPlan {
  effect: ToolEffect;
  gate: GatedTool | null;
  /** Shown on the approval card. */
  action: ToolAction;
}
