import { localModelsError } from '../errors.ts';

/** `unavailable`: nothing is running, whatever is installed. */
export type EngineState = 'unavailable' | 'loading' | 'ready' | 'stopping' | 'failed';
/** `start` and `stop` are requested; `confirm`, `fail` and `end` come from the process. */
export type EngineCommand = 'start' | 'confirm' | 'fail' | 'stop' | 'end';

export const ENGINE_TRANSITIONS: Record<EngineState, Partial<Record<EngineCommand, EngineState>>> = {
  unavailable: { start: 'loading' },
  loading: { confirm: 'ready', fail: 'failed', stop: 'stopping' },
  ready: { fail: 'failed', stop: 'stopping' },
  stopping: { end: 'unavailable' },
  failed: { start: 'loading', stop: 'stopping' },
};

/** RUNTIME_ALREADY_RUNNING, with the state as its reason, for an invalid transition. */
export function nextEngineState(state: EngineState, command: EngineCommand): EngineState {
  const next = ENGINE_TRANSITIONS[state][command];
  if (!next) throw localModelsError('RUNTIME_ALREADY_RUNNING', { reason: state });
  return next;
}
