import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { mapped, renamed } from '../../http/renamed.ts';
import { ok, prose, sessionParams, text } from '../../wire/common.ts';
import { imageChoices } from '../../wire/image.ts';
import { messageQueue, queuedMessage } from '../../wire/queue.ts';
import { messageRecord } from '../sessions/lifecycle.ts';

const tag = 'Turns and approvals';

const message = { messaggio: prose, immagini: imageChoices.optional(), bolla: messageRecord.optional() };
const messageNames = { messaggio: 'message', immagini: 'images', bolla: 'bubble' } as const;

export const resume = operation({
  id: 'sessions.resume',
  tag: 'Sessions',
  summary: 'Resume an interrupted turn, or send the next message',
  method: 'POST',
  path: '/sessions/{sessionId}/resume',
  params: sessionParams,
  body: renamed(
    z
      .strictObject({ ...message, messaggio: prose.optional() })
      .refine(
        ({ messaggio, immagini }) => messaggio !== undefined || immagini === undefined,
        'immagini need messaggio',
      ),
    messageNames,
  ),
  answer: json(z.object({ sessionId: z.string() })),
  errors: ['SESSION_NOT_READY', 'SERVER_SHUTTING_DOWN', 'SESSION_STORE_BUSY'],
  handle: ({ params, body, services }) => services.sessions.turns.resume(params.sessionId, body),
});

export const stop = operation({
  id: 'turns.stop',
  tag,
  summary: 'Stop the running turn',
  method: 'POST',
  path: '/sessions/{sessionId}/stop',
  params: sessionParams,
  body: z.strictObject({ redirectId: z.uuid().optional() }),
  answer: json(z.object({ stopped: z.literal(true) })),
  handle: async ({ params, services }) => {
    await services.sessions.turns.stop(params.sessionId);
    return { stopped: true as const };
  },
});

export const cancel = operation({
  id: 'turns.cancel',
  tag,
  summary: 'Stop the running turn (the same as stop)',
  method: 'POST',
  path: '/sessions/{sessionId}/cancel',
  params: sessionParams,
  answer: json(ok.extend({ sessionId: z.string() })),
  handle: async ({ params, services }) => {
    await services.sessions.turns.stop(params.sessionId);
    return { ok: true as const, sessionId: params.sessionId };
  },
});

export const redirect = operation({
  id: 'turns.redirect',
  tag,
  summary: 'Steer the running turn with a message',
  method: 'POST',
  path: '/sessions/{sessionId}/redirect',
  params: sessionParams,
  body: renamed(z.strictObject({ ...message, redirectId: z.uuid().optional() }), messageNames),
  answer: json(ok.extend({ redirectId: z.string() })),
  errors: ['SESSION_NOT_READY', 'SERVER_SHUTTING_DOWN'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessions.turns.redirect(params.sessionId, body)),
  }),
});

export const readQueue = operation({
  id: 'turns.queue',
  tag,
  summary: 'Queued messages',
  method: 'GET',
  path: '/sessions/{sessionId}/queue',
  params: sessionParams,
  answer: json(messageQueue),
  handle: ({ params, services }) => services.sessions.turns.readQueue(params.sessionId),
});

export const queueMessage = operation({
  id: 'turns.queue-add',
  tag,
  summary: 'Queue a message for after the running turn',
  method: 'POST',
  path: '/sessions/{sessionId}/queue',
  params: sessionParams,
  body: renamed(z.strictObject(message), messageNames),
  answer: json(
    renamed(ok.extend({ posizione: z.number().int(), coda: messageQueue }), { posizione: 'position', coda: 'queue' }),
  ),
  errors: ['SESSION_NOT_READY', 'SERVER_SHUTTING_DOWN'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessions.turns.queue(params.sessionId, body)),
  }),
});

export const unqueueMessage = operation({
  id: 'turns.queue-remove',
  tag,
  summary: 'Take one message out of the queue, or the last',
  method: 'POST',
  path: '/sessions/{sessionId}/queue/annulla',
  params: sessionParams,
  body: z.strictObject({ id: text.optional() }),
  answer: json(
    renamed(ok.extend({ rimosso: queuedMessage.nullable(), coda: messageQueue }), {
      rimosso: 'removed',
      coda: 'queue',
    }),
  ),
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessions.turns.unqueue(params.sessionId, body.id)),
  }),
});

export const sendQueued = operation({
  id: 'turns.queue-send',
  tag,
  summary: 'Send a queued message now',
  method: 'POST',
  path: '/sessions/{sessionId}/queue/invia',
  params: sessionParams,
  body: z.strictObject({ id: text }),
  answer: json(
    renamed(
      ok.extend({
        modo: mapped({ reindirizzato: 'redirected', ripreso: 'resumed' }),
        coda: messageQueue,
        redirectId: z.string().optional(),
      }),
      { modo: 'mode', coda: 'queue' },
    ),
  ),
  errors: ['SESSION_NOT_READY', 'SERVER_SHUTTING_DOWN'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessions.turns.sendQueued(params.sessionId, body.id)),
  }),
});
