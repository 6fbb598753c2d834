import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { controlBody, controlResult, replayed, retryPreview, startResult } from '../../wire/workflow-control.ts';
import { commandBody } from '../../wire/workflow-proposal.ts';
import { COMMAND_BODY_LIMIT, errors, run, tag, version, versionRef } from './workflow-requests.ts';

const guards = ['token', 'from-window:WORKFLOW_COMMAND_ORIGIN_FORBIDDEN'] as const;
const controlErrors = [
  ...errors,
  'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN',
  'WORKFLOW_RUNTIME_NOT_READY',
  'WORKFLOW_RUN_STATE_CONFLICT',
  'WORKFLOW_COMMAND_CONFLICT',
  'WORKFLOW_STORE_NEEDS_ATTENTION',
] as const;

export const startVersion = operation({
  id: 'workflows.start',
  tag,
  summary: 'Start an approved version; each version can start once',
  method: 'POST',
  path: `${version.path}/start`,
  params: version.params,
  body: commandBody,
  bodyLimit: COMMAND_BODY_LIMIT,
  answer: json(startResult, 202),
  errors: [
    ...errors,
    'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN',
    'WORKFLOW_RUNTIME_NOT_READY',
    'WORKFLOW_PROPOSAL_NOT_FOUND',
    'WORKFLOW_DEFINITION_HASH_MISMATCH',
    'WORKFLOW_DEFINITION_NOT_APPROVED',
    'WORKFLOW_VERSION_SUPERSEDED',
    'WORKFLOW_VERSION_NOT_LATEST',
    'WORKFLOW_ALREADY_STARTED',
    'WORKFLOW_START_UNSUPPORTED',
    'WORKFLOW_COMMAND_CONFLICT',
    'WORKFLOW_STORE_NEEDS_ATTENTION',
    'SERVER_SHUTTING_DOWN',
  ],
  guards,
  headersOf: replayed,
  handle: ({ params, body, services }) => services.workflows.runs.start({ ...versionRef(params), ...body }),
});

/** What the four commands to a run have in common. */
const control = {
  tag,
  method: 'POST',
  params: run.params,
  body: controlBody,
  bodyLimit: COMMAND_BODY_LIMIT,
  answer: json(controlResult, 202),
  errors: controlErrors,
  guards,
  headersOf: replayed,
} as const;

export const pauseRun = operation({
  ...control,
  id: 'workflows.run.pause',
  summary: 'Pause a run after its current steps',
  path: `${run.path}/pause`,
  handle: ({ params, body, services }) => services.workflows.runs.pause({ ...params, ...body }),
});

export const resumeRun = operation({
  ...control,
  id: 'workflows.run.resume',
  summary: 'Resume a paused run',
  path: `${run.path}/resume`,
  errors: [...controlErrors, 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, body, services }) => services.workflows.runs.resume({ ...params, ...body }),
});

export const cancelRun = operation({
  ...control,
  id: 'workflows.run.cancel',
  summary: 'Cancel a run; its agents are stopped',
  path: `${run.path}/cancel`,
  handle: ({ params, body, services }) => services.workflows.runs.cancel({ ...params, ...body }),
});

export const retryRun = operation({
  ...control,
  id: 'workflows.run.retry',
  summary: 'Retry the failed steps of a stopped run, and the steps that depend on them',
  path: `${run.path}/retry`,
  errors: [...controlErrors, 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, body, services }) => services.workflows.runs.retry({ ...params, ...body }),
});

export const previewRetry = operation({
  id: 'workflows.run.retry-preview',
  tag,
  summary: 'Preview what a retry of a run would repeat',
  method: 'GET',
  path: `${run.path}/retry-preview`,
  params: run.params,
  answer: json(retryPreview),
  errors: [...errors, 'WORKFLOW_RUNTIME_NOT_READY'],
  handle: ({ params, services }) => services.workflows.runs.retryPreview(params),
});
