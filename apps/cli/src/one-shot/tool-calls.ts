import type { SessionEvent } from '@fucina/shared';
import { callSubject } from '../call-subject.ts';

/** A tool call that came to its end. */
export interface FinishedCall {
  tool: string;
  /** What it was about: the command, the path, the words looked for. */
  subject: string;
  /** Undefined for what is no command, or a command that was stopped. */
  exitCode: number | undefined;
  /** The tool refused or failed; `content` says why. */
  isFailed: boolean;
  isCommand: boolean;
  isDenied: boolean;
  durationMs: number;
  /** What the model was answered. */
  content: string;
}

export interface ToolCalls {
  /** The call that this event ends, if any. */
  push(event: SessionEvent): FinishedCall | undefined;
  /** The one call that runs now; undefined for none or several. */
  running(): { tool: string; subject: string } | undefined;
}

export function createToolCalls(): ToolCalls {
  const open = new Map<string, { tool: string; arguments: string }>();
  let isDenied = false;

  const finish = (event: Extract<SessionEvent, { type: 'ToolCallResult' }>): FinishedCall => {
    const call = open.get(event.toolCallId);
    open.delete(event.toolCallId);
    const finished = {
      tool: call?.tool ?? '',
      subject: event.comando ?? subjectOf(call?.arguments ?? ''),
      exitCode: event.exitCode,
      isFailed: event.fallito === true,
      isCommand: event.comando !== undefined,
      isDenied,
      durationMs: event.durataMs ?? 0,
      content: event.content,
    };
    // Calls that ask run one at a time: a denial seen since the last result is this call's.
    isDenied = false;
    return finished;
  };

  return {
    push(event) {
      if (event.type === 'ToolCallStart') open.set(event.toolCallId, { tool: event.toolCallName, arguments: '' });
      if (event.type === 'ToolCallArgs') {
        const call = open.get(event.toolCallId);
        if (call) call.arguments += event.delta;
      }
      if (event.type === 'ApprovalResolved') isDenied = !event.approvato && !event.interrotto;
      return event.type === 'ToolCallResult' ? finish(event) : undefined;
    },
    running() {
      const [call] = open.values();
      return call && open.size === 1 ? { tool: call.tool, subject: subjectOf(call.arguments) } : undefined;
    },
  };
}

function subjectOf(json: string): string {
  let values: Record<string, unknown>;
  try {
    values = JSON.parse(json || '{}') as Record<string, unknown>;
  } catch {
    // Still arriving, or broken by the model: the tool's name alone is shown.
    return '';
  }
  return callSubject(values);
}
