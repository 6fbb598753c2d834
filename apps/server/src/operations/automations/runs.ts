import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { mapped, renamed } from '../../http/renamed.ts';
import { automation, automationRun, inboxRow } from '../../wire/automation.ts';
import { ok } from '../../wire/common.ts';
import { AUTOMATION_ERRORS, automationParams, guards, runParams, tag } from './common.ts';

const refusals = {
  automationId: 'AUTOMATION_INVALID',
  runId: 'AUTOMATION_INVALID',
  contesto: 'AUTOMATION_INVALID',
  decisione: 'AUTOMATION_INVALID',
} as const;

export const runAutomation = operation({
  tag,
  guards,
  id: 'automations.run',
  summary: 'Run an automation now',
  method: 'POST',
  path: '/automations/{automationId}/esegui',
  params: automationParams,
  body: renamed(z.strictObject({ contesto: z.string().max(4_000).optional() }), { contesto: 'context' }),
  refusals,
  answer: json(ok.extend({ runId: z.string(), sessionId: z.string() })),
  errors: [
    ...AUTOMATION_ERRORS,
    'AUTOMATION_RUN_IN_PROGRESS',
    'AUTOMATION_RUN_NOT_STARTED',
    'AUTOMATION_LEGACY',
    'AUTOMATION_FOLDER_UNAVAILABLE',
    'SERVER_SHUTTING_DOWN',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.automations.runNow(params.automationId, body.context)),
  }),
});

export const stopAutomation = operation({
  tag,
  guards,
  id: 'automations.stop',
  summary: 'Stop the run in progress',
  method: 'POST',
  path: '/automations/{automationId}/ferma',
  params: automationParams,
  refusals,
  answer: json(ok),
  errors: [...AUTOMATION_ERRORS, 'AUTOMATION_NO_RUN_IN_PROGRESS'],
  handle: async ({ params, services }) => {
    await services.automations.stop(params.automationId);
    return { ok: true as const };
  },
});

export const automationRuns = operation({
  tag,
  id: 'automations.runs',
  summary: 'Runs of an automation, newest first',
  method: 'GET',
  path: '/automations/{automationId}/runs',
  params: automationParams,
  answer: json(z.object({ items: z.array(automationRun) })),
  handle: async ({ params, services }) => ({ items: await services.automations.runs(params.automationId) }),
});

export const automationInbox = operation({
  tag,
  id: 'automations.inbox',
  summary: 'Inbox: unread runs with a result',
  method: 'GET',
  path: '/automations/inbox',
  answer: json(z.object({ items: z.array(inboxRow) })),
  handle: async ({ services }) => ({ items: await services.automations.inbox() }),
});

export const readAutomationRun = operation({
  tag,
  guards,
  id: 'automations.mark-read',
  summary: 'Mark a run as read',
  method: 'POST',
  path: '/automations/{automationId}/runs/{runId}/letta',
  params: runParams,
  refusals,
  answer: json(automationRun),
  errors: AUTOMATION_ERRORS,
  handle: ({ params, services }) => services.automations.markRead(params.automationId, params.runId),
});

const decision = renamed(z.strictObject({ decisione: mapped({ approva: 'approve', scarta: 'discard' }) }), {
  decisione: 'decision',
});

export const decideProposal = operation({
  tag,
  guards,
  id: 'automations.decide-proposal',
  summary: 'Approve or discard the instructions a run proposed',
  method: 'POST',
  path: '/automations/{automationId}/runs/{runId}/proposta',
  params: runParams,
  body: decision,
  refusals,
  answer: json(renamed(z.object({ voce: automation, giro: automationRun }), { voce: 'automation', giro: 'run' })),
  errors: [
    ...AUTOMATION_ERRORS,
    'AUTOMATION_PROPOSAL_NOT_FOUND',
    'AUTOMATION_PROPOSAL_DECIDED',
    'AUTOMATION_PROPOSAL_STALE',
  ],
  handle: ({ params, body, services }) => services.automations.decide(params.automationId, params.runId, body.decision),
});
