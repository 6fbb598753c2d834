import type { SessionUpdate, ToolCallStatus } from '@agentclientprotocol/sdk';
import type { StreamEvent } from '@fucina/conversation';
import type { Ambient } from '@fucina/shared';
import { type RetryStep, retryStep } from '../retry-step.ts';
import type { Say } from '../words/index.ts';

/** Shows an editor the waits before the model is asked again. */
export interface RetryCountdown {
  /** Call it with each event of the turn, in order. */
  follow(event: StreamEvent): Promise<void>;
  /** The turn is over, perhaps during a wait. */
  end(): Promise<void>;
}

const SECOND_MS = 1_000;

/** Editors know no line of status: a wait is a call of its own, whose title counts down. */
export function createRetryCountdown(needs: {
  ambient: Ambient;
  say: Say;
  tell(update: SessionUpdate): Promise<void>;
}): RetryCountdown {
  const { ambient, say, tell } = needs;
  let waiting: { step: RetryStep; endsAt: number; cancel(): void } | undefined;

  const titleOf = (step: RetryStep, seconds: number): string =>
    say('live.retry.title', { why: say(`live.retry.${step.cause}`), attempt: step.attempt, of: step.of, seconds });
  const tick = (): void => {
    if (!waiting) return;
    const { step, endsAt } = waiting;
    const seconds = Math.ceil((endsAt - ambient.monotonic()) / SECOND_MS);
    if (seconds <= 0) return;
    const update = { sessionUpdate: 'tool_call_update' as const, toolCallId: step.id, title: titleOf(step, seconds) };
    void tell(update).catch(() => undefined); // the editor has disconnected
    waiting.cancel = ambient.timer(SECOND_MS, tick);
  };
  const close = async (status: ToolCallStatus): Promise<void> => {
    if (!waiting) return;
    const { step, cancel } = waiting;
    waiting = undefined;
    cancel();
    const title = say('live.retrying', { attempt: step.attempt, of: step.of });
    await tell({
      sessionUpdate: 'tool_call_update',
      toolCallId: step.id,
      status,
      ...(status === 'completed' && { title }),
    });
  };
  return {
    async follow(event) {
      const step = retryStep(event);
      if (!step) return;
      await close('completed');
      if (step.phase !== 'waiting') return;
      const title = titleOf(step, step.seconds);
      await tell({ sessionUpdate: 'tool_call', toolCallId: step.id, title, kind: 'other', status: 'in_progress' });
      const endsAt = ambient.monotonic() + step.seconds * SECOND_MS;
      waiting = { step, endsAt, cancel: ambient.timer(SECOND_MS, tick) };
    },
    end: () => close('failed'),
  };
}
