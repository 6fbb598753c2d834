import { ERROR_CODES, type ErrorCode } from './codes.ts';

export interface AppErrorOptions {
  /** Stable kebab-case id that distinguishes the causes of one code; sent to the client. */
  reason?: string;
  /** Values for the message to the user; sent to the client, after the gateway removes absolute paths. */
  params?: Record<string, string | number | boolean>;
  /** For the log and the doctor's reference only. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

const APP_ERROR = Symbol.for('fucina.AppError');

/** An error for clients. A plain `Error` is a bug and becomes INTERNAL_ERROR. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  /** Checks a mark instead of the class: one process may load two bundles, each with its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && APP_ERROR in value;
  }

  readonly [APP_ERROR] = true;
  override readonly name = 'AppError';
  readonly code: Code;
  readonly reason: string | undefined;
  readonly params: Record<string, string | number | boolean> | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: Code, options: AppErrorOptions = {}) {
    super(options.reason ? `${code} (${options.reason})` : code, { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
    this.params = options.params;
    this.details = options.details;
  }
}

export type ErrorRaiser<Code extends ErrorCode> = ((code: Code, options?: AppErrorOptions) => AppError<Code>) & {
  readonly codes: readonly Code[];
};

/** The codes of one domain: `throw sessionsError('SESSION_NOT_READY', { reason })`. A typo does not compile. */
export function defineErrors<const Code extends ErrorCode>(...codes: Code[]): ErrorRaiser<Code> {
  const raise = (code: Code, options?: AppErrorOptions): AppError<Code> => new AppError(code, options);
  return Object.assign(raise, { codes });
}

/** The six codes that any operation can return. */
export const commonError = defineErrors(
  'AUTH_REQUIRED',
  'QUERY_INVALID',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_LIMIT',
  'INTERNAL_ERROR',
);

export function isAppError(error: unknown, ...codes: ErrorCode[]): error is AppError {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
}

const known: ReadonlySet<string> = new Set(ERROR_CODES);

export function isErrorCode(value: string): value is ErrorCode {
  return known.has(value);
}

/** `error.code` of Node's own errors (`ENOENT`, `EACCES`, `SQLITE_FULL` …), else undefined. */
export function systemCode(error: unknown): string | undefined {
  // Not instanceof: a Node error may come from another realm (workers, test environments).
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}
