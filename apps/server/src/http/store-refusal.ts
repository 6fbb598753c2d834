import { AppError, type ErrorCode, isAppError, storeFailureOf } from '@fucina/shared';
import type { AnyOperation, Tag } from './operation.ts';
import { STATUSES } from './statuses.ts';

const UNAVAILABLE = 503;

/** The code for operations without their own store error. */
const OF_TAGS: Readonly<Partial<Record<Tag, ErrorCode>>> = {
  'Git and GitHub': 'GIT_STORE_UNAVAILABLE',
  'Local models': 'RUNTIME_NOT_AVAILABLE',
  'Models and providers': 'PROVIDER_STORE_UNAVAILABLE',
  Terminals: 'TERMINAL_STORE_UNAVAILABLE',
  Workflows: 'WORKFLOW_STORE_UNAVAILABLE',
};

const OWN = /_STORE_(WRITE_FAILED|DELETE_FAILED|UNAVAILABLE)$/;

/** The 503 error of an operation when the disk or its store fails: its own code, else its tag's. */
export function storeCodeOf({ errors, tag }: Pick<AnyOperation, 'errors' | 'tag'>): ErrorCode {
  const own = errors.find((code) => OWN.test(code) && STATUSES[code] === UNAVAILABLE);
  return own ?? OF_TAGS[tag] ?? 'SESSION_STORE_WRITE_FAILED';
}

/**
 * The error for the client. One caused by the disk or a damaged store has that as its reason, and is never reported as
 * a bug (500). Other errors are unchanged.
 */
export function asStoreRefusal(error: unknown, operation: AnyOperation): unknown {
  const failure = storeFailureOf(error);
  if (failure === undefined) return error;
  const known = isAppError(error) ? error : undefined;
  const isUnavailable = known !== undefined && STATUSES[known.code] === UNAVAILABLE;
  if (known && !isUnavailable && STATUSES[known.code] < 500) return error;
  return new AppError(isUnavailable ? known.code : storeCodeOf(operation), {
    reason: known?.reason ?? failure,
    params: known?.params,
    details: known?.details,
    cause: error,
  });
}
