import type { TaskTemplate } from '@fucina/host';
import type { Language } from '@fucina/shared/sentences';
import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { encoded, renamed } from '../../http/renamed.ts';
import { text } from '../../wire/common.ts';
import { modelId, settingsFields, settingsNames, settingsRefusals } from '../../wire/settings.ts';

const tag = 'Sessions';

const DIFFICULTIES: Record<TaskTemplate['difficulty'], Record<Language, string>> = {
  easy: { it: 'facile', en: 'easy' },
  medium: { it: 'media', en: 'medium' },
  hard: { it: 'difficile', en: 'hard' },
};

interface TemplatesAnswer {
  templates: readonly TaskTemplate[];
  language: Language;
}

const templates = encoded(
  z.object({
    items: z.array(
      z
        .object({ id: z.string(), progetto: z.string(), difficolta: z.string(), consegnaCorta: z.string() })
        .meta({ id: 'TaskTemplate' }),
    ),
  }),
  (answer: TemplatesAnswer) => ({
    items: answer.templates.map(({ id, project, difficulty, words }) => ({
      id,
      progetto: project,
      difficolta: DIFFICULTIES[difficulty][answer.language],
      consegnaCorta: words[answer.language].short,
    })),
  }),
);

export const listTemplates = operation({
  id: 'templates.list',
  tag,
  summary: 'Task templates a new session can start from',
  method: 'GET',
  path: '/tasks',
  answer: json(templates),
  errors: ['TASK_CATALOG_UNAVAILABLE'],
  handle: async ({ services, language }) => ({ templates: await services.files.templates.list(), language }),
});

const newTask = renamed(
  z
    .strictObject({
      taskId: text,
      client: z.enum(['desktop', 'mobile']).optional(),
      ...settingsFields,
      modelloPlanner: modelId.optional(),
      provider: z.enum(['cloud', 'local']).optional(),
      runtimeId: text.optional(),
      modelId: text.optional(),
      fallbackConsent: z.boolean().optional(),
    })
    .refine(
      ({ provider, runtimeId, modelId: model }) => provider !== 'local' || (runtimeId && model),
      'provider local needs runtimeId and modelId',
    )
    .refine(
      ({ provider, ...rest }) =>
        provider === 'local' || [rest.runtimeId, rest.modelId, rest.fallbackConsent].every((one) => one === undefined),
      'runtimeId, modelId and fallbackConsent need provider local',
    ),
  settingsNames,
);

export const createFromTask = operation({
  id: 'sessions.create-from-task',
  tag,
  summary: 'Start a session from a task template',
  method: 'POST',
  path: '/sessions',
  body: newTask,
  refusals: settingsRefusals,
  answer: json(z.object({ sessionId: z.string() })),
  errors: [
    'MODEL_ID_INVALID',
    'PERMISSIONS_INVALID',
    'REASONING_INVALID',
    'MODE_WORKFLOW_RETIRED',
    'TASK_NOT_ALLOWED',
    'TASK_CATALOG_UNAVAILABLE',
    'PROVIDER_FALLBACK_INVALID',
    'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
    'SESSION_NOT_READY',
    'SESSION_STORE_HEADER_FAILED',
    'SESSION_STORE_FS_UNSUPPORTED',
    'SERVER_SHUTTING_DOWN',
    'RUNTIME_NOT_AVAILABLE',
    'MODEL_NOT_FOUND',
  ],
  handle: ({ body, services, language }) => services.startTemplate({ ...body, callerLanguage: language }),
});
