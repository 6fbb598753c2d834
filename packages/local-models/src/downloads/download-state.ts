import type { TransferState } from '../installed/store.ts';

export type TransferCommand = 'begin' | 'check' | 'finish' | 'fail' | 'pause' | 'recover' | 'resume' | 'cancel';

/** What is not here changes nothing: whoever asks for it gets the state as it is. */
export const TRANSFER_TRANSITIONS: Readonly<
  Record<TransferState, Readonly<Partial<Record<TransferCommand, TransferState>>>>
> = {
  queued: { begin: 'running', pause: 'paused', recover: 'paused', cancel: 'cancelled' },
  running: { check: 'verifying', fail: 'failed', pause: 'paused', recover: 'paused', cancel: 'cancelled' },
  // assumed: a check under way is not paused, it is soon over
  verifying: { finish: 'ready', fail: 'failed', recover: 'paused', cancel: 'cancelled' },
  ready: {},
  paused: { resume: 'queued', cancel: 'cancelled' },
  failed: { resume: 'queued', cancel: 'cancelled' },
  cancelled: {},
};

/** Undefined where the command changes nothing. */
export function nextTransferState(state: TransferState, command: TransferCommand): TransferState | undefined {
  return TRANSFER_TRANSITIONS[state][command];
}

/** Waiting for its turn, or at work. */
export function isActive(state: TransferState): boolean {
  return state === 'queued' || state === 'running' || state === 'verifying';
}
