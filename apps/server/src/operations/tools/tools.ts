import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import { sessionToolsAnswer, toolsAnswer } from '../../wire/tool.ts';

const tag = 'Tools and extensions';

export const listTools = operation({
  id: 'tools.list',
  tag,
  summary: 'Tools offered before any session',
  method: 'GET',
  path: '/tools',
  answer: json(toolsAnswer),
  errors: ['REPORT_UNAVAILABLE'],
  handle: async ({ services, language }) => ({ tools: await services.tools.list(), language }),
});

export const sessionTools = operation({
  id: 'sessions.tools',
  tag,
  summary: 'Tools offered to the model in a session',
  method: 'GET',
  path: '/sessions/{sessionId}/tools',
  params: sessionParams,
  answer: json(sessionToolsAnswer),
  handle: async ({ params, services, language }) => ({
    ...(await services.tools.ofSession(params.sessionId)),
    language,
  }),
});
