import * as z from 'zod';
import { forms, stream, view } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams, wholeNumber } from '../../wire/common.ts';
import { runEdges, runGroup, runHistory, runLineage, runOverview, runState } from '../../wire/workflow-graph.ts';
import { output, outputForm, runFrames, runList, runStep, runUpdate } from '../../wire/workflow-run.ts';
import {
  asView,
  edgesQuery,
  edgesRequest,
  errors,
  groupQuery,
  groupRequest,
  historyQuery,
  lineageQuery,
  lineageRequest,
  listQuery,
  runRoute,
  stepId,
  tag,
} from './workflow-requests.ts';

const searched = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .regex(/^\P{Cc}*$/u);

export const listRuns = operation({
  id: 'workflows.runs',
  tag,
  summary: 'The runs of a session, the newest first',
  method: 'GET',
  path: '/sessions/{sessionId}/workflows',
  params: sessionParams,
  query: listQuery.extend({ stato: runState.optional(), q: searched.optional() }),
  answer: view(runList),
  errors,
  handle: ({ params, query: { stato, q, ...page }, services }) => ({
    record: services.workflows.views.runs(params.sessionId, { page, status: stato, text: q }),
  }),
});

export const runGraph = operation({
  id: 'workflows.run.overview',
  tag,
  summary: 'The phases of a run, with the states of their steps',
  method: 'GET',
  path: `${runRoute.path}/graph`,
  params: runRoute.params,
  answer: view(runOverview),
  errors,
  handle: ({ params, services }) => asView(services.workflows.views.overview(params)),
});

export const edgesOfRun = operation({
  id: 'workflows.run.edges',
  tag,
  summary: 'A page of the edges of a run',
  method: 'GET',
  path: `${runRoute.path}/edges`,
  params: runRoute.params,
  query: edgesQuery,
  answer: view(runEdges),
  errors,
  handle: ({ params, query, services }) => asView(services.workflows.views.edges(params, edgesRequest(query))),
});

export const historyOfRun = operation({
  id: 'workflows.run.history',
  tag,
  summary: 'The states a run and its steps went through',
  method: 'GET',
  path: `${runRoute.path}/history`,
  params: runRoute.params,
  query: historyQuery,
  answer: view(runHistory),
  errors,
  handle: ({ params, query, services }) => asView(services.workflows.views.history(params, query)),
});

export const groupOfRun = operation({
  id: 'workflows.run.group',
  tag,
  summary: 'A page of the steps of a phase in a run',
  method: 'GET',
  path: `${runRoute.path}/groups/{groupId}`,
  params: runRoute.params.extend({ groupId: stepId }),
  query: groupQuery,
  answer: view(runGroup),
  errors,
  handle: ({ params: { groupId, ...ref }, query, services }) =>
    asView(services.workflows.views.steps(ref, groupRequest(groupId, query))),
});

const withStep = runRoute.params.extend({ nodeId: stepId });

export const stepOfRun = operation({
  id: 'workflows.run.step',
  tag,
  summary: 'One step of a run, with the beginning of its results',
  method: 'GET',
  path: `${runRoute.path}/nodes/{nodeId}`,
  params: withStep,
  query: z.strictObject({ outputOffset: wholeNumber.pipe(z.int().max(2_000_000)).default(0) }),
  answer: view(runStep),
  errors,
  async handle({ params: { nodeId, ...ref }, query: { outputOffset }, services }) {
    return asView(await services.workflows.views.runStep(ref, { nodeId, outputOffset }));
  },
});

export const lineageOfRun = operation({
  id: 'workflows.run.lineage',
  tag,
  summary: 'The steps before or after a step of a run',
  method: 'GET',
  path: `${runRoute.path}/nodes/{nodeId}/lineage`,
  params: withStep,
  query: lineageQuery,
  answer: view(runLineage),
  errors,
  handle: ({ params: { nodeId, ...ref }, query, services }) =>
    asView(services.workflows.views.lineage(ref, lineageRequest(nodeId, query))),
});

export const outputOfStep = operation({
  id: 'workflows.run.output',
  tag,
  summary: 'Output of a step, verified against its hash',
  method: 'GET',
  path: `${runRoute.path}/nodes/{nodeId}/output`,
  params: withStep,
  query: z.strictObject({
    resultId: z.string().min(1).max(200).optional(),
    format: z.enum(['json', 'raw']).default('json'),
    offset: wholeNumber.optional(),
    limit: wholeNumber.pipe(z.int().min(1)).optional(),
  }),
  answer: forms(output, 'application/octet-stream'),
  errors,
  async handle({ params: { nodeId, ...ref }, query, services }) {
    const found = await services.workflows.views.outputAs(ref, { nodeId, ...query });
    return outputForm({ ...ref, nodeId }, found);
  },
});

export const followRun = operation({
  id: 'workflows.run.events',
  tag,
  summary: 'Live updates of a run',
  method: 'GET',
  path: `${runRoute.path}/events`,
  params: runRoute.params,
  query: z.strictObject({ after: wholeNumber.optional() }),
  answer: stream(runUpdate, { opening: 'ok', keepAlive: 'battito' }),
  errors,
  handle({ params, query: { after = 0 }, resumeAfter, services, signal }) {
    const updates = services.workflows.views.follow(params, { after: resumeAfter ?? after, signal });
    return updates && runFrames(updates);
  },
});
