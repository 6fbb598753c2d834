import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import { improvedPrompt, promptToImprove } from '../../wire/improved-prompt.ts';

export const improvePrompt = operation({
  id: 'sessions.improve-prompt',
  tag: 'Sessions',
  summary: "Rewrite a prompt with the session's model, without sending it",
  method: 'POST',
  path: '/sessions/{sessionId}/migliora-prompt',
  params: sessionParams,
  body: promptToImprove,
  bodyLimit: 64 * 1024,
  answer: json(improvedPrompt),
  errors: ['PROVIDER_RUNTIME_UNAVAILABLE', 'RUNTIME_NOT_AVAILABLE'],
  handle: ({ params, body, services, signal }) =>
    services.sessionPrompts.improve(params.sessionId, { ...body, signal }),
});
