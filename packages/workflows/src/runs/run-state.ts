import { workflowsError } from '../errors.ts';

export const RUN_STATES = [
  'created',
  'running',
  'paused',
  'needs_attention',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type RunState = (typeof RUN_STATES)[number];
/** Commands of the user. */
export type RunCommand = 'pause' | 'resume' | 'cancel' | 'retry';
/** Events of the engine. */
export type RunFact = 'start' | 'rest' | 'attention' | 'succeed' | 'fail' | 'settle-cancel';

/** Pause and cancel are requests at first: the state changes when the steps in flight have ended. */
export const RUN_COMMANDS: Record<RunState, readonly RunCommand[]> = {
  created: ['cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  needs_attention: ['retry', 'cancel'],
  succeeded: [],
  failed: ['retry'],
  cancelled: [],
};

export const RUN_MOVES: Record<RunState, Partial<Record<RunFact | 'resume' | 'retry', RunState>>> = {
  created: { start: 'running', 'settle-cancel': 'cancelled' },
  running: {
    rest: 'paused',
    attention: 'needs_attention',
    succeed: 'succeeded',
    fail: 'failed',
    'settle-cancel': 'cancelled',
  },
  paused: { resume: 'running', 'settle-cancel': 'cancelled' },
  needs_attention: { retry: 'running', 'settle-cancel': 'cancelled' },
  succeeded: {},
  failed: { retry: 'running' },
  cancelled: {},
};

export interface RunFlags {
  status: RunState;
  isPauseRequested: boolean;
  isCancelRequested: boolean;
  hasFailedSteps: boolean;
}

export function allowedCommands(run: RunFlags): readonly RunCommand[] {
  if (run.isCancelRequested) return [];
  return RUN_COMMANDS[run.status].filter(
    (command) => !(command === 'pause' && run.isPauseRequested) && !(command === 'retry' && !run.hasFailedSteps),
  );
}

/** WORKFLOW_RUN_STATE_CONFLICT with the reason and the allowed commands. */
export function assertCommandAllowed(command: RunCommand, run: RunFlags): void {
  const allowed = allowedCommands(run);
  if (allowed.includes(command)) return;
  throw workflowsError('WORKFLOW_RUN_STATE_CONFLICT', {
    reason: refusal(command, run),
    params: { stato: run.status, azioni: allowed.join(', ') },
  });
}

function refusal(
  command: RunCommand,
  { status, isCancelRequested, isPauseRequested, hasFailedSteps }: RunFlags,
): string {
  if (isCancelRequested) return 'cancel-requested';
  if (command === 'pause' && status === 'running' && isPauseRequested) return 'pause-requested';
  if (command === 'retry' && RUN_COMMANDS[status].includes('retry') && !hasFailedSteps) return 'no-step-failed';
  return `${command}-not-in-${status.replace('_', '-')}`;
}

/** Throws on an invalid transition: a bug of the engine. */
export function nextRunState(status: RunState, fact: RunFact | 'resume' | 'retry'): RunState {
  const next = RUN_MOVES[status][fact];
  if (!next) throw new Error(`a run that is ${status} cannot ${fact}`);
  return next;
}

export function isOver(status: RunState): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}
