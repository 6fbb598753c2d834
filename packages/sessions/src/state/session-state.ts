import { sessionsError } from '../errors.ts';
import type { SessionState } from './session.ts';

type SessionCommand = 'start-turn' | 'end-turn' | 'lose-process' | 'retry-turn';

export const SESSION_TRANSITIONS: Record<SessionState, Partial<Record<SessionCommand, SessionState>>> = {
  running: { 'end-turn': 'concluded', 'lose-process': 'interrupted' },
  concluded: { 'start-turn': 'running' },
  interrupted: { 'start-turn': 'running', 'retry-turn': 'running' },
};

const REASONS: Record<SessionState, string> = {
  running: 'turn-in-progress',
  concluded: 'nothing-to-resume',
  interrupted: 'turn-interrupted',
};

/** Throws SESSION_NOT_READY, with the state as reason, when the command is not allowed. */
export function nextSessionState(state: SessionState, command: SessionCommand): SessionState {
  const next = SESSION_TRANSITIONS[state][command];
  if (!next) throw sessionsError('SESSION_NOT_READY', { reason: REASONS[state] });
  return next;
}
