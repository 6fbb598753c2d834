export const STEP_STATES = [
  'pending',
  'blocked',
  'ready',
  'leased',
  'running',
  'waiting_human',
  'retry_wait',
  'reconciling',
  'uncertain',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
  'superseded',
] as const;
export type StepState = (typeof STEP_STATES)[number];

export const STEP_MOVES: Record<StepState, readonly StepState[]> = {
  pending: ['blocked', 'ready', 'skipped', 'cancelled'],
  blocked: ['ready', 'skipped', 'cancelled'],
  ready: ['leased', 'blocked', 'skipped', 'cancelled'],
  leased: ['running', 'ready', 'retry_wait', 'reconciling', 'uncertain', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'retry_wait', 'reconciling', 'uncertain', 'waiting_human', 'cancelled'],
  waiting_human: ['running', 'failed', 'cancelled', 'skipped'],
  retry_wait: ['ready', 'failed', 'cancelled'],
  reconciling: ['succeeded', 'failed', 'ready', 'retry_wait', 'uncertain', 'cancelled'],
  uncertain: ['reconciling', 'failed', 'ready', 'cancelled', 'succeeded'],
  // A retry by the user resets failed steps and their dependents.
  failed: ['ready', 'blocked', 'superseded'],
  succeeded: ['blocked', 'ready', 'superseded'],
  skipped: ['blocked', 'ready', 'superseded'],
  cancelled: ['blocked', 'ready'],
  superseded: [],
};

const TERMINAL: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'skipped', 'superseded']);
const ATTENTION: ReadonlySet<string> = new Set(['failed', 'uncertain', 'reconciling']);

/** The order of sort=stato: steps that need attention first, finished ones last. */
const RANKS: Record<StepState, number> = {
  failed: 0,
  uncertain: 0,
  waiting_human: 1,
  reconciling: 1,
  leased: 2,
  running: 2,
  pending: 3,
  blocked: 3,
  ready: 3,
  retry_wait: 3,
  cancelled: 4,
  skipped: 4,
  superseded: 4,
  succeeded: 5,
};

/** Throws on an invalid transition: a bug of the engine. */
export function assertStepMove(from: StepState, to: StepState): void {
  if (!STEP_MOVES[from].includes(to)) throw new Error(`a step that is ${from} cannot become ${to}`);
}

export const isTerminal = (state: StepState): boolean => TERMINAL.has(state);
export const needsAttention = (state: StepState): boolean => ATTENTION.has(state);
export const rankOf = (state: StepState): number => RANKS[state];
