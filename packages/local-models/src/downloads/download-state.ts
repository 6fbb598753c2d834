import type { TransferState } from '../installed/store.ts';

export type TransferCommand = 'begin' | 'check' | 'finish' | 'fail' | 'pause' | 'recover' | 'resume' | 'cancel';

/** Transitions that are missing here change nothing: the caller gets the current state. */
export const TRANSFER_TRANSITIONS: Readonly<
  Record<TransferState, Readonly<Partial<Record<TransferCommand, TransferState>>>>
> = {
  queued: { begin: 'running', pause: 'paused', recover: 'paused', cancel: 'cancelled' },
  running: { check: 'verifying', fail: 'failed', pause: 'paused', recover: 'paused', cancel: 'cancelled' },
  // assumption: a check in progress cannot be paused, because it ends soon
  verifying: { finish: 'ready', fail: 'failed', recover: 'paused', cancel: 'cancelled' },
  ready: {},
  paused: { resume: 'queued', cancel: 'cancelled' },
  failed: { resume: 'queued', cancel: 'cancelled' },
  cancelled: {},
};

/** Undefined when the command changes nothing. */
export function nextTransferState(state: TransferState, command: TransferCommand): TransferState | undefined {
  return TRANSFER_TRANSITIONS[state][command];
}

/** Queued or in progress. */
export function isActive(state: TransferState): boolean {
  return state === 'queued' || state === 'running' || state === 'verifying';
}
