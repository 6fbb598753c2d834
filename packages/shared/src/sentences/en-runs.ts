import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const RUNS_EN = {
  AUTOMATION_CRON_FIELDS: [
    'Cron schedule incomplete',
    'A cron schedule needs exactly five fields.',
    'Write minute, hour, day, month and day of the week.',
  ],
  AUTOMATION_CRON_INVALID: [
    'Cron schedule not readable',
    'The cron schedule holds a value that cannot be understood.',
    'Correct the schedule and save again.',
  ],
  AUTOMATION_FOLDER_UNAVAILABLE: [
    'Automation folder not available',
    'The automation’s folder is not there, or cannot be read.',
    'Choose another folder or bring back the previous one.',
  ],
  AUTOMATION_INVALID: [
    'Automation not valid',
    'A field of the automation has a value that cannot be used.',
    'Check the fields and save again.',
  ],
  AUTOMATION_LEGACY: [
    'Automation of the old kind',
    'This automation is in the old format, which does not allow this action.',
    'Create a new automation with the same instructions.',
  ],
  AUTOMATION_NO_RUN_IN_PROGRESS: [
    'No run in progress',
    'The automation is not running anything.',
    'Refresh the list of runs.',
  ],
  AUTOMATION_ORIGIN_FORBIDDEN: [
    'Automations are managed in the window',
    'Automations can be changed only from the Fucina window.',
    'Open the automations in the window and repeat from there.',
  ],
  AUTOMATION_PROPOSAL_DECIDED: [
    'Proposal already decided',
    'A decision has already been taken on this proposal.',
    'Refresh the run to see what was decided.',
  ],
  AUTOMATION_PROPOSAL_NOT_FOUND: [
    'Proposal not found',
    'This run has no proposal to decide on.',
    'Refresh the list of runs.',
  ],
  AUTOMATION_PROPOSAL_STALE: [
    'Proposal out of date',
    'The automation’s instructions have changed since the proposal.',
    'Edit the instructions by hand, or wait for a new proposal.',
  ],
  AUTOMATION_RUN_IN_PROGRESS: [
    'Run already in progress',
    'This automation is already at work, and only one run at a time is possible.',
    'Wait for it to finish, or stop it.',
  ],
  AUTOMATION_RUN_NOT_STARTED: [
    'Run not started',
    'The automation’s session could not be started.',
    'Check the automation’s model and folder, then try again.',
  ],
  AUTOMATION_SCHEDULE_INVALID: [
    'Schedule not valid',
    'The automation’s schedule has fields that are missing, unexpected or not allowed.',
    'Choose the schedule again and save.',
  ],
  AUTOMATION_SCHEDULE_PAST: [
    'Date already past',
    'The automation would start at a moment already past.',
    'Choose a date in the future.',
  ],
  AUTOMATION_SCHEDULE_TOO_FREQUENT: [
    'Schedule too frequent',
    'At least five minutes are needed between one run and the next.',
    'Make the interval longer and save.',
  ],
  AUTOMATION_TIMEZONE_INVALID: [
    'Time zone not valid',
    'The time zone given is not recognised.',
    'Choose a time zone from the list.',
  ],
  WORKFLOW_ALREADY_STARTED: [
    'Workflow already started',
    'This version of the workflow already has a run.',
    'Open the run that is there.',
  ],
  WORKFLOW_APPROVAL_CONFLICT: [
    'Version already approved',
    'This version has already been approved by another request.',
    'Refresh the workflow and go on from there.',
  ],
  WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN: [
    'Approval is given in the window',
    'A workflow can be approved only from the Fucina window.',
    'Open the workflow in the window and approve it from there.',
  ],
  WORKFLOW_COMMAND_CONFLICT: [
    'Command repeated with other data',
    'The same command had already arrived with different content.',
    'Refresh the workflow and repeat the action.',
  ],
  WORKFLOW_COMMAND_ORIGIN_FORBIDDEN: [
    'Commands are given in the window',
    'Workflows can be controlled only from the Fucina window.',
    'Open the workflow in the window and repeat from there.',
  ],
  WORKFLOW_DEFINITION_HASH_MISMATCH: [
    'The workflow has changed',
    'What you are looking at is no longer the current version.',
    'Refresh the workflow, read it again and retry.',
  ],
  WORKFLOW_DEFINITION_INVALID: [
    'Workflow not valid',
    'The workflow as it stands cannot work.',
    'Correct its steps or its limits and try again.',
  ],
  WORKFLOW_DEFINITION_NOT_APPROVED: [
    'Version not approved',
    'This version has not been approved yet.',
    'Approve the version, then start it.',
  ],
  WORKFLOW_PROPOSAL_NOT_FOUND: [
    'Proposal not found',
    'The workflow proposal is not there, or its session has been deleted.',
    'Refresh the list of workflows.',
  ],
  WORKFLOW_REVISION_EMPTY: [
    'No change',
    'The new version is the same as the one before.',
    'Change at least one limit and save.',
  ],
  WORKFLOW_REVISION_INVALID: [
    'Revision not valid',
    'One of the limits given is not available, or has a value that is not allowed.',
    'Correct the limits and save again.',
  ],
  WORKFLOW_RUNTIME_NOT_READY: ['Workflows not ready', 'Fucina cannot run workflows right now.', 'Try again shortly.'],
  WORKFLOW_RUN_NOT_FINISHED: [
    'Run not finished',
    'A workflow of this conversation is still in progress.',
    'Wait for it to finish or cancel it, then try again.',
  ],
  WORKFLOW_RUN_STATE_CONFLICT: [
    'Action not possible now',
    'The run is in a state that does not allow this action.',
    'Refresh the run and choose one of the actions offered.',
  ],
  WORKFLOW_START_UNSUPPORTED: [
    'Workflow cannot be started',
    'The workflow holds steps that Fucina cannot run.',
    'Ask the agent for a proposal with other steps.',
  ],
  WORKFLOW_STORE_NEEDS_ATTENTION: [
    'Workflow store needs attention',
    'The workflow store has a problem and, to be safe, takes no commands.',
    'Open the diagnosis to see what to do.',
  ],
  WORKFLOW_STORE_UNAVAILABLE: [
    'Workflow store not available',
    'The saved workflows cannot be read or written.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  WORKFLOW_VERSION_NOT_LATEST: [
    'A newer version exists',
    'A later version of this workflow has been proposed.',
    'Open the newest version and go on from there.',
  ],
  WORKFLOW_VERSION_SUPERSEDED: [
    'Version superseded',
    'A later version of this workflow has been approved.',
    'Start the newest approved version.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
