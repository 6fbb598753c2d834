import { ApiError } from '@fucina/client';
import { useSyncExternalStore } from 'react';
import { later } from '../../ambient.ts';
import {
  readWorktreeSetup,
  startWorktreeSetup,
  stopWorktreeSetup,
  type WorktreeSetup,
} from '../../wire/worktree-actions.ts';
import { type Worktree } from '../../wire/worktrees.ts';

export type SetupChoice = 'start' | 'run' | 'give-up';

/** The set-up script that runs before a session starts, or the question after it failed. */
export interface Preparation {
  worktree: Worktree;
  setup: WorktreeSetup;
  /** Undefined while it runs. */
  choose: ((choice: SetupChoice) => void) | undefined;
  stop(): void;
}

const POLL_MS = 300;

const listeners = new Set<() => void>();
let shown: Preparation | undefined;

function show(next: Preparation | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** At most one: worktrees are made one after the other. */
export function usePreparation(): Preparation | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

/**
 * Runs the set-up script of a new worktree, if it has one, and asks when it failed or is not trusted. False when the
 * user gave up. `fingerprint`: of the script that the user trusts.
 */
export async function prepareWorktree(worktree: Worktree, fingerprint: string | undefined): Promise<boolean> {
  try {
    for (let trusted = fingerprint; ; ) {
      const setup = await runSetup(worktree, trusted);
      if (!setup || setup.run?.state === 'succeeded') return true;
      const choice = await ask(worktree, setup);
      if (choice !== 'run') return choice === 'start';
      trusted = setup.script?.fingerprint;
    }
  } finally {
    show(undefined);
  }
}

/** Undefined when there is no script; without `run` when it is not trusted. */
async function runSetup(worktree: Worktree, fingerprint: string | undefined): Promise<WorktreeSetup | undefined> {
  const { id } = worktree;
  const stop = () => void stopWorktreeSetup(id).catch(() => undefined); // the next poll shows whether it runs
  try {
    let setup = await startWorktreeSetup(id, fingerprint);
    while (setup.run?.state === 'running') {
      show({ worktree, setup, choose: undefined, stop });
      await new Promise<void>((done) => later(POLL_MS, done));
      setup = await readWorktreeSetup(id);
    }
    return setup;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'NOT_FOUND') return undefined;
    if (error.body?.reason !== 'setup-not-trusted') throw error;
    return { ...(await readWorktreeSetup(id)), run: null };
  }
}

function ask(worktree: Worktree, setup: WorktreeSetup): Promise<SetupChoice> {
  return new Promise((done) => {
    const choose = (choice: SetupChoice) => {
      show(undefined);
      done(choice);
    };
    show({ worktree, setup, choose, stop: () => undefined });
  });
}
