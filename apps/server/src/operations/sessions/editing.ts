import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';

const tag = 'Sessions';

export const forkSession = operation({
  id: 'sessions.fork',
  tag,
  summary: 'New session from the same conversation',
  method: 'POST',
  path: '/sessions/{sessionId}/fork',
  params: sessionParams,
  answer: json(z.object({ sessionId: z.string() })),
  errors: ['SESSION_NOT_READY', 'SESSION_STORE_HEADER_FAILED', 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, services }) => services.sessions.editing.fork(params.sessionId),
});

export const removeMessage = operation({
  id: 'sessions.remove-message',
  tag,
  summary: 'Take a message out of the conversation',
  method: 'DELETE',
  path: '/sessions/{sessionId}/messages/{messageId}',
  params: sessionParams.extend({ messageId: z.string().min(1).max(200) }),
  answer: json(
    renamed(
      z.object({
        rimosso: z.literal(true),
        riferimento: z.string(),
        toltoDalModello: z.boolean(),
        motivo: z.string().nullable(),
      }),
      { riferimento: 'reference', toltoDalModello: 'isOutOfModel', motivo: 'reason' },
    ),
  ),
  errors: ['SESSION_STILL_RUNNING', 'SESSION_STORE_WRITE_FAILED', 'SESSION_STORE_BUSY'],
  handle: async ({ params, services }) => ({
    rimosso: true as const,
    ...(await services.sessions.editing.removeMessage(params.sessionId, params.messageId)),
  }),
});
