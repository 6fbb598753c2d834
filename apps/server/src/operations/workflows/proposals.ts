import { json, view } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import {
  approval,
  commandBody,
  proposalList,
  proposalView,
  revision,
  revisionBody,
} from '../../wire/workflow-proposal.ts';
import { COMMAND_BODY_LIMIT, errors, listQuery, tag, versionRef, versionRoute } from './workflow-requests.ts';

export const readProposal = operation({
  id: 'workflows.proposal',
  tag,
  summary: 'A proposed version of a workflow, for review',
  method: 'GET',
  path: versionRoute.path,
  params: versionRoute.params,
  answer: view(proposalView),
  errors,
  handle: ({ params, services }) => ({ record: services.workflows.proposals.view(versionRef(params)) }),
});

export const listProposals = operation({
  id: 'workflows.proposals',
  tag,
  summary: 'Workflow proposals of a session, newest first',
  method: 'GET',
  path: '/sessions/{sessionId}/workflow-proposals',
  params: sessionParams,
  query: listQuery,
  answer: json(proposalList),
  errors,
  handle: ({ params: { sessionId }, query: page, services }) => ({
    sessionId,
    page,
    found: services.workflows.proposals.list(sessionId, page),
  }),
});

export const approveProposal = operation({
  id: 'workflows.approve',
  tag,
  summary: 'Approve a version as a whole, by its hash',
  method: 'POST',
  path: `${versionRoute.path}/approve`,
  params: versionRoute.params,
  body: commandBody,
  bodyLimit: COMMAND_BODY_LIMIT,
  answer: json(approval),
  errors: [
    ...errors,
    'WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN',
    'WORKFLOW_PROPOSAL_NOT_FOUND',
    'WORKFLOW_DEFINITION_HASH_MISMATCH',
    'WORKFLOW_COMMAND_CONFLICT',
    'WORKFLOW_APPROVAL_CONFLICT',
    'WORKFLOW_STORE_NEEDS_ATTENTION',
  ],
  guards: ['token', 'from-window:WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN'],
  handle: ({ params, body, services }) => services.workflows.proposals.approve({ ...versionRef(params), ...body }),
});

export const reviseProposal = operation({
  id: 'workflows.revise',
  tag,
  summary: 'Create the next version with other budgets',
  method: 'POST',
  path: `${versionRoute.path}/revise`,
  params: versionRoute.params,
  body: revisionBody,
  bodyLimit: COMMAND_BODY_LIMIT,
  refusals: { budgets: 'WORKFLOW_REVISION_INVALID' },
  answer: json(revision, 201),
  errors: [
    ...errors,
    'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN',
    'WORKFLOW_PROPOSAL_NOT_FOUND',
    'WORKFLOW_DEFINITION_HASH_MISMATCH',
    'WORKFLOW_REVISION_INVALID',
    'WORKFLOW_REVISION_EMPTY',
    'WORKFLOW_VERSION_NOT_LATEST',
    'WORKFLOW_ALREADY_STARTED',
    'WORKFLOW_DEFINITION_INVALID',
    'WORKFLOW_STORE_NEEDS_ATTENTION',
  ],
  guards: ['token', 'from-window:WORKFLOW_COMMAND_ORIGIN_FORBIDDEN'],
  handle: ({ params, body, services }) => services.workflows.proposals.revise({ ...versionRef(params), ...body }),
});
