import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { ok, sessionParams, wholeNumber } from '../../wire/common.ts';
import { port, sessionServer } from '../../wire/session-server.ts';

const tag = 'Extensions';
/** Only the window, or a program with the token: what an open port leads to answers every program of the computer. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];

export const listPorts = operation({
  id: 'ext.ports.list',
  tag,
  summary: 'Servers that commands of the session run in the sandbox, and where the user opened them',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/ports',
  params: sessionParams,
  answer: json(z.object({ servers: z.array(sessionServer) })),
  handle: async ({ params, services }) => ({ servers: [...(await services.sessionPorts.list(params.sessionId))] }),
});

export const openPort = operation({
  id: 'ext.ports.open',
  tag,
  summary: 'Open a port of this computer that leads to a server of the session, until it is closed or the server ends',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/ports',
  params: sessionParams,
  body: z.strictObject({ port }),
  answer: json(z.object({ server: sessionServer })),
  guards,
  handle: async ({ params, body, services }) => ({
    server: await services.sessionPorts.open(params.sessionId, body.port),
  }),
});

export const closePort = operation({
  id: 'ext.ports.close',
  tag,
  summary: 'Close the port that leads to a server of the session, with its connections',
  method: 'DELETE',
  path: '/ext/sessions/{sessionId}/ports/{port}',
  params: sessionParams.extend({ port: wholeNumber }),
  answer: json(ok),
  guards,
  handle: async ({ params, services }) => {
    await services.sessionPorts.close(params.sessionId, params.port);
    return { ok: true as const };
  },
});
