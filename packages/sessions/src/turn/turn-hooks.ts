/** A tool call, as hooks see it. */
export interface HookCall {
  sessionId: string;
  /** Absolute folder of the session. */
  folder: string;
  toolCallId: string;
  name: string;
  input: unknown;
}

/** Hooks of a session's project, which may refuse. None of these rejects. */
export interface TurnHooks {
  /**
   * Before a call that the gate has allowed: the reason for the model why it may not run; undefined without an
   * objection.
   */
  beforeCall(call: HookCall, signal: AbortSignal): Promise<string | undefined>;
  afterCall(call: HookCall, result: { content: string; isError: boolean }, signal: AbortSignal): Promise<void>;
  /** Before the first step of a session. */
  sessionBegins(session: { sessionId: string; folder: string; assignment: string }, signal: AbortSignal): Promise<void>;
  /** After each turn. Resolves when they have ended. */
  turnOver(session: { sessionId: string; folder: string }): Promise<void>;
}
