import { AppError, type ErrorCode, isAppError, storeFailureOf } from '@fucina/shared';
import type { AnyOperation, Tag } from './operation.ts';
import { STATUSES } from './statuses.ts';

const UNAVAILABLE = 503;

/** The code of operations that declare none of their own for a store that fails. */
const OF_TAGS: Readonly<Partial<Record<Tag, ErrorCode>>> = {
  'Git and GitHub': 'GIT_STORE_UNAVAILABLE',
  'Local models': 'RUNTIME_NOT_AVAILABLE',
  'Models and providers': 'PROVIDER_STORE_UNAVAILABLE',
  Terminals: 'TERMINAL_STORE_UNAVAILABLE',
  Workflows: 'WORKFLOW_STORE_UNAVAILABLE',
};

const OWN = /_STORE_(WRITE_FAILED|DELETE_FAILED|UNAVAILABLE)$/;

/** What an operation answers, with 503, when the disk or its store fails: its own code, else its tag's. */
export function storeCodeOf({ errors, tag }: Pick<AnyOperation, 'errors' | 'tag'>): ErrorCode {
  const own = errors.find((code) => OWN.test(code) && STATUSES[code] === UNAVAILABLE);
  return own ?? OF_TAGS[tag] ?? 'SESSION_STORE_WRITE_FAILED';
}

/**
 * The error as the client meets it. One whose cause is the disk or a damaged store says so in its reason, and is never a
 * bug of ours (500). Any other error comes back unchanged.
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
