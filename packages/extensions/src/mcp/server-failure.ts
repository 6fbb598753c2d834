import { isAppError, type McpFailure, OutboundError, textStart } from '@fucina/shared';
import type { ServerFailure } from './known-server.ts';

/** A start that failed for a known reason. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly failure: ServerFailure;

  constructor(reason: McpFailure, detail: string | null) {
    super(detail === null ? reason : `${reason}: ${detail}`);
    this.failure = { reason, detail };
  }
}

const MAX_DETAIL = 500;

/** Why a connection failed, in terms that the user can act on. */
export async function failureOf(error: unknown): Promise<ServerFailure> {
  if (error instanceof StartFailure) return error.failure;
  if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return { reason: 'secrets-unavailable', detail: null };
  const detail = textStart(error instanceof Error ? error.message : String(error), MAX_DETAIL);
  if (error instanceof OutboundError) {
    return { reason: error.problem === 'timeout' ? 'timeout' : 'unreachable', detail };
  }
  const { InsufficientScopeError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } = await import(
    '@modelcontextprotocol/client'
  );
  if (error instanceof InsufficientScopeError) return { reason: 'sign-in', detail: error.requiredScope ?? null };
  if (error instanceof UnauthorizedError) return { reason: 'unauthorized', detail };
  if (error instanceof SdkHttpError) {
    const reason = [401, 403].includes(error.status) ? 'unauthorized' : 'protocol';
    return { reason, detail: `HTTP ${error.status}: ${detail}` };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { reason: 'timeout', detail: null };
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return { reason: 'ended', detail };
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && cause !== error ? failureOf(cause) : { reason: 'protocol', detail };
}
