import type { SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { createMeter } from './metrics.ts';

test('the time to first token excludes the wait for an approval', () => {
  const meter = createMeter();
  const events: SessionEvent[] = [
    { type: 'RunStarted', threadId: 't', runId: 'r' },
    { type: 'ToolCallStart', toolCallId: 'c', toolCallName: 'shell' },
    { type: 'ApprovalRequested', requestId: 'q', azione: { tipo: 'shell' } },
  ];
  events.forEach((event, second) => meter.apply(event, 1_000 + second * 100));
  meter.apply({ type: 'ApprovalResolved', requestId: 'q', approvato: true }, 61_200);
  meter.apply({ type: 'TextMessageStart', messageId: 'm', role: 'assistant' } as SessionEvent, 61_500);
  expect(meter.read(70_000).firstToken).toMatchObject({ ms: 100, firstVisibleMs: 500 });
});
