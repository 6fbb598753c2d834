import { type Calls, type ClientOptions, callsOf, connect } from './calls.ts';
import { type EventsOptions, sessionEvents } from './events.ts';
import type { SessionEvent } from './operations.ts';

/** How an approval is allowed beyond this one call: for the folder, or the path, for the rest of the session. */
export interface Decision {
  scope?: 'folder' | 'path';
  signal?: AbortSignal;
}

export interface Client extends Calls {
  /** The events of a session, each once and in order, across reconnections. */
  events(sessionId: string, options?: EventsOptions): AsyncGenerator<SessionEvent, void>;
  /** Answers an `ApprovalRequested` event: the call runs. */
  approve(sessionId: string, requestId: string, decision?: Decision): Promise<void>;
  /** Answers an `ApprovalRequested` event: the call does not run, and the agent continues. */
  deny(sessionId: string, requestId: string): Promise<void>;
  /** Answers a `UserQuestionRequested` event, by the ids of its questions. */
  answer(sessionId: string, requestId: string, answers: Record<string, string | string[]>): Promise<void>;
}

export function createClient(options: ClientOptions = {}): Client {
  const send = connect(options);
  const calls = callsOf(options, send);
  const { post } = calls;

  return {
    ...calls,
    events: (sessionId, how = {}) => sessionEvents(send, sessionId, how),
    async approve(sessionId, requestId, { scope, signal } = {}) {
      const body = { requestId, isApproved: true, ...(scope && { scope }) };
      await post('/sessions/{sessionId}/approve', { path: { sessionId }, body, ...(signal && { signal }) });
    },
    async deny(sessionId, requestId) {
      await post('/sessions/{sessionId}/approve', { path: { sessionId }, body: { requestId, isApproved: false } });
    },
    async answer(sessionId, requestId, answers) {
      const body = { requestId, status: 'answered' as const, answers };
      await post('/sessions/{sessionId}/question', { path: { sessionId }, body });
    },
  };
}
