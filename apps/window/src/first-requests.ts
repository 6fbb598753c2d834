import { firstLanguage } from './words/first-words.ts';

// The answers that the first drawing needs are requested while the rest of the first load is compiled.

const SESSIONS = '/api/v1/sessions';

/** The session in the address of the page. */
export const sessionInAddress = (): string | undefined => /^\/sessions\/([\w-]+)/.exec(location.pathname)?.[1];

/** An event stream that was opened early, and what it has sent so far. */
interface FirstSource {
  sessionId: string;
  source: EventSource;
  messages: MessageEvent<string>[];
}

export let endFirstDrawing: () => void;

/** Resolves when the page has been drawn once: answers that the first drawing does not need are read after it. */
export const firstDrawing = new Promise<void>((resolve) => {
  endFirstDrawing = resolve;
});

let sessions: Promise<Response> | undefined;
let events: FirstSource | undefined;

/** Requests the list of sessions, and the events of the session in the address. */
export function sendFirstRequests(): void {
  sessions = fetch(SESSIONS, { headers: { 'accept-language': firstLanguage() } });
  // The one who takes it handles a failure.
  sessions.catch(() => undefined);
  const sessionId = sessionInAddress();
  if (!sessionId) return;
  const source = new EventSource(`${SESSIONS}/${sessionId}/events`);
  const messages: MessageEvent<string>[] = [];
  source.onmessage = (message: MessageEvent<string>) => void messages.push(message);
  events = { sessionId, source, messages };
}

/** The answer to the first request for the list of sessions, once. */
export function takeFirstSessions(): Promise<Response> | undefined {
  const taken = sessions;
  sessions = undefined;
  return taken;
}

/** The stream of that session that was opened early, once: the caller must close it. None if the server refused it. */
export function takeFirstSource(sessionId: string): FirstSource | undefined {
  if (events?.sessionId !== sessionId) return undefined;
  const taken = events;
  events = undefined;
  return taken.source.readyState === EventSource.CLOSED ? undefined : taken;
}
