import type { Conversation, StreamEvent } from '@fucina/conversation';
import { cleanLine } from '../clean-text.ts';
import { retryStep } from '../retry-step.ts';
import { failureReason } from '../screen/cards/failure-reason.ts';
import { toolVerb } from '../screen/cards/tool-words.ts';
import type { Terminal } from '../terminal.ts';
import type { Screen } from './screen.ts';
import { type FinishedCall, finishedCall, runningCall } from './tool-calls.ts';
import type { TurnRecord } from './turn-record.ts';
import type { TurnResult } from './turn-result.ts';

/** Progress on standard error: one line per tool call, with its outcome and duration. */
export interface Progress {
  /** `conversation` includes the event. */
  push(conversation: Conversation, event: StreamEvent): void;
  end(record: TurnRecord, result: TurnResult): void;
}

export const NO_PROGRESS: Progress = { push: () => undefined, end: () => undefined };

const SUBJECT_WIDTH = 72;
const NOTE_WIDTH = 100;
/** Tools whose purpose is a change: without one, their answer says why. */

export function createProgress(terminal: Terminal, screen: Screen): Progress {
  const { say, errorStyle: style } = terminal;

  return {
    push(conversation, event) {
      const finished = finishedCall(conversation, event);
      if (finished) screen.line(callProgressLine(finished, terminal));
      const retry = retryStep(event);
      if (retry?.phase === 'waiting') {
        const { cause, attempt, of, seconds } = retry;
        const why = say(`turn.retry.${cause}`);
        screen.line(`  ${style.muted(say('turn.retry', { why, attempt, of, seconds }))}`);
      }
      const running =
        event.type === 'ToolCallStart' || event.type === 'ToolCallArgs' ? runningCall(conversation) : undefined;
      if (running)
        screen.status(
          `  ${style.muted(`· ${toolVerb(running.tool, false, say)}  ${cleanLine(running.subject, SUBJECT_WIDTH)}`)}`,
        );
    },
    end({ changes, usage }, { sessionId, durationMs }) {
      const facts = [
        ...(changes.length
          ? [changes.length === 1 ? say('turn.changed-one') : say('turn.changed', { count: changes.length })]
          : []),
        ...(usage ? [say('turn.tokens', { count: usage.prompt_tokens + usage.completion_tokens })] : []),
        secondsOf(durationMs),
        ...(sessionId ? [say('turn.go-on', { id: sessionId })] : []),
      ];
      if (terminal.io.stdout.isTTY) screen.line('');
      screen.line(style.muted(facts.join(' · ')));
    },
  };
}

export function callProgressLine(call: FinishedCall, { say, errorStyle: style }: Terminal): string {
  const { tool, subject, exitCode, isCommand, isDenied, durationMs, content } = call;
  const isCut = isCommand && exitCode === undefined;
  const isBad = isDenied || isCut || call.isFailed || (exitCode ?? 0) !== 0;
  const isDone = !isDenied && (isCommand || !call.isFailed);
  const mark = isBad ? style.danger('✗') : style.success('✓');
  const outcome = isDenied
    ? say('tool.denied')
    : isCut
      ? say('tool.cut')
      : exitCode !== undefined && exitCode !== 0
        ? say('tool.exit', { code: exitCode })
        : '';
  const note = call.isFailed && !isDenied && !isCommand ? cleanLine(failureReason(content, say), NOTE_WIDTH) : '';
  const parts = [
    style.bold(toolVerb(tool, isDone, say)),
    cleanLine(subject, SUBJECT_WIDTH),
    style.danger(outcome),
    secondsOf(durationMs),
    note,
  ];
  return `  ${mark} ${parts.filter((part) => part !== '' && part !== style.danger('')).join('  ')}`;
}

function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
