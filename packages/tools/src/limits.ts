/** Maximum bytes of a read, a search or a list for the model. */
export const RESULT_BYTES = 50_000;
/** Lines that a read shows unless more are asked for. */
export const READ_LINES = 2000;
/** Of a file's line. */
export const MAX_LINE_CHARS = 2000;
/** Maximum characters of a command's output in its result. */
export const OUTPUT_CHARS = 16_000;
/** Of each stream of a command for the clients, which can read the whole output. */
export const EXCERPT_CHARS = 4000;
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
