import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const RUNS_EN = {
  AUTOMATION_CRON_FIELDS: [
    'Cron schedule incomplete',
    'A cron schedule needs exactly five fields.',
    'Enter minute, hour, day, month and day of the week.',
  ],
  AUTOMATION_CRON_INVALID: [
    'Invalid cron schedule',
    'The cron schedule contains a value that is not valid.',
    'Correct the schedule and save again.',
  ],
  AUTOMATION_FOLDER_UNAVAILABLE: [
    'Automation folder not available',
    'The automation’s folder does not exist, or cannot be read.',
    'Choose another folder or restore the previous one.',
  ],
  AUTOMATION_INVALID: [
    'Invalid automation',
    'A field of the automation has a value that is not valid.',
    'Check the fields and save again.',
  ],
  AUTOMATION_LEGACY: [
    'Automation in an old format',
    'This automation uses an old format, which does not support this action.',
    'Create a new automation with the same instructions.',
  ],
  AUTOMATION_NO_RUN_IN_PROGRESS: ['No run in progress', 'The automation is not running.', 'Refresh the list of runs.'],
  AUTOMATION_ORIGIN_FORBIDDEN: [
    'Manage automations in the window',
    'Automations can be changed only from the Fucina window.',
    'Change the automation in the window.',
  ],
  AUTOMATION_PROPOSAL_DECIDED: [
    'Proposal already decided',
    'This proposal was already approved or discarded.',
    'Refresh the run to see what was decided.',
  ],
  AUTOMATION_PROPOSAL_NOT_FOUND: [
    'Proposal not found',
    'This run has no proposal waiting for a decision.',
    'Refresh the list of runs.',
  ],
  AUTOMATION_PROPOSAL_STALE: [
    'Proposal out of date',
    'The automation’s instructions have changed since this proposal was made.',
    'Edit the instructions yourself, or wait for a new proposal.',
  ],
  AUTOMATION_RUN_IN_PROGRESS: [
    'Run already in progress',
    'This automation is already running. Only one run is allowed at a time.',
    'Wait for it to finish, or stop it.',
  ],
  AUTOMATION_RUN_NOT_STARTED: [
    'Run not started',
    'The automation’s session could not be started.',
    'Check the automation’s model and folder, then try again.',
  ],
  AUTOMATION_SCHEDULE_INVALID: [
    'Invalid schedule',
    'The automation’s schedule has missing, unexpected or invalid fields.',
    'Set the schedule again and save.',
  ],
  AUTOMATION_SCHEDULE_PAST: [
    'Date in the past',
    'The automation’s start time is in the past.',
    'Choose a date in the future.',
  ],
  AUTOMATION_SCHEDULE_TOO_FREQUENT: [
    'Schedule too frequent',
    'Runs must be at least five minutes apart.',
    'Increase the interval and save.',
  ],
  AUTOMATION_TIMEZONE_INVALID: [
    'Invalid time zone',
    'The time zone is not recognized.',
    'Choose a time zone from the list.',
  ],
  WORKFLOW_ALREADY_STARTED: [
    'Workflow already started',
    'This version of the workflow already has a run.',
    'Open the existing run.',
  ],
  WORKFLOW_APPROVAL_CONFLICT: [
    'Version already approved',
    'This version has already been approved by another request.',
    'Refresh the workflow and continue.',
  ],
  WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN: [
    'Approve workflows in the window',
    'A workflow can be approved only from the Fucina window.',
    'Open the workflow in the window and approve it there.',
  ],
  WORKFLOW_COMMAND_CONFLICT: [
    'Command already used',
    'A command with the same id was already received with different content.',
    'Refresh the workflow and repeat the action.',
  ],
  WORKFLOW_COMMAND_ORIGIN_FORBIDDEN: [
    'Control workflows in the window',
    'Workflows can be controlled only from the Fucina window.',
    'Open the workflow in the window and try again there.',
  ],
  WORKFLOW_DEFINITION_HASH_MISMATCH: [
    'The workflow has changed',
    'The version shown is no longer the current one.',
    'Refresh the workflow, review it and try again.',
  ],
  WORKFLOW_DEFINITION_INVALID: [
    'Invalid workflow',
    'The workflow’s definition is not valid.',
    'Correct its steps or limits and try again.',
  ],
  WORKFLOW_DEFINITION_NOT_APPROVED: [
    'Version not approved',
    'This version has not been approved yet.',
    'Approve the version, then start it.',
  ],
  WORKFLOW_PROPOSAL_NOT_FOUND: [
    'Proposal not found',
    'The workflow proposal does not exist, or its session was deleted.',
    'Refresh the list of workflows.',
  ],
  WORKFLOW_REVISION_EMPTY: [
    'No changes',
    'The new version is the same as the one before.',
    'Change at least one limit and save.',
  ],
  WORKFLOW_REVISION_INVALID: [
    'Invalid revision',
    'One of the limits is unknown or has a value that is not allowed.',
    'Correct the limits and save again.',
  ],
  WORKFLOW_RUNTIME_NOT_READY: ['Workflows not ready', 'Fucina cannot run workflows right now.', 'Try again shortly.'],
  WORKFLOW_RUN_NOT_FINISHED: [
    'Run not finished',
    'A workflow of this conversation is still in progress.',
    'Wait for it to finish or cancel it, then try again.',
  ],
  WORKFLOW_RUN_STATE_CONFLICT: [
    'Action not available now',
    'The run is in a state that does not allow this action.',
    'Refresh the run and choose one of the available actions.',
  ],
  WORKFLOW_START_UNSUPPORTED: [
    'Workflow cannot be started',
    'The workflow contains steps that Fucina cannot run.',
    'Ask the agent for a proposal with other steps.',
  ],
  WORKFLOW_STORE_NEEDS_ATTENTION: [
    'Workflow store needs attention',
    'The workflow store has a problem and accepts no commands until it is fixed.',
    'Open Settings → Health to see what to do.',
  ],
  WORKFLOW_STORE_UNAVAILABLE: [
    'Workflow store not available',
    'The saved workflows cannot be read or written.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  WORKFLOW_VERSION_NOT_LATEST: [
    'A newer version exists',
    'A later version of this workflow has been proposed.',
    'Open the newest version and continue there.',
  ],
  WORKFLOW_VERSION_SUPERSEDED: [
    'Version superseded',
    'A later version of this workflow has been approved.',
    'Start the newest approved version.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
