import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SERVER_EN = {
  AUTH_REQUIRED: [
    'Access required',
    'Fucina answers only to those who came in through its starting address.',
    'Open Fucina again from the address shown when it started.',
  ],
  CONFIG_INVALID: [
    'Start-up setting not valid',
    'One of the settings Fucina starts with has a value that cannot be used.',
    'Correct the setting named in the log and start Fucina again.',
  ],
  DOVE_NON_VALIDO: [
    'Place for commands not valid',
    'Commands can run in WSL, in Windows or where Fucina chooses; the value received is a different one.',
    'Choose one of the places offered.',
  ],
  ELICITATION_ANSWER_INVALID: [
    'Answer not valid',
    'The answer does not match what the tool server asked for.',
    'Review the answer and send it again.',
  ],
  ELICITATION_NOT_PENDING: [
    'Request no longer waiting',
    'The tool server is no longer waiting for this answer.',
    'Carry on with the session: the request will come back if it is still needed.',
  ],
  HOOK_INVALID: [
    'Project hooks not readable',
    'The project file that lists the hooks is not in the expected form, so it cannot be trusted.',
    'Correct the file and try again.',
  ],
  HOST_FORBIDDEN: [
    'Address not accepted',
    'The request came in under a name that is not Fucina’s local address.',
    'Open Fucina from the address shown when it started.',
  ],
  INTERNAL_ERROR: [
    'Unexpected error',
    'Something inside Fucina did not work and the request was not completed.',
    'Try again and, if it keeps happening, look at the detail in the diagnosis.',
  ],
  MCP_INVALID: [
    'Tool servers not readable',
    'The project file that lists the tool servers is not in the expected form, so it cannot be trusted.',
    'Correct the file and try again.',
  ],
  METHOD_NOT_ALLOWED: [
    'Action not available here',
    'This address exists, but it does not accept the action that was asked.',
    'Reload the window and repeat the action from there.',
  ],
  NOT_FOUND: [
    'Not found',
    'What you are looking for is not there, or is there no longer.',
    'Go back to the list and choose again.',
  ],
  ORIGIN_FORBIDDEN: [
    'Request from another page',
    'The request came from a page that is not the Fucina window, so it was stopped.',
    'Repeat the action from the Fucina window.',
  ],
  PAYLOAD_LIMIT: [
    'Too much to send',
    'What was sent is over the limit.',
    'Shorten the text or choose a smaller file, then try again.',
  ],
  PLATFORM_UNSUPPORTED: [
    'Not available on this system',
    'This action is not offered on this computer’s system.',
    'Do it by hand, with the system’s own tools.',
  ],
  PLUGIN_INVALID: [
    'Plugin not readable',
    'The plugin’s description is not in the expected form, so it cannot be trusted.',
    'Correct the plugin’s files and try again.',
  ],
  PROCESS_NOT_RUNNING: [
    'The process is not running',
    'The process had already ended when the request arrived.',
    'Refresh the list of processes.',
  ],
  QUERY_INVALID: [
    'Request not valid',
    'Something in the request is missing, unexpected or not in the right form.',
    'Check what was entered and try again.',
  ],
  REPORT_UNAVAILABLE: [
    'Report not available',
    'The information asked for cannot be put together right now.',
    'Try again shortly.',
  ],
  SCELTA_NON_VALIDA: ['Choice not valid', 'The switch can only be on or off.', 'Choose on or off and try again.'],
  SERVER_SHUTTING_DOWN: [
    'Fucina is closing',
    'The shutdown has begun, so no new work is started.',
    'Start Fucina again and retry.',
  ],
  TERMINAL_LIMIT_REACHED: [
    'Too many terminals open',
    'The session already has the largest number of terminals it can hold.',
    'Close a terminal you no longer need and try again.',
  ],
  TERMINAL_STORE_UNAVAILABLE: [
    'Terminals not available',
    'Terminals cannot be opened or listed right now.',
    'Try again shortly or restart Fucina.',
  ],
  WSL_STORE_UNAVAILABLE: [
    'WSL settings not available',
    'The WSL preferences cannot be read or saved.',
    'Check the free space and the permissions of the data folder.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
