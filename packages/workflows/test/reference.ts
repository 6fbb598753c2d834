import type { RunCommand, RunState } from '../src/runs/run-state.ts';

/** A graph of the reference: steps by id, their dependencies, and whether an interruption leaves them uncertain. */
export interface Plan {
  steps: readonly { id: string; dependsOn: readonly string[]; isUncertainWhenCut: boolean }[];
}

type State = 'blocked' | 'running' | 'ready' | 'succeeded' | 'failed' | 'uncertain' | 'cancelled';

/**
 * A minimal model of a run: everything that can start starts at once, and no step runs again after it succeeded. It has
 * no journal, leases or time.
 */
export interface Reference {
  readonly status: RunState;
  readonly isPauseRequested: boolean;
  states(): Record<string, State>;
  running(): string[];
  allows(command: RunCommand): boolean;
  command(command: RunCommand): void;
  finish(id: string, isSuccess: boolean): void;
  /** The process ends and another starts. `cut`: the interrupted steps; default: all in flight. */
  restart(cut?: readonly string[]): void;
  /** Like `command`, when the process ends right after the command was stored. */
  keep(command: RunCommand): void;
}

export function createReference({ steps }: Plan): Reference {
  let status: RunState = 'running';
  let isPauseRequested = false;
  let isCancelRequested = false;
  const states = new Map<string, State>(steps.map(({ id }) => [id, 'blocked']));
  const inState = (...wanted: State[]): string[] =>
    [...states].filter(([, state]) => wanted.includes(state)).map(([id]) => id);
  const canBegin = (id: string): boolean =>
    steps.find((step) => step.id === id)?.dependsOn.every((other) => states.get(other) === 'succeeded') ?? false;

  /** All changes that follow automatically. */
  const settle = (): void => {
    if (isCancelRequested) {
      for (const id of inState('running', 'ready', 'blocked', 'uncertain')) states.set(id, 'cancelled');
      if (status !== 'cancelled') status = 'cancelled';
      return;
    }
    if (status !== 'running') return;
    for (const id of inState('blocked')) if (canBegin(id)) states.set(id, 'ready');
    if (!isPauseRequested) for (const id of inState('ready')) states.set(id, 'running');
    if (inState('running').length) return;
    if (inState('succeeded').length === steps.length) status = 'succeeded';
    else if (isPauseRequested) status = 'paused';
    else status = 'needs_attention';
    isPauseRequested = false;
  };
  const allows = (command: RunCommand): boolean => {
    if (isCancelRequested) return false;
    switch (command) {
      case 'pause':
        return status === 'running' && !isPauseRequested;
      case 'resume':
        return status === 'paused';
      case 'cancel':
        return ['created', 'running', 'paused', 'needs_attention'].includes(status);
      case 'retry':
        return ['failed', 'needs_attention'].includes(status) && inState('failed', 'uncertain').length > 0;
    }
  };
  const keep = (command: RunCommand): void => {
    if (command === 'pause') isPauseRequested = true;
    if (command === 'cancel') {
      isCancelRequested = true;
      isPauseRequested = false;
    }
    if (command === 'resume') status = 'running';
    if (command === 'retry') {
      status = 'running';
      for (const id of inState('failed', 'uncertain')) states.set(id, 'ready');
    }
  };
  settle();

  return {
    get status() {
      return status;
    },
    get isPauseRequested() {
      return isPauseRequested;
    },
    states: () => Object.fromEntries(states),
    running: () => inState('running'),
    allows,
    keep,
    command(command) {
      keep(command);
      settle();
    },
    finish(id, isSuccess) {
      states.set(id, isSuccess ? 'succeeded' : 'failed');
      settle();
    },
    restart(cut = inState('running')) {
      for (const id of cut) {
        const step = steps.find((each) => each.id === id);
        states.set(id, step?.isUncertainWhenCut ? 'uncertain' : 'ready');
      }
      settle();
    },
  };
}
