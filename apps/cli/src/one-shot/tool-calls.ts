import {
  type Conversation,
  callSubject,
  findItem,
  openCalls,
  readArguments,
  type StreamEvent,
  type ToolItem,
} from '@fucina/conversation';

/** A finished tool call. */
export interface FinishedCall {
  tool: string;
  /** Its subject: the command, the path, the search text. */
  subject: string;
  /** Undefined if it is not a command, or was stopped. */
  exitCode: number | undefined;
  /** The tool refused or failed; `content` says why. */
  isFailed: boolean;
  isCommand: boolean;
  isDenied: boolean;
  durationMs: number;
  /** The result for the model. */
  content: string;
}

/** The call that this event ends, if any. */
export function finishedCall(conversation: Conversation, event: StreamEvent): FinishedCall | undefined {
  const call = event.type === 'ToolCallResult' ? findItem(conversation, 'tool', event.toolCallId) : undefined;
  if (!call?.outcome) return undefined;
  const { content, command, exitCode, isFailed, durationMs = 0 } = call.outcome;
  return {
    tool: call.name,
    subject: command ?? subjectOf(call),
    exitCode,
    isFailed,
    isCommand: command !== undefined,
    isDenied: call.approval === 'denied',
    durationMs,
    content,
  };
}

/** The only running call; undefined for none or several. */
export function runningCall(conversation: Conversation): { tool: string; subject: string } | undefined {
  const [call, ...others] = openCalls(conversation);
  return call && others.length === 0 ? { tool: call.name, subject: subjectOf(call) } : undefined;
}

const subjectOf = (call: ToolItem): string => callSubject(call.name, readArguments(call));
