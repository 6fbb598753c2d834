import { type Language, retryWords } from '@fucina/shared/sentences';
import * as z from 'zod';
import type { AgUiEvent } from './event.ts';

const notice = z.object({
  requestId: z.string(),
  fase: z.enum(['attesa', 'invio', 'fine']),
  tentativo: z.number(),
  tentativiMassimi: z.number(),
  httpStatus: z.number(),
  attesaMs: z.number(),
});

/** The line of a wait before the model is asked again. */
export interface RetryLine {
  messageId: string;
  /** Undefined: the wait is over. */
  text: string | undefined;
}

/** Of the value of `svc.provider-retry`. */
export function retryLine(value: unknown, language: Language): RetryLine | undefined {
  const read = notice.safeParse(value);
  if (!read.success) return undefined;
  const { requestId, fase, tentativo, tentativiMassimi, httpStatus, attesaMs } = read.data;
  const facts = { httpStatus, attempt: tentativo, maxTries: tentativiMassimi, seconds: Math.ceil(attesaMs / 1_000) };
  const text = fase === 'attesa' ? retryWords(facts, language) : undefined;
  return { messageId: `retry-${requestId}-${tentativo}`, text };
}

/** The events of a line, as reasoning: clients show it without code of their own, apart from the answer. */
export function openedLine(messageId: string, delta: string): AgUiEvent[] {
  return [
    { type: 'REASONING_START', messageId },
    { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    { type: 'REASONING_MESSAGE_CONTENT', messageId, delta },
  ];
}
