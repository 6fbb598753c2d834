import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SESSIONS_EN = {
  APPROVAL_ANSWER_FORBIDDEN: [
    'Approval to be given elsewhere',
    'Only the session that asked for the approval, or one it depends on, can answer.',
    'Open the session that asked and answer from there.',
  ],
  APPROVAL_NOT_PENDING: [
    'Approval no longer requested',
    'The request for approval has already been answered, or has lapsed.',
    'Carry on with the session: the approval will be asked again if it is still needed.',
  ],
  CHAT_FILE_ORIGIN_FORBIDDEN: [
    'Files are uploaded from the window',
    'Files can be uploaded to the project only from the Fucina window.',
    'Upload the file from the window.',
  ],
  COMPACTION_NOT_FOUND: [
    'Compaction not found',
    'This compaction is not there, or it has already been undone.',
    'Reload the session to see how things stand.',
  ],
  MODEL_CALL_FAILED: [
    'The model did not answer',
    'The request to the model did not succeed.',
    'Try again or choose another model.',
  ],
  MODEL_ID_INVALID: [
    'Model name not valid',
    'The model’s name is not in a form that can be recognised.',
    'Choose a model from the list.',
  ],
  MODE_WORKFLOW_RETIRED: [
    'Mode retired',
    'The workflow mode no longer exists.',
    'Choose the normal mode or the plan mode.',
  ],
  PERMISSIONS_INVALID: [
    'Permission level not valid',
    'The permission level asked for is not one of those available.',
    'Choose one of the levels offered.',
  ],
  PLAN_APPROVAL_ORIGIN_FORBIDDEN: [
    'Plan to be decided in the window',
    'A plan can be decided on only from the Fucina window.',
    'Open the session in the window and decide from there.',
  ],
  PLAN_DECISION_NOT_SAVED: [
    'Decision not saved',
    'The decision could not be saved: the plan is still waiting.',
    'Check the free disk space and decide again.',
  ],
  PLAN_NOT_PENDING: [
    'No plan is waiting',
    'There is no plan waiting for a decision.',
    'Reload the session to see how things stand.',
  ],
  PLAN_STALE: [
    'The plan has changed',
    'The plan in front of you is no longer the one that is waiting.',
    'Reload the session, read the new plan and decide.',
  ],
  QUESTION_ANSWER_FORBIDDEN: [
    'Question of another session',
    'Only the session that asked the question, or one it depends on, can answer.',
    'Open the session that asked and answer from there.',
  ],
  QUESTION_ANSWER_NOT_SAVED: [
    'Answer not saved',
    'The answer could not be saved, so the agent did not get it.',
    'Check the free disk space and answer again.',
  ],
  QUESTION_NOT_PENDING: [
    'Question already closed',
    'The question has already been answered, or has expired.',
    'Write to the agent what you wanted to answer.',
  ],
  REASONING_INVALID: [
    'Reasoning choice not valid',
    'The reasoning choice is not one of those available.',
    'Choose one of the values offered.',
  ],
  SESSION_MODEL_UNKNOWN: [
    'The session’s model is not known',
    'The model chosen for this session is not among those known.',
    'Choose another model in the session’s settings.',
  ],
  SESSION_NOT_READY: [
    'The session is not ready',
    'The session cannot do what you asked right now.',
    'Wait for the turn to end and try again.',
  ],
  SESSION_STILL_RUNNING: [
    'The session is still working',
    'This action is possible only when the agent is at rest.',
    'Stop the session or wait for the turn to end.',
  ],
  SESSION_STORE_AMBIGUOUS: [
    'Session store needs checking',
    'What is saved of this session does not show which version is the right one.',
    'Open the diagnosis to see what does not add up.',
  ],
  SESSION_STORE_BUSY: [
    'Sessions in use elsewhere',
    'Another program is using the same session or the same data folder.',
    'Close the other program or wait for it to finish, then try again.',
  ],
  SESSION_STORE_DELETE_FAILED: [
    'Session not deleted',
    'The session could not be deleted from the disk.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  SESSION_STORE_FS_UNSUPPORTED: [
    'Disk not suitable for the data',
    'The disk that holds the data folder does not guarantee safe writes.',
    'Move the data folder to a local disk and start Fucina again.',
  ],
  SESSION_STORE_HEADER_FAILED: [
    'Session not created',
    'The first data of the new session could not be saved.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  SESSION_STORE_WRITE_FAILED: [
    'Session not saved',
    'The session could not be written to the disk, so nothing has changed.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  TASK_CATALOG_UNAVAILABLE: [
    'Sample tasks not available',
    'The list of sample tasks is not available.',
    'Start a session in your own folder, with an assignment you write.',
  ],
  TASK_NOT_ALLOWED: [
    'Task not in the list',
    'The chosen task is not among the sample tasks.',
    'Choose a task from the list.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
