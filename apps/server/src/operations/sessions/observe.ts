import * as z from 'zod';
import { json, stream } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { agentTimeline, childAgents } from '../../wire/agents.ts';
import { sessionParams, wholeNumber } from '../../wire/common.ts';
import { ledger } from '../../wire/ledger.ts';
import { metrics } from '../../wire/metrics.ts';
import { sessionEvent } from '../../wire/session-event.ts';
import { sessionFrames } from '../../wire/session-frames.ts';

const tag = 'Sessions';

export const followSession = operation({
  id: 'sessions.events',
  tag,
  summary: 'Live event stream of a session',
  method: 'GET',
  path: '/sessions/{sessionId}/events',
  params: sessionParams,
  answer: stream(sessionEvent),
  handle: ({ params, services, signal, resumeAfter = 0 }) =>
    sessionFrames(services.sessions.follow(params.sessionId, resumeAfter, signal)),
});

export const readMetrics = operation({
  id: 'sessions.metrics',
  tag,
  summary: 'Metrics of a session',
  method: 'GET',
  path: '/sessions/{sessionId}/metrics',
  params: sessionParams,
  query: z.strictObject({ eta: wholeNumber.optional() }),
  answer: json(metrics),
  handle: ({ params, query, services }) => services.sessions.metrics(params.sessionId, query.eta),
});

export const readProcesses = operation({
  id: 'sessions.processes',
  tag,
  summary: 'Ledger of commands run',
  method: 'GET',
  path: '/sessions/{sessionId}/processes',
  params: sessionParams,
  answer: json(ledger),
  handle: ({ params, services }) => services.sessions.ledger(params.sessionId),
});

export const stopProcess = operation({
  id: 'sessions.stop-process',
  tag,
  summary: 'Stop one command; the turn continues',
  method: 'POST',
  path: '/sessions/{sessionId}/processes/{processeId}/stop',
  params: sessionParams.extend({ processeId: z.string().min(1).max(200) }),
  answer: json(z.object({ stopped: z.literal(true) })),
  errors: ['PROCESS_NOT_RUNNING'],
  handle: async ({ params, services }) => {
    await services.sessions.stopProcess(params.sessionId, params.processeId);
    return { stopped: true as const };
  },
});

export const sendToBackground = operation({
  id: 'sessions.background-process',
  tag,
  summary: 'Move a running command to the background',
  method: 'POST',
  path: '/sessions/{sessionId}/processes/{processeId}/sfondo',
  params: sessionParams.extend({ processeId: z.string().min(1).max(200) }),
  answer: json(z.object({ backgrounded: z.literal(true) })),
  errors: ['PROCESS_NOT_RUNNING'],
  handle: async ({ params, services }) => {
    await services.sessions.sendToBackground(params.sessionId, params.processeId);
    return { backgrounded: true as const };
  },
});

export const listChildren = operation({
  id: 'sessions.children',
  tag,
  summary: 'Agents started by the session, with their state',
  method: 'GET',
  path: '/sessions/{sessionId}/children',
  params: sessionParams,
  answer: json(childAgents),
  handle: ({ params, services }) => services.sessions.agents.children(params.sessionId),
});

export const readTimeline = operation({
  id: 'sessions.agent-timeline',
  tag,
  summary: 'Timeline of the agents of a conversation',
  method: 'GET',
  path: '/sessions/{sessionId}/agent-timeline',
  params: sessionParams,
  query: z.strictObject({
    after: wholeNumber.optional(),
    through: wholeNumber.optional(),
    limit: wholeNumber.optional(),
  }),
  answer: json(agentTimeline),
  handle: ({ params, query, services }) => services.sessions.agents.timeline(params.sessionId, query),
});
