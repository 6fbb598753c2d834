/** Maximum characters of a result for the model. */
export const RESULT_CHARS = 4000;
/** Largest file that is read, written or edited. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Largest PDF or Office document that is read: not by the server itself. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
export const COMMAND_MS = 120_000;
export const MAX_COMMAND_SECONDS = 600;
/** For one stream of one command, on disk. */
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
/** Maximum background commands per session. */
export const MAX_BACKGROUND = 8;
