import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok, prose, sessionParams } from '../../wire/common.ts';

const tag = 'Turns and approvals';
const place = z.enum(['wsl2', 'windows']).nullable();

export const runUserCommand = operation({
  id: 'turns.shell',
  tag,
  summary: 'Run a command of the user in the session folder',
  method: 'POST',
  path: '/sessions/{sessionId}/shell',
  params: sessionParams,
  body: renamed(z.strictObject({ comando: prose.max(100_000) }), { comando: 'command' }),
  answer: json(ok),
  errors: ['SESSION_NOT_READY', 'SERVER_SHUTTING_DOWN'],
  handle: async ({ params, body, services }) => {
    await services.sessions.commands.run(params.sessionId, body.command);
    return { ok: true as const };
  },
});

export const choosePlace = operation({
  id: 'turns.command-place',
  tag,
  summary: "Where the user's commands of a session run",
  method: 'POST',
  path: '/sessions/{sessionId}/dove-girano-i-comandi',
  params: sessionParams,
  body: z.strictObject({ dove: place }),
  refusals: { dove: 'DOVE_NON_VALIDO' },
  answer: json(ok.extend({ dove: place })),
  errors: ['DOVE_NON_VALIDO'],
  handle: async ({ params, body, services }) => {
    await services.sessions.commands.choosePlace(params.sessionId, body.dove);
    return { ok: true as const, dove: body.dove };
  },
});

export const reportToModel = operation({
  id: 'turns.commands-told',
  tag,
  summary: "Whether the user's commands are shared with the model",
  method: 'POST',
  path: '/sessions/{sessionId}/comandi-nella-conversazione',
  params: sessionParams,
  body: z.strictObject({ acceso: z.boolean() }),
  refusals: { acceso: 'SCELTA_NON_VALIDA' },
  answer: json(ok.extend({ acceso: z.boolean() })),
  errors: ['SCELTA_NON_VALIDA'],
  handle: async ({ params, body, services }) => {
    await services.sessions.commands.tellModel(params.sessionId, body.acceso);
    return { ok: true as const, acceso: body.acceso };
  },
});

export const commandSettings = operation({
  id: 'turns.command-settings',
  tag,
  summary: "Where the user's commands run, and whether they are shared with the model",
  method: 'GET',
  path: '/sessions/{sessionId}/impostazioni-comandi',
  params: sessionParams,
  answer: json(
    renamed(z.object({ dove: place, comandiNellaConversazione: z.boolean() }), {
      dove: 'place',
      comandiNellaConversazione: 'isReported',
    }),
  ),
  handle: ({ params, services }) => services.sessions.commands.settings(params.sessionId),
});
