import type { GatedTool } from './permissions.ts';
import type { ToolAction, ToolEffect } from './tool.ts';

/**
 * What an agent that works by itself may ask of the session whose turn it takes. Everything it changes or runs passes the
 * session's permission gate and is recorded there, as if a model had called the tool.
 */
export interface ExternalTurn {
  readonly sessionId: string;
  /** Absolute real path of the session's folder. */
  readonly folder: string;
  /** Runs one of the session's tools. Never throws for a refusal: that is a result with `isError`. */
  runTool(call: ExternalToolCall, signal: AbortSignal): Promise<ExternalToolResult>;
  /** Whether the agent may do by itself what it describes: the gate decides, and asks the user where it says so. */
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
  /** Of a command that ran; null when a signal ended it. */
  exitCode?: number | null;
}

export interface ExternalPlan {
  effect: ToolEffect;
  gate: GatedTool | null;
  /** What the approval card shows. */
  action: ToolAction;
}
