import { stream } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { agUiEvent } from '../../wire/ag-ui/event.ts';
import { agUiFrames } from '../../wire/ag-ui/frames.ts';
import { agUiRequest, runAgentInput } from '../../wire/ag-ui/input.ts';

/** Clients send the whole conversation with each run. */
const BODY_BYTES = 32 * 1024 * 1024;

export const runAgUi = operation({
  id: 'ext.ag-ui.run',
  tag: 'Extensions',
  summary: 'Run the agent for a client of the AG-UI protocol',
  method: 'POST',
  path: '/ext/ag-ui',
  bodyLimit: BODY_BYTES,
  body: runAgentInput,
  answer: stream(agUiEvent),
  errors: [
    'MODEL_ID_INVALID',
    'WORKSPACE_NOT_AVAILABLE',
    'SESSION_NOT_READY',
    'APPROVAL_NOT_PENDING',
    'QUESTION_NOT_PENDING',
    'QUESTION_ANSWER_NOT_SAVED',
    'SESSION_STORE_HEADER_FAILED',
    'SESSION_STORE_FS_UNSUPPORTED',
    'SESSION_STORE_BUSY',
    'SERVER_SHUTTING_DOWN',
  ],
  handle: async ({ body, services, signal, language }) =>
    agUiFrames(await services.agUiRun(agUiRequest(body), signal), { ...body, language }),
});
