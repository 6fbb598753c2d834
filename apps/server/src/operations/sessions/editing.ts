import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { compactionOutcome, compactionPolicy } from '../../wire/compaction.ts';

const tag = 'Sessions';

export const forkSession = operation({
  id: 'sessions.fork',
  tag,
  summary: 'Fork a session from its conversation',
  method: 'POST',
  path: '/sessions/{sessionId}/fork',
  params: sessionParams,
  answer: json(z.object({ sessionId: z.string() })),
  errors: ['SESSION_NOT_READY', 'SESSION_STORE_HEADER_FAILED', 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, services }) => services.sessions.branches.fork(params.sessionId),
});

export const removeMessage = operation({
  id: 'sessions.remove-message',
  makesRoom: true,
  tag,
  summary: 'Remove a message from the conversation',
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

export const compact = operation({
  id: 'sessions.compact',
  tag,
  summary: 'Compact the conversation now',
  method: 'POST',
  path: '/sessions/{sessionId}/compact',
  params: sessionParams,
  answer: json(compactionOutcome),
  errors: [
    'SESSION_NOT_READY',
    'SESSION_MODEL_UNKNOWN',
    'SERVER_SHUTTING_DOWN',
    'SESSION_STORE_WRITE_FAILED',
    'SESSION_STORE_BUSY',
  ],
  handle: ({ params, services }) => services.sessions.editing.compact(params.sessionId),
});

export const undoCompaction = operation({
  id: 'sessions.undo-compaction',
  tag,
  summary: 'Undo an automatic compaction',
  method: 'POST',
  path: '/sessions/{sessionId}/compaction/{compactionId}/undo',
  params: sessionParams.extend({ compactionId: z.iso.datetime() }),
  answer: json(z.object({ annullata: z.literal(true) })),
  errors: [
    'COMPACTION_NOT_FOUND',
    'SESSION_NOT_READY',
    'SESSION_STORE_AMBIGUOUS',
    'SESSION_STORE_WRITE_FAILED',
    'SERVER_SHUTTING_DOWN',
    'SESSION_STORE_BUSY',
  ],
  handle: async ({ params, services }) => {
    await services.sessions.editing.undoCompaction(params.sessionId, params.compactionId);
    return { annullata: true as const };
  },
});

export const readCompactionPolicy = operation({
  id: 'sessions.compaction-policy',
  tag: 'Health and diagnostics',
  summary: 'Auto-compaction settings of a session',
  method: 'GET',
  path: '/sessions/{sessionId}/compaction-policy',
  params: sessionParams,
  answer: json(compactionPolicy),
  handle: ({ params, services }) => services.sessions.editing.compactionPolicy(params.sessionId),
});
