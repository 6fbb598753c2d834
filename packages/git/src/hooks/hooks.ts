import { textEnd } from '@fucina/shared';
import { gitError } from '../errors.ts';
import type { ProgramTrust } from '../programs/program-trust.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { type HookFile, type HookFiles, hookPrograms, readHook, TRUSTABLE_HOOKS } from './hook-files.ts';
import { type HookCall, type HookProcessNeeds, runHookProcess } from './hook-process.ts';
import { createHookRuns, type HookRun, type HookRuns } from './hook-runs.ts';
import { type HookPlace, type HookTrust, storeTrust, trustOf } from './hook-trust.ts';

export interface HooksNeeds extends HookProcessNeeds {
  /** Programs of repositories that the user trusts; absent: none. */
  programTrust?: ProgramTrust;
}

/** A hook of the repository that could run. */
export interface HookState {
  name: string;
  files: HookFile[];
  /** Of the files: what the user trusts. */
  fingerprint: string;
  /** Null while the user does not trust this content. */
  runs: HookPlace | null;
  hasTimeLimit: boolean;
}

export interface HookChoice {
  name: string;
  /** Of the files that the user saw. */
  fingerprint: string;
  /** `outside-once` and `skip-once` apply to the next operation that has this hook; `never` withdraws the trust. */
  runs: HookPlace | 'outside-once' | 'skip-once' | 'never';
  /** Default: true. */
  hasTimeLimit?: boolean | undefined;
}

type Place = Pick<GitFolder, 'git' | 'repository'>;

/** The hooks of repositories: what they are, whether the user trusts them, and their runs. */
export interface Hooks {
  list(place: Place): Promise<HookState[]>;
  /** Throws NOT_FOUND (`hook`) when the repository has no such hook, or other files than the user saw. */
  choose(place: Place, choice: HookChoice): Promise<void>;
  /** The hooks of one operation; `able`: those of them that the operation can run, default: all. */
  begin(place: Place, names: readonly string[], able?: readonly string[]): Promise<OperationHooks>;
  runs(place: Place): readonly HookRun[];
  stop(place: Place): boolean;
  follow(place: Place, onText: (text: string) => void): () => void;
}

/** The place of an operation that runs hooks. */
export interface HookedFolder extends GitFolder {
  hooks: Hooks;
}

export type AtHooked = <T>(folder: string, act: (place: HookedFolder) => Promise<T>) => Promise<T>;

export interface OperationHooks {
  /** Hooks that exist and are not run, in git's order; null when there is none. */
  leftOut: string[] | null;
  /** Whether one of these runs. */
  hasAny(...names: readonly string[]): boolean;
  /**
   * Nothing when it does not exist or is left out. Throws GIT_COMMAND_FAILED: `hook-failed`, `hook-refused` (by the
   * sandbox), `hook-timeout`, `hook-stopped`, `hook-without-sandbox`, `hook-changed`.
   */
  run(name: string, call: HookCall): Promise<void>;
  /** After the operation, when nothing can be refused any more: whether it succeeded. */
  runAfter(name: string, call: HookCall): Promise<void>;
  /** Hooks that failed after the operation was done; null when there is none. */
  failedAfter(): string[] | null;
}

/** Generous: the tests of a project may run in a hook. */
export const HOOK_LIMIT_MS = 15 * 60_000;
/** Of the end of the output, in an error. */
const REPORTED_CHARACTERS = 1500;

interface Runnable extends HookTrust {
  hook: HookFiles;
}

interface Once {
  fingerprint: string;
  runs: 'outside' | 'skip';
}

export function createHooks(needs: HooksNeeds): Hooks {
  const runs = createHookRuns();
  const once = new Map<string, Once>();
  const keyOf = ({ repository }: Place): string => repository.gitDir;
  const onceKey = (place: Place, name: string): string => `${keyOf(place)}\0${name}`;

  const read = async (place: Place, names: readonly string[]): Promise<HookFiles[]> => {
    const programs = await hookPrograms(place, names);
    const each = await Promise.all([...programs].map(([name, program]) => readHook(place, name, program)));
    return each.filter((hook) => hook !== undefined);
  };
  const runnable = async (place: Place, hook: HookFiles): Promise<Runnable | undefined> => {
    const key = onceKey(place, hook.name);
    const chosen = once.get(key);
    once.delete(key);
    const trust = await trustOf(needs.programTrust, place.repository, hook);
    if (chosen?.fingerprint !== hook.fingerprint) return trust && { ...trust, hook };
    return chosen.runs === 'skip' ? undefined : { runs: 'outside', hasTimeLimit: trust?.hasTimeLimit ?? true, hook };
  };
  return {
    async list(place) {
      const hooks = await read(place, TRUSTABLE_HOOKS);
      return Promise.all(
        hooks.map(async (hook) => {
          const trust = await trustOf(needs.programTrust, place.repository, hook);
          const { name, files, fingerprint } = hook;
          return { name, files, fingerprint, runs: trust?.runs ?? null, hasTimeLimit: trust?.hasTimeLimit ?? true };
        }),
      );
    },
    async choose(place, { name, fingerprint, runs: chosen, hasTimeLimit = true }) {
      const names = TRUSTABLE_HOOKS.filter((one) => one === name);
      const [hook] = await read(place, names);
      const { programTrust } = needs;
      if (hook?.fingerprint !== fingerprint || !programTrust) throw gitError('NOT_FOUND', { reason: 'hook' });
      if (chosen === 'outside-once' || chosen === 'skip-once') {
        once.set(onceKey(place, name), { fingerprint, runs: chosen === 'skip-once' ? 'skip' : 'outside' });
        return;
      }
      const choice = chosen === 'never' ? undefined : { runs: chosen, hasTimeLimit };
      await storeTrust(programTrust, place.repository, { hook, choice });
    },
    async begin(place, names, able = names) {
      const existing = await hookPrograms(place, names);
      if (existing.size === 0) return NO_HOOKS;
      const isAble = (name: string): boolean => able.includes(name) && process.platform !== 'win32';
      const hooks = await read(place, [...existing.keys()].filter(isAble));
      const found = await Promise.all(hooks.filter(isTrustable).map((hook) => runnable(place, hook)));
      const ready = new Map(found.flatMap((one) => (one ? [[one.hook.name, one] as const] : [])));
      if (ready.size > 0) runs.reset(keyOf(place));
      const leftOut = [...existing.keys()].filter((name) => !ready.has(name));
      return operationHooks({ needs, runs, place, ready, leftOut });
    },
    runs: (place) => runs.of(keyOf(place)),
    stop: (place) => runs.stop(keyOf(place)),
    follow: (place, onText) => runs.follow(keyOf(place), onText),
  };
}

