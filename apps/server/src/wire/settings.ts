import { GATED_TOOLS, PERMISSION_LEVELS, REASONING_EFFORTS, REASONING_SUMMARIES } from '@fucina/shared';
import * as z from 'zod';
import { mapped } from '../http/renamed.ts';

/** The settings of a session, as creation and change take them. */
/** Only a length limit here: the providers validate the id (MODEL_ID_INVALID). */
export const modelId = z.string().min(1).max(240);
export const reasoning = z
  .strictObject({ effort: z.enum(REASONING_EFFORTS), summary: z.enum(REASONING_SUMMARIES) })
  .partial()
  .refine((choice) => Object.keys(choice).length > 0, 'at least one of effort and summary');
export const permissions = z.enum(PERMISSION_LEVELS);
export const mode = mapped({ normale: 'normal', piano: 'plan' });
export const language = z.enum(['it', 'en']);

const choice = mapped({ sempre: 'always', chiedi: 'ask', nega: 'deny' });
export const toolPermissions = z
  .strictObject(
    Object.fromEntries(GATED_TOOLS.map((tool) => [tool, choice])) as Record<
      (typeof GATED_TOOLS)[number],
      typeof choice
    >,
  )
  .partial()
  .refine((map) => Object.keys(map).length > 0, 'at least one tool');

export const fallbackProviders = z
  .array(z.strictObject({ provider: z.string().min(1).max(32), model: z.string().min(1).max(200) }))
  .max(8);

const retiredMode = (value: unknown) => (value === 'workflow' ? 'MODE_WORKFLOW_RETIRED' : 'QUERY_INVALID');

/** The error code of each field. */
export const settingsRefusals = {
  modello: 'MODEL_ID_INVALID',
  modelloPlanner: 'MODEL_ID_INVALID',
  reasoning: 'REASONING_INVALID',
  permessi: 'PERMISSIONS_INVALID',
  modalitaOperativa: retiredMode,
} as const;

export const settingsNames = {
  modello: 'model',
  modelloPlanner: 'plannerModel',
  permessi: 'permissions',
  permessiPerAttrezzo: 'toolPermissions',
  unisciPermessiPerAttrezzo: 'mergedToolPermissions',
  rispettaNega: 'keepsDenied',
  modalitaOperativa: 'mode',
  linguaInterfaccia: 'language',
} as const;

/** Fields shared by creation and change. */
export const settingsFields = {
  modello: modelId.optional(),
  reasoning: reasoning.optional(),
  permessi: permissions.optional(),
  permessiPerAttrezzo: toolPermissions.optional(),
  fallbackProviders: fallbackProviders.optional(),
  modalitaOperativa: mode.optional(),
  linguaInterfaccia: language.optional(),
};
