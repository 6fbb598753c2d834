import * as z from 'zod';
import { forms } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import { outputForm, outputQuery, outputRequest, outputSlice } from '../../wire/process-output.ts';

export const readProcessOutput = operation({
  id: 'sessions.process-output',
  tag: 'Sessions',
  summary: 'Stored output of a command: a window of it, its raw bytes, or the whole stream',
  method: 'GET',
  path: '/sessions/{sessionId}/process-outputs/{outputId}',
  params: sessionParams.extend({ outputId: z.string().min(1).max(200) }),
  query: outputQuery,
  answer: forms(outputSlice, 'application/octet-stream'),
  handle: async ({ params, query, services }) =>
    outputForm(await services.processOutputs.read(params.sessionId, outputRequest(params.outputId, query))),
});
