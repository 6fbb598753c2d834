import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { encoded, renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { modelId, settingsFields, settingsNames, settingsRefusals, toolPermissions } from '../../wire/settings.ts';

/** The tools that stay at `nega`; present only when there are any. */
const settingsChanged = encoded(
  z.object({ updated: z.literal(true), nonUniti: z.array(z.string()).optional() }),
  (notMerged: string[]) => ({ updated: true as const, ...(notMerged.length && { nonUniti: notMerged }) }),
);

const patch = renamed(
  z
    .strictObject({
      ...settingsFields,
      modelloPlanner: modelId.nullable().optional(),
      unisciPermessiPerAttrezzo: toolPermissions.optional(),
      rispettaNega: z.boolean().optional(),
    })
    .refine((fields) => Object.keys(fields).length > 0, 'at least one field'),
  settingsNames,
);

export const changeSettings = operation({
  id: 'sessions.settings',
  tag: 'Sessions',
  summary: 'Change preferences of a session',
  method: 'POST',
  path: '/sessions/{sessionId}/settings',
  params: sessionParams,
  body: patch,
  refusals: settingsRefusals,
  answer: json(settingsChanged),
  errors: [
    'MODEL_ID_INVALID',
    'PERMISSIONS_INVALID',
    'REASONING_INVALID',
    'MODE_WORKFLOW_RETIRED',
    'SESSION_NOT_READY',
    'SESSION_STORE_WRITE_FAILED',
    'PROVIDER_FALLBACK_INVALID',
    'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
    'SESSION_STORE_BUSY',
  ],
  handle: ({ params, body, services }) => services.sessions.changeSettings(params.sessionId, body),
});
