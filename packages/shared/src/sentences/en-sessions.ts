import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SESSIONS_EN = {
  APPROVAL_ANSWER_FORBIDDEN: [
    'Approval belongs to another session',
    'Only the session that asked for the approval, or a parent session, can answer.',
    'Open the session that asked and answer there.',
  ],
  APPROVAL_NOT_PENDING: [
    'Approval no longer pending',
    'The approval request was already answered, or has expired.',
    'Continue the session: the agent asks again if it still needs approval.',
  ],
  CHAT_FILE_ORIGIN_FORBIDDEN: [
    'Upload files in the window',
    'Files can be uploaded to the project only from the Fucina window.',
    'Upload the file from the window.',
  ],
  COMPACTION_NOT_FOUND: [
    'Compaction not found',
    'This compaction does not exist, or was already undone.',
    'Reload the session to see its current state.',
  ],
  MODEL_CALL_FAILED: ['Model request failed', 'The request to the model failed.', 'Try again or choose another model.'],
  MODEL_ID_INVALID: [
    'Invalid model name',
    'The model’s name does not have a valid format.',
    'Choose a model from the list.',
  ],
  MODE_WORKFLOW_RETIRED: [
    'Mode removed',
    'The workflow mode no longer exists.',
    'Choose the normal mode or the plan mode.',
  ],
  PERMISSIONS_INVALID: [
    'Invalid permission level',
    'This permission level does not exist.',
    'Choose one of the available levels.',
  ],
  PLAN_APPROVAL_ORIGIN_FORBIDDEN: [
    'Approve plans in the window',
    'A plan can be approved or rejected only from the Fucina window.',
    'Open the session in the window and answer there.',
  ],
  PLAN_DECISION_NOT_SAVED: [
    'Decision not saved',
    'The decision could not be saved. The plan is still pending.',
    'Check the free disk space and decide again.',
  ],
  PLAN_NOT_PENDING: [
    'No pending plan',
    'There is no plan waiting for approval.',
    'Reload the session to see its current state.',
  ],
  PLAN_STALE: [
    'The plan has changed',
    'The plan shown is no longer the pending one.',
    'Reload the session and review the new plan.',
  ],
  QUESTION_ANSWER_FORBIDDEN: [
    'Question belongs to another session',
    'Only the session that asked the question, or a parent session, can answer.',
    'Open the session that asked and answer there.',
  ],
  QUESTION_ANSWER_NOT_SAVED: [
    'Answer not saved',
    'The answer could not be saved, so the agent did not receive it.',
    'Check the free disk space and answer again.',
  ],
  QUESTION_NOT_PENDING: [
    'Question no longer pending',
    'The question was already answered, or has expired.',
    'Send your answer to the agent as a message.',
  ],
  REASONING_INVALID: [
    'Invalid reasoning effort',
    'This reasoning effort does not exist.',
    'Choose one of the available values.',
  ],
  SESSION_MODEL_UNKNOWN: [
    'Session model not found',
    'The model of this session is unknown.',
    'Choose another model in the session’s settings.',
  ],
  SESSION_NOT_READY: [
    'Session not ready',
    'The session cannot do what you asked right now.',
    'Wait for the turn to finish and try again.',
  ],
  SESSION_STILL_RUNNING: [
    'Session still running',
    'This action is only available when the agent is not running.',
    'Stop the session or wait for the turn to finish.',
  ],
  SESSION_STORE_AMBIGUOUS: [
    'Session store needs checking',
    'The saved data of this session does not show which version is current.',
    'Open Settings → Health to see the problem.',
  ],
  SESSION_STORE_BUSY: [
    'Session in use elsewhere',
    'Another program is using the same session or the same data folder.',
    'Close the other program or wait for it to finish, then try again.',
  ],
  SESSION_STORE_DELETE_FAILED: [
    'Session not deleted',
    'The session could not be deleted from the disk.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  SESSION_STORE_FS_UNSUPPORTED: [
    'File system not supported',
    'The data folder’s file system does not guarantee safe writes.',
    'Move the data folder to a local disk and restart Fucina.',
  ],
  SESSION_STORE_HEADER_FAILED: [
    'Session not created',
    'The first data of the new session could not be saved.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  SESSION_STORE_WRITE_FAILED: [
    'Session not saved',
    'The session could not be written to disk, so nothing was changed.',
    'Check the free space and the permissions of the data folder, then try again.',
  ],
  TASK_CATALOG_UNAVAILABLE: [
    'Sample tasks not available',
    'The list of sample tasks is not available.',
    'Start a session in your own folder with your own task.',
  ],
  TASK_NOT_ALLOWED: [
    'Sample task not found',
    'The chosen task is not among the sample tasks.',
    'Choose a task from the list.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
