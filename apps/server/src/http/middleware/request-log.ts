import type { Ambient } from '@fucina/shared';
import type { Locals, Step } from '../locals.ts';

/** Assigns the request's id and signal, and logs it once the response was sent. */
export function requestLog(ambient: Ambient): Step {
  return (_request, response, next) => {
    const startedAt = ambient.monotonic();
    const abort = new AbortController();
    const { locals } = response;
    const fresh: Locals = {
      requestId: ambient.newId(),
      operation: 'window',
      isPage: false,
      host: '',
      allow: '',
      signal: abort.signal,
    };
    Object.assign(locals, fresh);
    response.once('close', () => {
      abort.abort('client gone');
      const ms = Math.round((ambient.monotonic() - startedAt) * 10) / 10;
      const { requestId, operation } = locals;
      ambient.log.info('request', { requestId, operation, status: response.statusCode, ms });
    });
    next();
  };
}
