import type { ModelClient, ModelEvent, ModelRequest } from '@fucina/shared';

export interface FakeModelClient extends ModelClient {
  /** All requests, oldest first. */
  readonly requests: readonly ModelRequest[];
}

/**
 * A model without a wire, for tests of higher layers: the function returns events for each request, sent in one batch.
 * An aborted signal ends the answer with a `cancelled` failure, as in the real client.
 */
export function fakeModelClient(answer: (request: ModelRequest) => readonly ModelEvent[]): FakeModelClient {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request, signal) {
      requests.push(request);
      const events = signal.aborted ? [CANCELLED] : answer(request);
      if (events.length > 0) yield events;
    },
  };
}

const CANCELLED: ModelEvent = {
  type: 'failure',
  failure: {
    class: 'cancelled',
    code: 'CANCELLED_BY_OWNER',
    message: 'Stopped.',
    httpStatus: null,
    retryAfterMs: null,
    isOutcomeKnown: true,
  },
};
