import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { controlBody, controlResult, replayed, retryPreview, startResult } from '../../wire/workflow-control.ts';
import { commandBody } from '../../wire/workflow-proposal.ts';
import { COMMAND_BODY_LIMIT, errors, runRoute, tag, versionRef, versionRoute } from './workflow-requests.ts';

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
  path: `${versionRoute.path}/start`,
  params: versionRoute.params,
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

/** The common declaration of the four run commands. */
const control = {
  tag,
  method: 'POST',
  params: runRoute.params,
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
  path: `${runRoute.path}/pause`,
  handle: ({ params, body, services }) => services.workflows.runs.pause({ ...params, ...body }),
});

export const resumeRun = operation({
  ...control,
  id: 'workflows.run.resume',
  summary: 'Resume a paused run',
  path: `${runRoute.path}/resume`,
  errors: [...controlErrors, 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, body, services }) => services.workflows.runs.resume({ ...params, ...body }),
});

export const cancelRun = operation({
  ...control,
  id: 'workflows.run.cancel',
  summary: 'Cancel a run; its agents are stopped',
  path: `${runRoute.path}/cancel`,
  handle: ({ params, body, services }) => services.workflows.runs.cancel({ ...params, ...body }),
});

export const retryRun = operation({
  ...control,
  id: 'workflows.run.retry',
  summary: 'Retry the failed steps of a stopped run, and the steps that depend on them',
  path: `${runRoute.path}/retry`,
  errors: [...controlErrors, 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, body, services }) => services.workflows.runs.retry({ ...params, ...body }),
});

export const previewRetry = operation({
  id: 'workflows.run.retry-preview',
  tag,
  summary: 'Preview what a retry of a run would repeat',
  method: 'GET',
  path: `${runRoute.path}/retry-preview`,
  params: runRoute.params,
  answer: json(retryPreview),
  errors: [...errors, 'WORKFLOW_RUNTIME_NOT_READY'],
  handle: ({ params, services }) => services.workflows.runs.retryPreview(params),
});
