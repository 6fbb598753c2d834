import type { Ambient } from '@fucina/shared';
import type { Locals, Step } from '../locals.ts';

/** Assigns the request's id and signal, and logs it once the response was sent. */
export function requestLog(ambient: Ambient): Step {
  return (_request, response, next) => {
    const startedAt = ambient.monotonic();
    const leaving = createLeaving();
    const { locals } = response;
    const fresh: Locals = {
      requestId: ambient.newId(),
      operation: 'window',
      isPage: false,
      host: '',
      allow: '',
      signal: leaving.signal,
    };
    Object.assign(locals, fresh);
    response.once('close', () => {
      leaving.happened();
      const ms = Math.round((ambient.monotonic() - startedAt) * 10) / 10;
      const { requestId, operation } = locals;
      ambient.log.info('request', { requestId, operation, status: response.statusCode, ms });
    });
    next();
  };
}

/** Its signal is created for those who ask for it: most operations do not. */
function createLeaving(): { signal(): AbortSignal; happened(): void } {
  let controller: AbortController | undefined;
  let hasHappened = false;
  const abortIt = (): void => controller?.abort('client gone');
  return {
    signal() {
      controller ??= new AbortController();
      if (hasHappened) abortIt();
      return controller.signal;
    },
    happened() {
      hasHappened = true;
      abortIt();
    },
  };
}
