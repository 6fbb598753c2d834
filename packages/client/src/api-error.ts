import type { Schemas } from './operations.ts';

export type ApiErrorBody = Schemas['Error']['error'];

/** The code of a request that the server did not answer, or not in its own form. */
export const OFFLINE = 'OFFLINE';

interface Failure {
  /** The status of the answer; 0 without one. */
  status: number;
  headers?: Headers;
  body?: ApiErrorBody | undefined;
  cause?: unknown;
}

/** A failed request. Programs read `code`; users read `body.title`, `body.explanation` and `body.action`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly reason: string | undefined;
  readonly status: number;
  /** Of the answer, such as `content-range` of a range that a file does not have. */
  readonly headers: Headers | undefined;
  readonly body: ApiErrorBody | undefined;

  constructor(code: string, { status, headers, body, cause }: Failure) {
    super(body?.message ?? (status === 0 ? 'The server does not answer' : `The server answered ${status}`), { cause });
    this.code = code;
    this.reason = body?.reason;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
