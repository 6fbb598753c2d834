/**
 * What a new terminal is sent as if the user had typed it. In memory only, never in the address: a link from elsewhere
 * must not run anything.
 */

const ofSessions = new Map<string, string>();
const ofTerminals = new Map<string, string>();

/** For the next terminal that is opened in the session. */
export function typeInNextTerminal(sessionId: string, text: string): void {
  ofSessions.set(sessionId, text);
}

export function assignFirstInput(sessionId: string, terminalId: string): void {
  const text = ofSessions.get(sessionId);
  ofSessions.delete(sessionId);
  if (text !== undefined) ofTerminals.set(terminalId, text);
}

export function takeFirstInput(terminalId: string): string | undefined {
  const text = ofTerminals.get(terminalId);
  ofTerminals.delete(terminalId);
  return text;
}