const isTrustable = ({ name }: HookFiles): boolean => (TRUSTABLE_HOOKS as readonly string[]).includes(name);

const NO_HOOKS: OperationHooks = {
  leftOut: null,
  hasAny: () => false,
  run: () => Promise.resolve(),
  runAfter: () => Promise.resolve(),
  failedAfter: () => null,
};

interface OperationParts {
  needs: HooksNeeds;
  runs: HookRuns;
  place: Place;
  ready: ReadonlyMap<string, Runnable>;
  leftOut: string[];
}

function operationHooks(parts: OperationParts): OperationHooks {
  const { ready, leftOut } = parts;
  const failed: string[] = [];
  const start = async (name: string, call: HookCall): Promise<HookRun | undefined> => {
    const one = ready.get(name);
    return one && runOne(parts, one, call);
  };
  return {
    leftOut: leftOut.length === 0 ? null : leftOut,
    hasAny: (...names) => names.some((name) => ready.has(name)),
    async run(name, call) {
      const run = await start(name, call);
      if (run && run.state !== 'succeeded') throw failureOf(run, parts.place);
    },
    async runAfter(name, call) {
      const isFine = await start(name, call).then(
        (run) => run === undefined || run.state === 'succeeded',
        // What was done stays done, so a hook that cannot start is one that failed.
        (error: unknown) => {
          parts.needs.ambient.log.warn('git.hook-not-run', { hook: name, error });
          return false;
        },
      );
      if (!isFine) failed.push(name);
    },
    failedAfter: () => (failed.length === 0 ? null : failed),
  };
}

async function runOne({ needs, runs, place }: OperationParts, one: Runnable, call: HookCall): Promise<HookRun> {
  const { ambient } = needs;
  const { hook, hasTimeLimit, runs: where } = one;
  const { root, gitDir } = place.repository;
  // A hook before it may have changed it.
  if ((await readHook(place, hook.name, hook.program))?.fingerprint !== hook.fingerprint)
    throw gitError('GIT_COMMAND_FAILED', { reason: 'hook-changed', params: { hook: hook.name } });
  const { run, control, add } = runs.begin(gitDir, { hook: hook.name, runs: where });
  const cancel = hasTimeLimit ? ambient.timer(HOOK_LIMIT_MS, () => control.abort('limit')) : () => undefined;
  try {
    const id = `hook-${ambient.newId()}`;
    const { signal } = control;
    const end = await runHookProcess(needs, { ...call, id, hook, root, runs: where, signal, onText: add });
    return Object.assign(run, end, { state: stateOf(end.exitCode, signal) });
  } catch (error) {
    Object.assign(run, { state: 'failed' });
    throw error;
  } finally {
    cancel();
  }
}

function stateOf(exitCode: number | null, signal: AbortSignal): HookRun['state'] {
  if (signal.aborted) return signal.reason === 'limit' ? 'timed-out' : 'stopped';
  return exitCode === 0 ? 'succeeded' : 'failed';
}

function failureOf({ hook, state, output, isWithoutSandbox, refused }: HookRun, { repository }: Place) {
  const reported = textEnd(output.replaceAll(`${repository.root}/`, '').trim(), REPORTED_CHARACTERS);
  const params = { hook, output: shownText(reported) };
  const fail = (reason: string, more = {}) =>
    gitError('GIT_COMMAND_FAILED', { reason, params: { ...params, ...more } });
  if (isWithoutSandbox) return fail('hook-without-sandbox');
  if (state === 'timed-out') return fail('hook-timeout');
  if (state === 'stopped') return fail('hook-stopped');
  if (refused.length === 0) return fail('hook-failed');
  return fail('hook-refused', { refused: shownText(refused.map(({ subject }) => subject).join(', ')) });
}

/** A value that begins with a slash would be taken for a path of this computer and left out of the answer. */
const shownText = (text: string): string => text.replace(/^\//, ' /');
