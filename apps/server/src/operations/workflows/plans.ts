import { view } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { plannedEdges, plannedGroup, plannedLineage, plannedOverview, plannedStep } from '../../wire/workflow-graph.ts';
import {
  asView,
  edgesQuery,
  edgesRequest,
  errors,
  groupQuery,
  groupRequest,
  lineageQuery,
  lineageRequest,
  stepId,
  tag,
  versionRef,
  versionRoute,
} from './workflow-requests.ts';

export const planOverview = operation({
  id: 'workflows.plan.overview',
  tag,
  summary: 'Phases of a planned workflow and their connections',
  method: 'GET',
  path: `${versionRoute.path}/graph`,
  params: versionRoute.params,
  answer: view(plannedOverview),
  errors,
  handle: ({ params, services }) => asView(services.workflows.views.overview(versionRef(params))),
});

export const planEdges = operation({
  id: 'workflows.plan.edges',
  tag,
  summary: 'A page of the edges of a planned workflow',
  method: 'GET',
  path: `${versionRoute.path}/edges`,
  params: versionRoute.params,
  query: edgesQuery,
  answer: view(plannedEdges),
  errors,
  handle: ({ params, query, services }) =>
    asView(services.workflows.views.edges(versionRef(params), edgesRequest(query))),
});

export const planGroup = operation({
  id: 'workflows.plan.group',
  tag,
  summary: 'A page of the steps of a phase of a planned workflow',
  method: 'GET',
  path: `${versionRoute.path}/groups/{groupId}`,
  params: versionRoute.params.extend({ groupId: stepId }),
  query: groupQuery,
  answer: view(plannedGroup),
  errors,
  handle: ({ params, query, services }) =>
    asView(services.workflows.views.steps(versionRef(params), groupRequest(params.groupId, query))),
});

export const planStep = operation({
  id: 'workflows.plan.step',
  tag,
  summary: 'One step of a planned workflow',
  method: 'GET',
  path: `${versionRoute.path}/nodes/{nodeId}`,
  params: versionRoute.params.extend({ nodeId: stepId }),
  answer: view(plannedStep),
  errors,
  handle: ({ params, services }) => asView(services.workflows.views.plannedStep(versionRef(params), params.nodeId)),
});

export const planLineage = operation({
  id: 'workflows.plan.lineage',
  tag,
  summary: 'The steps before or after a step of a planned workflow',
  method: 'GET',
  path: `${versionRoute.path}/nodes/{nodeId}/lineage`,
  params: versionRoute.params.extend({ nodeId: stepId }),
  query: lineageQuery,
  answer: view(plannedLineage),
  errors,
  handle: ({ params, query, services }) =>
    asView(services.workflows.views.lineage(versionRef(params), lineageRequest(params.nodeId, query))),
});
