import { stripVTControlCharacters } from 'node:util';
import { textEnd } from '@fucina/shared';
import type { RefusedAccess } from './hook-process.ts';
import type { HookPlace } from './hook-trust.ts';

/** A hook of the current or last operation of a repository that ran hooks. */
export interface HookRun {
  hook: string;
  state: 'running' | 'succeeded' | 'failed' | 'timed-out' | 'stopped';
  runs: HookPlace;
  /** Both streams, the last 32,000 characters. */
  output: string;
  isCut: boolean;
  /** Null while it runs, or when it was stopped, killed or never started. */
  exitCode: number | null;
  /** What the sandbox refused to it. */
  refused: RefusedAccess[];
  /** No sandbox works on this computer, so it was not started. */
  isWithoutSandbox: boolean;
}

/** Runs of hooks, by the key of their repository; in memory. */
export interface HookRuns {
  of(key: string): readonly HookRun[];
  /** False when none runs. */
  stop(key: string): boolean;
  /** Calls `onText` with the output of the hooks that run from now on; returns how to end that. */
  follow(key: string, onText: (text: string) => void): () => void;
  /** Forgets the runs of the operation before. */
  reset(key: string): void;
  begin(key: string, hook: Pick<HookRun, 'hook' | 'runs'>): StartedRun;
}

export interface StartedRun {
  run: HookRun;
  control: AbortController;
  add(text: string): void;
}

const MAX_OUTPUT = 32_000;

export function createHookRuns(): HookRuns {
  const runs = new Map<string, HookRun[]>();
  const controls = new Map<string, AbortController>();
  const followers = new Map<string, Set<(text: string) => void>>();
  return {
    of: (key) => runs.get(key) ?? [],
    stop(key) {
      const isRunning = runs.get(key)?.some(({ state }) => state === 'running') ?? false;
      if (isRunning) controls.get(key)?.abort('stop');
      return isRunning;
    },
    follow(key, onText) {
      const those = followers.get(key) ?? new Set();
      followers.set(key, those.add(onText));
      return () => void those.delete(onText);
    },
    reset: (key) => void runs.delete(key),
    begin(key, hook) {
      const run: HookRun = {
        ...hook,
        state: 'running',
        output: '',
        isCut: false,
        exitCode: null,
        refused: [],
        isWithoutSandbox: false,
      };
      const control = new AbortController();
      runs.set(key, [...(runs.get(key) ?? []), run]);
      controls.set(key, control);
      const add = (text: string): void => {
        const clean = stripVTControlCharacters(text).replaceAll(/\r+\n?/g, '\n');
        run.isCut ||= run.output.length + clean.length > MAX_OUTPUT;
        run.output = textEnd(run.output + clean, MAX_OUTPUT);
        for (const onText of followers.get(key) ?? []) onText(clean);
      };
      return { run, control, add };
    },
  };
}
