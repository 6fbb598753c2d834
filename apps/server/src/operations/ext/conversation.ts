import * as z from 'zod';
import { bytes, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import { diagramPage } from '../../wire/diagram-page.ts';
import { instructionSource } from '../../wire/instruction-source.ts';
import { suggestedTitle, turnTimes } from '../../wire/turn-times.ts';
import { tracedTurn, turnTrace } from '../../wire/turn-trace.ts';

const tag = 'Extensions';

export const listTurnTimes = operation({
  id: 'ext.turns.times',
  tag,
  summary: 'When the turns of a session started and ended',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/times',
  params: sessionParams,
  answer: json(z.object({ giri: z.array(turnTimes) })),
  handle: async ({ params, services }) => ({ giri: [...(await services.sessions.turnTimes(params.sessionId))] }),
});

export const readTurnTrace = operation({
  id: 'ext.turns.trace',
  tag,
  summary: 'What a turn spent its time on: model calls, tools, waits for the user, sub-agents',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/trace',
  params: sessionParams,
  query: tracedTurn,
  answer: json(z.object({ traccia: turnTrace })),
  handle: async ({ params, query, services }) => ({
    traccia: await services.sessions.turnTrace(params.sessionId, query.reference),
  }),
});

export const tryNow = operation({
  id: 'ext.turns.try-now',
  tag,
  summary: 'End the wait before a retry of the model: it is asked at once',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/try-now',
  params: sessionParams,
  answer: json(z.object({ sessionId: z.string() })),
  errors: ['SESSION_NOT_READY'],
  handle({ params: { sessionId }, services }) {
    services.sessions.turns.tryNow(sessionId);
    return { sessionId };
  },
});

export const listInstructions = operation({
  id: 'ext.sessions.instructions',
  tag,
  summary: 'The files with instructions in the folder of a session, by precedence',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/instructions',
  params: sessionParams,
  answer: json(z.object({ istruzioni: z.array(instructionSource) })),
  handle: async ({ params, services }) => ({
    istruzioni: [...(await services.sessions.instructions(params.sessionId))],
  }),
});

export const suggestTitle = operation({
  id: 'ext.sessions.suggest-title',
  tag,
  summary: 'Name a session without a name after its first message, with its model',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/title',
  params: sessionParams,
  answer: json(suggestedTitle),
  errors: [
    'SESSION_MODEL_UNKNOWN',
    'PROVIDER_KEY_REQUIRED',
    'RUNTIME_NOT_AVAILABLE',
    'MODEL_CALL_FAILED',
    'SESSION_STORE_BUSY',
    'SESSION_STORE_WRITE_FAILED',
  ],
  handle: ({ params, services, signal }) => services.sessionTitles.suggest(params.sessionId, signal),
});

export const diagramRenderer = operation({
  id: 'ext.pages.diagrams',
  tag,
  summary: 'The sandboxed page that draws the diagrams of a conversation',
  method: 'GET',
  path: '/ext/pages/diagrams',
  answer: bytes('text/html; charset=utf-8'),
  handle: ({ nonce }) => diagramPage(nonce()),
});
