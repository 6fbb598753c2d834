import type { AnyAutomation, Services } from '@fucina/host';
import * as z from 'zod';
import { items, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import {
  automation,
  automationPatch,
  automationRefusals,
  newAutomation,
  type ShownAutomation,
} from '../../wire/automation.ts';
import { ok } from '../../wire/common.ts';
import { AUTOMATION_ERRORS, automationParams, guards, tag } from './common.ts';

const SCHEDULE_ERRORS = [
  'AUTOMATION_SCHEDULE_INVALID',
  'AUTOMATION_SCHEDULE_TOO_FREQUENT',
  'AUTOMATION_SCHEDULE_PAST',
  'AUTOMATION_CRON_FIELDS',
  'AUTOMATION_CRON_INVALID',
  'AUTOMATION_TIMEZONE_INVALID',
  'AUTOMATION_FOLDER_UNAVAILABLE',
] as const;
const bodyLimit = 256 * 1024;

export const listAutomations = operation({
  tag,
  id: 'automations.list',
  summary: 'Automations, oldest first',
  method: 'GET',
  path: '/automations',
  answer: items(automation),
  handle: async ({ services }) => {
    const records = await services.automations.list();
    return Promise.all(records.map((record) => withModelProblem(services.automations, record)));
  },
});

export const createAutomation = operation({
  tag,
  guards,
  id: 'automations.create',
  summary: 'Create an automation',
  method: 'POST',
  path: '/automations',
  body: newAutomation,
  bodyLimit,
  refusals: automationRefusals,
  answer: json(automation),
  errors: [...AUTOMATION_ERRORS, ...SCHEDULE_ERRORS, 'TASK_NOT_ALLOWED', 'TASK_CATALOG_UNAVAILABLE'],
  handle: async ({ body, services: { automations } }) =>
    withModelProblem(automations, await automations.make(body, { kind: 'window' })),
});

export const toggleAutomation = operation({
  tag,
  guards,
  id: 'automations.toggle',
  summary: 'Turn on or off',
  method: 'POST',
  path: '/automations/{automationId}/toggle',
  params: automationParams,
  body: renamed(z.strictObject({ attiva: z.boolean() }), { attiva: 'isOn' }),
  refusals: { ...automationRefusals, attiva: 'AUTOMATION_INVALID' },
  answer: json(automation),
  errors: AUTOMATION_ERRORS,
  handle: async ({ params, body, services: { automations } }) =>
    withModelProblem(automations, await automations.toggle(params.automationId, body.isOn)),
});

export const setCoordination = operation({
  tag,
  guards,
  id: 'automations.coordination',
  summary: 'Allow or forbid its next runs to start agents',
  method: 'POST',
  path: '/automations/{automationId}/coordinazione',
  params: automationParams,
  body: z.strictObject({ coordinazione: z.boolean() }),
  refusals: automationRefusals,
  answer: json(automation),
  errors: AUTOMATION_ERRORS,
  handle: async ({ params, body, services: { automations } }) =>
    withModelProblem(automations, await automations.setCoordination(params.automationId, body.coordinazione)),
});

export const deleteAutomation = operation({
  tag,
  guards,
  id: 'automations.delete',
  makesRoom: true,
  summary: 'Delete an automation and stop its run',
  method: 'POST',
  path: '/automations/{automationId}/elimina',
  params: automationParams,
  refusals: automationRefusals,
  answer: json(ok),
  errors: AUTOMATION_ERRORS,
  handle: async ({ params, services }) => {
    await services.automations.remove(params.automationId);
    return { ok: true as const };
  },
});

export const changeAutomation = operation({
  tag,
  guards,
  id: 'automations.change',
  summary: 'Change the sent fields of an automation',
  method: 'POST',
  path: '/automations/{automationId}/modifica',
  params: automationParams,
  body: automationPatch,
  bodyLimit,
  refusals: automationRefusals,
  answer: json(automation),
  errors: [...AUTOMATION_ERRORS, ...SCHEDULE_ERRORS, 'AUTOMATION_LEGACY'],
  handle: async ({ params, body, services: { automations } }) =>
    withModelProblem(automations, await automations.change(params.automationId, body)),
});

async function withModelProblem(automations: Services['automations'], record: AnyAutomation): Promise<ShownAutomation> {
  return { ...record, modelProblem: await automations.modelProblem(record) };
}
