/** A call of a tool, as a project's own commands are told of it. */
export interface HookCall {
  sessionId: string;
  /** Absolute folder of the session. */
  folder: string;
  toolCallId: string;
  name: string;
  input: unknown;
}

/** What a project's own commands are told of a session, and may refuse. None of these rejects. */
export interface TurnHooks {
  /** Before a call the gate has let through: why it may not happen, as the model is told; undefined when nobody objects. */
  beforeCall(call: HookCall, signal: AbortSignal): Promise<string | undefined>;
  afterCall(call: HookCall, result: { content: string; isError: boolean }, signal: AbortSignal): Promise<void>;
  /** Before the first step of a session. */
  sessionBegins(session: { sessionId: string; folder: string; assignment: string }, signal: AbortSignal): Promise<void>;
  /** Each time a turn is over; nobody waits for it. */
  turnOver(session: { sessionId: string; folder: string }): void;
}
