import { createHash } from 'node:crypto';
import type { Problem } from '@fucina/host';
import { type Ambient, AppError, isAppError } from '@fucina/shared';
import type { ErrorRequestHandler } from 'express';
import { BEYOND_THE_END } from '../bytes.ts';
import { errorBody, languageOf } from '../envelope.ts';
import type { Locals } from '../locals.ts';
import { sendPage } from '../page.ts';
import { sendJson } from '../send.ts';
import { STATUSES } from '../statuses.ts';
import { UNKNOWN_TERMINAL } from '../upgrade.ts';
import { hasBody } from './body.ts';
import { endBeforeBody } from './unread-body.ts';

/** Statuses of errors that differ from their code's. */
const REASON_STATUSES: Readonly<Record<string, number>> = { [BEYOND_THE_END]: 416, [UNKNOWN_TERMINAL]: 403 };

export interface ErrorNeeds {
  ambient: Ambient;
  /** Stores an error's detail for its doctor reference. */
  remember(problem: Problem): void;
}

/**
 * Handles every error, in the envelope or as a page. An error other than AppError is a bug: INTERNAL_ERROR. Every
 * router ends with this handler, because Express passes an error to the next router in a later tick, when a half-closed
 * client is already gone.
 */
export function sendError({ ambient, remember }: ErrorNeeds): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- Express knows the handler of errors by its four parameters
  return async (error: unknown, request, response, _next) => {
    const { requestId, operation, isPage } = response.locals as Locals;
    const known = isAppError(error) ? error : new AppError('INTERNAL_ERROR', { cause: error });
    const doctorReference = referenceOf(known.code, requestId, operation);
    remember({ reference: doctorReference, error: known, operation, at: ambient.now() });
    if (known.code === 'INTERNAL_ERROR')
      ambient.log.error('request.failed', { requestId, operation, doctorReference, error });
    // The first frames may have been sent: the stream then simply ends, and the client reconnects.
    if (response.headersSent) return void response.destroy();
    const { sentencesFor, withUnderlyingMessage } = await import('@fucina/shared/sentences');
    const language = languageOf(request.headers['accept-language']);
    const sentences = withUnderlyingMessage(sentencesFor(known.code, language, known.reason), known);
    if (isPage) return sendPage(request, response, { status: STATUSES[known.code], ...sentences, language });
    const refusal = {
      status: REASON_STATUSES[known.reason ?? ''] ?? STATUSES[known.code],
      body: errorBody({ error: known, doctorReference, sentences }, ambient.now()),
    };
    // Always for a body that is too long: whether its last bytes have arrived is random.
    if (known.code === 'PAYLOAD_LIMIT' && hasBody(request)) response.set('Connection', 'close');
    if (request.complete) return sendJson(request, response, refusal);
    const end = (bytes: Buffer | undefined): void => endBeforeBody({ request, response, ambient }, bytes);
    sendJson(request, response, { ...refusal, headers: { Connection: 'close' }, end });
  };
}

function referenceOf(code: string, requestId: string, operation: string): string {
  return `doctor-${createHash('sha256').update(`${code}|${requestId}|${operation}`).digest('hex').slice(0, 12)}`;
}
