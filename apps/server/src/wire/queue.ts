import type { MessageQueue, QueuedMessage } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';

const wireMessage = z.object({
  id: z.string(),
  testo: z.string(),
  immagini: z.number().int(),
  origine: z.string().optional(),
  childId: z.string().optional(),
});

function messageOnWire({ id, input, origin, childId }: QueuedMessage): z.output<typeof wireMessage> {
  return {
    id,
    testo: input.message,
    immagini: input.images?.length ?? 0,
    ...(origin && { origine: origin }),
    ...(childId && { childId }),
  };
}

export const queueOnWire = ({ messages, isPaused }: MessageQueue) => ({
  voci: messages.map(messageOnWire),
  inPausa: isPaused,
});

/** The queue as the wire has it. */
export const wireQueue = z.object({ voci: z.array(wireMessage), inPausa: z.boolean() }).meta({ id: 'MessageQueue' });

export const queuedMessage = encoded(wireMessage, messageOnWire);
export const messageQueue = encoded(wireQueue, queueOnWire);
