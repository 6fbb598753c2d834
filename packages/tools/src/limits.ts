/** Characters of a result that the model gets. */
export const RESULT_CHARS = 4000;
/** Largest file that is read, written or edited. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
export const COMMAND_MS = 120_000;
export const MAX_COMMAND_SECONDS = 600;
