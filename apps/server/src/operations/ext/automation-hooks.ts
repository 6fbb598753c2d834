import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { automationHook, automationWatch } from '../../wire/automation-hook.ts';
import { automationParams } from '../automations/common.ts';

const tag = 'Extensions';
/** Who has the secret can start work in a folder of the user's. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const oneHook = json(z.object({ hook: automationHook }));
const oneWatch = json(z.object({ file: automationWatch }));
const bodyLimit = 64 * 1024;

export const readHook = operation({
  id: 'ext.automation-hooks.read',
  tag,
  summary: 'Whether other programs can start an automation, and when one last did',
  method: 'GET',
  path: '/ext/automations/{automationId}/webhook',
  params: automationParams,
  answer: oneHook,
  handle: ({ params, services }) => ({ hook: services.automations.hooks.view(params.automationId) }),
});

export const createHook = operation({
  id: 'ext.automation-hooks.create',
  tag,
  summary: 'Make a new secret with which other programs start an automation; it is shown only here',
  method: 'POST',
  path: '/ext/automations/{automationId}/webhook',
  params: automationParams,
  answer: json(z.object({ segreto: z.string(), hook: automationHook })),
  errors: ['AUTOMATION_LEGACY'],
  guards,
  async handle({ params, services }) {
    const { secret, hook } = await services.automations.hooks.create(params.automationId);
    return { segreto: secret, hook };
  },
});

export const removeHook = operation({
  id: 'ext.automation-hooks.remove',
  tag,
  summary: 'Remove the secret: other programs can no longer start the automation',
  method: 'DELETE',
  path: '/ext/automations/{automationId}/webhook',
  params: automationParams,
  answer: oneHook,
  guards,
  handle: async ({ params, services }) => ({ hook: await services.automations.hooks.remove(params.automationId) }),
});

export const readWatch = operation({
  id: 'ext.automation-files.read',
  tag,
  summary: 'Which changes of files start an automation',
  method: 'GET',
  path: '/ext/automations/{automationId}/files',
  params: automationParams,
  answer: oneWatch,
  handle: ({ params, services }) => ({ file: services.automations.watches.view(params.automationId) }),
});

export const setWatch = operation({
  id: 'ext.automation-files.set',
  tag,
  summary: 'Set which changes of files start an automation, as patterns of .gitignore; null for none',
  method: 'POST',
  path: '/ext/automations/{automationId}/files',
  params: automationParams,
  body: automationWatch,
  answer: oneWatch,
  errors: ['AUTOMATION_INVALID', 'AUTOMATION_LEGACY'],
  guards,
  handle: async ({ params, body, services }) => ({
    file: await services.automations.watches.set(params.automationId, body.patterns),
  }),
});

export const callHook = operation({
  id: 'ext.automation-hooks.call',
  tag,
  summary: 'Start a run, as a program with the secret of the automation; the body goes to the model as data',
  method: 'POST',
  path: '/ext/automations/{automationId}/hook',
  params: automationParams,
  body: z.unknown(),
  bodyLimit,
  answer: json(z.object({ runId: z.string(), sessionId: z.string() }), 202),
  errors: [
    'AUTOMATION_FOLDER_UNAVAILABLE',
    'AUTOMATION_INVALID',
    'AUTOMATION_RUN_IN_PROGRESS',
    'AUTOMATION_RUN_NOT_STARTED',
    'AUTOMATION_SCHEDULE_TOO_FREQUENT',
  ],
  guards: ['hook-secret'],
  handle: ({ params, body, services }) =>
    services.automations.hooks.call(params.automationId, JSON.stringify(body, null, 2)),
});
