import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { mapped, renamed } from '../../http/renamed.ts';
import { pendingCard } from '../../wire/card.ts';
import { ok, sessionId, sessionParams, text } from '../../wire/common.ts';

const tag = 'Turns and approvals';
const PLAN_BODY_LIMIT = 32 * 1024;

export const pending = operation({
  id: 'turns.pending',
  tag,
  summary: 'The pending request of a session',
  method: 'GET',
  path: '/sessions/{sessionId}/pending',
  params: sessionParams,
  answer: json(z.object({ pending: pendingCard.nullable() })),
  headers: { 'Cache-Control': 'private, no-store' },
  handle: async ({ params, services }) => ({ pending: await services.sessions.requests.pending(params.sessionId) }),
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
    await services.sessions.requests.approve(params.sessionId, answer);
    return { ok: true as const };
  },
});

const answers = z.record(z.string().max(64), z.union([z.string().max(4_000), z.array(z.string().max(4_000)).max(5)]));

export const answerQuestion = operation({
  id: 'turns.question',
  tag,
  summary: 'Answer a question asked by the agent',
  method: 'POST',
  path: '/sessions/{sessionId}/question',
  params: sessionParams,
  body: renamed(
    z
      .strictObject({
        requestId: text,
        status: z.enum(['answered', 'skipped', 'cancelled', 'expired']),
        answers: answers.optional(),
        skipped: z.array(z.string().max(64)).max(4).optional(),
        notes: z.record(z.string().max(64), z.string().max(1_000)).optional(),
        rispostoDa: sessionId.optional(),
      })
      .refine(
        ({ status, answers: given }) => (status === 'answered') === (given !== undefined),
        'answers with answered',
      ),
    { rispostoDa: 'answeredFrom' },
  ),
  answer: json(ok),
  errors: ['QUESTION_NOT_PENDING', 'QUESTION_ANSWER_FORBIDDEN', 'QUESTION_ANSWER_NOT_SAVED'],
  handle: async ({ params, body, services }) => {
    await services.sessions.requests.answer(params.sessionId, body);
    return { ok: true as const };
  },
});

export const decidePlan = operation({
  id: 'turns.plan-decision',
  tag,
  summary: 'Approve or reject a plan',
  method: 'POST',
  path: '/sessions/{sessionId}/plan-decision',
  params: sessionParams,
  guards: ['token', 'from-window:PLAN_APPROVAL_ORIGIN_FORBIDDEN'],
  bodyLimit: PLAN_BODY_LIMIT,
  body: renamed(
    z
      .strictObject({
        requestId: text,
        decisione: z.enum([
          'procedi-con-conferma',
          'procedi-accetta-modifiche',
          'conversazione-pulita',
          'continua-a-pianificare',
        ]),
        hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
        feedback: z.string().max(4_000).optional(),
      })
      .refine(
        ({ decisione, feedback }) => feedback === undefined || decisione === 'continua-a-pianificare',
        'feedback only with continua-a-pianificare',
      ),
    { decisione: 'decision' },
  ),
  answer: json(ok),
  errors: ['PLAN_APPROVAL_ORIGIN_FORBIDDEN', 'PLAN_NOT_PENDING', 'PLAN_STALE', 'PLAN_DECISION_NOT_SAVED'],
  handle: async ({ params, body, services }) => {
    await services.sessions.requests.decide(params.sessionId, body);
    return { ok: true as const };
  },
});
