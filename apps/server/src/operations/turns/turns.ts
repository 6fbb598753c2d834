import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { mapped, renamed } from '../../http/renamed.ts';
import { ok, sessionId, sessionParams, text } from '../../wire/common.ts';
import { imageChoices } from '../../wire/image.ts';
import { bubble } from '../sessions/lifecycle.ts';

const tag = 'Turns and approvals';

export const resume = operation({
  id: 'sessions.resume',
  tag: 'Sessions',
  summary: 'Go on with an interrupted turn, or send the next message',
  method: 'POST',
  path: '/sessions/{sessionId}/resume',
  params: sessionParams,
  body: renamed(
    z
      .strictObject({ messaggio: text.optional(), immagini: imageChoices.optional(), bolla: bubble.optional() })
      .refine(
        ({ messaggio, immagini }) => messaggio !== undefined || immagini === undefined,
        'immagini need messaggio',
      ),
    { messaggio: 'message', immagini: 'images', bolla: 'bubble' },
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

export const pending = operation({
  id: 'turns.pending',
  tag,
  summary: 'The request the session is waiting on',
  method: 'GET',
  path: '/sessions/{sessionId}/pending',
  params: sessionParams,
  answer: json(
    z.object({
      pending: renamed(z.object({ requestId: z.string(), azione: z.record(z.string(), z.unknown()) }), {
        azione: 'action',
      }).nullable(),
    }),
  ),
  headers: { 'Cache-Control': 'private, no-store' },
  handle: async ({ params, services }) => ({ pending: await services.sessions.pending(params.sessionId) }),
});

export const approve = operation({
  id: 'turns.approve',
  tag,
  summary: 'Answer a permission request',
  method: 'POST',
  path: '/sessions/{sessionId}/approve',
  params: sessionParams,
  body: renamed(
    z
      .strictObject({
        requestId: text,
        approvato: z.boolean(),
        ambito: mapped({ cartella: 'folder', percorso: 'path' }).optional(),
        rispostoDa: sessionId.optional(),
        automazioneModificata: text.optional(),
      })
      .refine(({ approvato, ambito }) => approvato || ambito === undefined, 'ambito needs approvato true')
      .refine(
        ({ approvato, ambito, automazioneModificata }) =>
          automazioneModificata === undefined || (!approvato && ambito === undefined),
        'automazioneModificata needs approvato false and no ambito',
      ),
    {
      approvato: 'isApproved',
      ambito: 'scope',
      rispostoDa: 'answeredFrom',
      automazioneModificata: 'changedAutomation',
    },
  ),
  answer: json(ok),
  errors: ['APPROVAL_NOT_PENDING', 'APPROVAL_ANSWER_FORBIDDEN'],
  handle: async ({ params, body: { changedAutomation: _about, ...answer }, services }) => {
    await services.sessions.approve(params.sessionId, answer);
    return { ok: true as const };
  },
});
