import type { ModelNotice, SessionEvent } from '@fucina/shared';
import { CUSTOM_EVENTS, customEvent } from './custom-events.ts';
import type { SessionFold } from './fold.ts';
import type { SessionSettings } from './session.ts';

/** The current model: the chosen one, or the fallback that replaced it in an earlier call. */
export function answeringModel({ settings, fold }: { settings: SessionSettings; fold: SessionFold }): string {
  const { fallback } = fold;
  // A fallback belongs to the model it replaced: choosing another model ends it.
  return fallback && fallback.chosen === settings.model ? fallback.model : (settings.model ?? '');
}

export function fallbackEvent({ from, to, cause, httpStatus }: ModelNotice, chosen: string | null): SessionEvent {
  return customEvent(CUSTOM_EVENTS.fallback, {
    schema: 'svc.provider-fallback.v1',
    da: { provider: from.provider, modello: from.model },
    a: { provider: to.provider, modello: to.model },
    scelto: chosen,
    causa: cause,
    httpStatus,
  });
}
