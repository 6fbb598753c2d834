import { type AppErrorOptions, defineErrors, PathError } from '@fucina/shared';

export const filesError = defineErrors(
  'QUERY_INVALID',
  'NOT_FOUND',
  'WORKSPACE_NOT_AVAILABLE',
  'WORKSPACE_ALREADY_EXISTS',
  'WORKSPACE_LAUNCH_NOT_AVAILABLE',
  'FILE_EXISTS',
  'FILE_NOT_FOUND',
  'FILE_TOO_LARGE',
  'PLATFORM_UNSUPPORTED',
  'TASK_CATALOG_UNAVAILABLE',
  'TASK_NOT_ALLOWED',
);

/** Errors for a path inside a session's or project's folder. */
export function asFileError(error: unknown): unknown {
  if (!(error instanceof PathError)) return error;
  const options: AppErrorOptions = { reason: `path-${error.problem}`, params: { path: error.path }, cause: error };
  switch (error.problem) {
    case 'invalid':
    case 'outside':
    case 'loop':
    case 'not-a-file':
    case 'not-a-folder':
    case 'exists':
      return filesError('QUERY_INVALID', options);
    case 'missing':
    case 'denied':
      return filesError('FILE_NOT_FOUND', options);
    case 'too-large':
      return filesError('FILE_TOO_LARGE', options);
  }
}

/** Errors for a folder of the disk: a malformed path is the caller's fault, anything else the folder's. */
export function asWorkspaceError(error: unknown): unknown {
  if (!(error instanceof PathError)) return error;
  const options: AppErrorOptions = { reason: `path-${error.problem}`, cause: error };
  if (error.problem === 'invalid') return filesError('QUERY_INVALID', options);
  if (error.problem === 'exists') return filesError('WORKSPACE_ALREADY_EXISTS', options);
  return filesError('WORKSPACE_NOT_AVAILABLE', options);
}
