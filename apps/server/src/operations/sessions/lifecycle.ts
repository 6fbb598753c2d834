import * as z from 'zod';
import { items, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok, prose, sessionParams, text } from '../../wire/common.ts';
import { imageChoices } from '../../wire/image.ts';
import { sessionExport, sessionRow } from '../../wire/session.ts';
import { modelId, settingsFields, settingsNames, settingsRefusals } from '../../wire/settings.ts';

const tag = 'Sessions';

export const messageRecord = z.record(z.string(), z.unknown());

const newSession = renamed(
  z
    .strictObject({
      cartellaId: text.optional(),
      cartellaLibera: z.string().min(1).max(4_096).optional(),
      workspaceLaunchId: z
        .string()
        .regex(/^[A-Za-z0-9_-]{32}$/)
        .optional(),
      consegna: prose,
      comandoProva: prose.optional(),
      immagini: imageChoices.optional(),
      bolla: messageRecord.optional(),
      client: z.enum(['desktop', 'mobile']).optional(),
      ...settingsFields,
      modelloPlanner: modelId.optional(),
    })
    .refine(
      ({ cartellaId, cartellaLibera, workspaceLaunchId }) =>
        [cartellaId, cartellaLibera, workspaceLaunchId].filter((way) => way !== undefined).length === 1,
      'exactly one of cartellaId, cartellaLibera and workspaceLaunchId',
    ),
  {
    ...settingsNames,
    cartellaId: 'projectId',
    cartellaLibera: 'folder',
    workspaceLaunchId: 'launchId',
    consegna: 'message',
    comandoProva: 'testCommand',
    immagini: 'images',
    bolla: 'bubble',
  },
);

export const createSession = operation({
  id: 'sessions.create-custom',
  tag,
  summary: 'Start a free session on a folder',
  method: 'POST',
  path: '/sessions/custom',
  body: newSession,
  refusals: settingsRefusals,
  answer: json(z.object({ sessionId: z.string() })),
  errors: [
    'MODEL_ID_INVALID',
    'PERMISSIONS_INVALID',
    'REASONING_INVALID',
    'MODE_WORKFLOW_RETIRED',
    'WORKSPACE_NOT_AVAILABLE',
    'WORKSPACE_LAUNCH_NOT_AVAILABLE',
    'PROVIDER_FALLBACK_INVALID',
    'PROVIDER_FALLBACK_TOOLS_UNSUPPORTED',
    'SESSION_NOT_READY',
    'SESSION_STORE_HEADER_FAILED',
    'SESSION_STORE_FS_UNSUPPORTED',
    'SERVER_SHUTTING_DOWN',
  ],
  handle: ({ body, services }) => services.startSession(body),
});

/** Beyond the interface: only the sessions that match the text, each with the location (`trovato`). */
const SEARCH_HEADER = 'x-svc-cerca';

export const listSessions = operation({
  id: 'sessions.list',
  tag,
  summary: 'All sessions, newest first',
  method: 'GET',
  path: '/sessions',
  requestHeaders: { [SEARCH_HEADER]: z.string().trim().min(1).max(200) },
  answer: items(sessionRow),
  handle: ({ services, asked }) => services.sessions.search(asked[SEARCH_HEADER]),
});

export const deleteSession = operation({
  id: 'sessions.delete',
  makesRoom: true,
  tag,
  summary: 'Delete a session',
  method: 'POST',
  path: '/sessions/{sessionId}/delete',
  params: sessionParams,
  answer: json(
    ok.extend({
      workflowEliminati: z.number().int(),
      workflowNonEliminati: z.array(z.object({ runId: z.string(), code: z.string() })),
    }),
  ),
  errors: [
    'WORKFLOW_RUN_NOT_FINISHED',
    'SESSION_STILL_RUNNING',
    'SESSION_STORE_DELETE_FAILED',
    'SESSION_NOT_READY',
    'SESSION_STORE_BUSY',
  ],
  handle: async ({ params, services }) => {
    const { removedRuns, keptRuns } = await services.removeSession(params.sessionId);
    return { ok: true as const, workflowEliminati: removedRuns.length, workflowNonEliminati: keptRuns };
  },
});

export const renameSession = operation({
  id: 'sessions.rename',
  tag,
  summary: 'Rename a session',
  method: 'POST',
  path: '/sessions/{sessionId}/rename',
  params: sessionParams,
  body: renamed(z.strictObject({ nome: z.string().max(400) }), { nome: 'name' }),
  answer: json(ok),
  errors: ['SESSION_STORE_WRITE_FAILED', 'SESSION_STORE_BUSY'],
  handle: async ({ params, body, services }) => {
    await services.sessions.rename(params.sessionId, body.name);
    return { ok: true as const };
  },
});

export const exportSession = operation({
  id: 'sessions.export',
  tag,
  summary: 'The whole session as one JSON document',
  method: 'GET',
  path: '/sessions/{sessionId}/export',
  params: sessionParams,
  answer: json(sessionExport),
  handle: ({ params, services }) => services.sessions.export(params.sessionId),
});
