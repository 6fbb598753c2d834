import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const SERVER_EN = {
  AUTH_REQUIRED: [
    'Sign-in required',
    'Fucina only accepts browsers that opened the address printed at startup.',
    'Open the address that Fucina printed when it started.',
  ],
  CONFIG_INVALID: [
    'Invalid server setting',
    'One of the server settings has a value that is not valid.',
    'Correct the setting named in the log and restart Fucina.',
  ],
  DOVE_NON_VALIDO: [
    'Invalid command environment',
    'Commands can run in WSL, in Windows or automatically; the request asked for something else.',
    'Choose one of the available options.',
  ],
  ELICITATION_ANSWER_INVALID: [
    'Invalid answer',
    'The answer does not match what the MCP server asked for.',
    'Review the answer and send it again.',
  ],
  ELICITATION_NOT_PENDING: [
    'Request no longer pending',
    'The MCP server is no longer waiting for this answer.',
    'Continue the session: the server asks again if it still needs the answer.',
  ],
  HOOK_INVALID: [
    'Invalid project hooks',
    '`.svc/hooks.json` does not have the expected format, so it cannot be trusted.',
    'Correct the file and try again.',
  ],
  HOST_FORBIDDEN: [
    'Host name not allowed',
    'The request used a host name that is not Fucina’s local address.',
    'Open the address that Fucina printed when it started.',
  ],
  INTERNAL_ERROR: [
    'Unexpected error',
    'An internal error in Fucina stopped the request.',
    'Try again and, if it keeps happening, search for the error’s reference in Settings → Health.',
  ],
  MCP_INVALID: [
    'Invalid MCP servers file',
    '`.svc/mcp.json` does not have the expected format, so it cannot be trusted.',
    'Correct the file and try again.',
  ],
  METHOD_NOT_ALLOWED: [
    'Method not allowed',
    'This address exists, but it does not support this HTTP method.',
    'Reload the window and try again.',
  ],
  NOT_FOUND: ['Not found', 'This item does not exist, or it was deleted.', 'Go back to the list and choose again.'],
  ORIGIN_FORBIDDEN: [
    'Origin not allowed',
    'The request came from a page other than the Fucina window, so it was blocked.',
    'Try again from the Fucina window.',
  ],
  PAYLOAD_LIMIT: [
    'Request too large',
    'The request is larger than the limit.',
    'Shorten the text or choose a smaller file, then try again.',
  ],
  PLATFORM_UNSUPPORTED: [
    'Not available on this system',
    'This action is not available on this operating system.',
    'Use the operating system’s own tools.',
  ],
  PLUGIN_INVALID: [
    'Invalid plugin',
    'The plugin’s manifest does not have the expected format, so it cannot be trusted.',
    'Correct the plugin’s files and try again.',
  ],
  PROCESS_NOT_RUNNING: [
    'Process not running',
    'The process had already ended when the request arrived.',
    'Refresh the list of processes.',
  ],
  QUERY_INVALID: [
    'Invalid request',
    'A field in the request is missing, unexpected or has the wrong format.',
    'Check what was entered and try again.',
  ],
  REPORT_UNAVAILABLE: ['Report not available', 'The report cannot be created right now.', 'Try again shortly.'],
  SCELTA_NON_VALIDA: ['Invalid choice', 'The value must be on or off.', 'Choose on or off and try again.'],
  SERVER_SHUTTING_DOWN: [
    'Fucina is shutting down',
    'Fucina is shutting down and does not start new work.',
    'Restart Fucina and try again.',
  ],
  TERMINAL_LIMIT_REACHED: [
    'Too many terminals open',
    'The session has reached its maximum number of terminals.',
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
