import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { OpenView } from '@fucina/sandbox';
import {
  handOver,
  type Launched,
  once,
  type PreparedProcess,
  type ProcessOptions,
  type ProcessOutcome,
  prepareProcess,
  type RunningProcess,
} from '@fucina/shared';
import type { SimpleGit } from 'simple-git';

export interface GitProcess extends Omit<ProcessOptions, 'argv' | 'admit' | 'isContainer'> {
  /** Absolute path of git. */
  binary: string;
  /** What it may write: then this program is started, and starts git once it was admitted. */
  view?: Pick<OpenView, 'program' | 'args' | 'admit'> | undefined;
  args: readonly string[];
  /** The arguments name the program of the remote side: `--upload-pack`, `--receive-pack`. */
  isRemote: boolean;
}

const library = once(() => import('simple-git'));

/**
 * Runs one git through simple-git, whose guards check the arguments: none may set a configuration key, name a program
 * or another repository, or abbreviate an option. The environment is ours and is not checked by them: it makes those
 * settings inert. In a server, the process launcher starts what they have checked, without a fork of the server.
 * Output, limits and end of the process as in `startProcess`.
 */
export async function runGit(options: GitProcess): Promise<ProcessOutcome> {
  const { args, isRemote, view, ...given } = options;
  const rest = { ...given, ...(view && { admit: view.admit, isContainer: true }) };
  const prepared = prepareProcess(rest);
  const binary = view?.program ?? given.binary;
  if (rest.signal?.aborted) return prepared.unstarted();
  const { GitPluginError, simpleGit } = await library();
  let running: RunningProcess | undefined;
  let launched: Promise<Launched> | undefined;
  let problem: string | undefined;
  try {
    const git = simpleGit({
      baseDir: rest.cwd,
      binary,
      // No shell reads the path, so any character is safe.
      unsafe: { allowUnsafeCustomBinary: true, allowUnsafePack: isRemote },
    });
    addPlugins(git, prepared.spawnOptions, {
      before: view ? [...view.args, given.binary] : [],
      launch: (checked, spawnOptions) => (launched = handOver({ ...rest, argv: [binary, ...checked] }, spawnOptions)),
      follow: (child) => (running = prepared.follow(child)),
    });
    // With its own environment, simple-git does not copy the server's.
    await git.env({}).raw([...args]);
  } catch (error) {
    if (launched) return outcomeOf(await launched, prepared);
    if (error instanceof GitPluginError) throw error;
    problem = error instanceof Error ? error.message : String(error);
  }
  return running?.done ?? prepared.unstarted(problem);
}

async function outcomeOf(launched: Launched, prepared: PreparedProcess): Promise<ProcessOutcome> {
  return 'child' in launched ? prepared.follow(launched.child).done : prepared.unstarted(launched.problem);
}

/** What simple-git passes to its plugins, as far as it is used here. */
interface Spawned {
  spawned: ChildProcess;
  /** Ends the wait for the process. */
  close(exitCode: number): void;
}

interface BeforeSpawn {
  /** The checked arguments. */
  commands: readonly string[];
  /** Nothing is started, and the call fails for this reason. */
  kill(reason: Error): void;
}

interface PluginStore {
  add(plugin: { type: 'spawn.args'; action(given: readonly string[]): string[] }): void;
  add(plugin: { type: string; action(given: SpawnOptions, context: Spawned & BeforeSpawn): unknown }): void;
}

interface Starters {
  /** Arguments before those of git, which the guards have checked by then. */
  before: readonly string[];
  /** Starts it elsewhere; undefined: simple-git is to start it. */
  launch(checked: readonly string[], spawnOptions: SpawnOptions): Promise<Launched> | undefined;
  follow(child: ChildProcess): RunningProcess;
}

/** The only way to get a process group, the process itself and its exit code: simple-git has no option for them. */
function addPlugins(git: SimpleGit, spawnOptions: SpawnOptions, { before, launch, follow }: Starters): void {
  const { _plugins: plugins } = git as unknown as { _plugins: PluginStore };
  let options: SpawnOptions = spawnOptions;
  if (before.length > 0) plugins.add({ type: 'spawn.args', action: (checked) => [...before, ...checked] });
  plugins.add({
    type: 'spawn.options',
    action(given) {
      hearFailure();
      options = { ...given, ...spawnOptions, env: { ...spawnOptions.env, [FULL_OPTIONS]: given.env?.[FULL_OPTIONS] } };
      return options;
    },
  });
  plugins.add({
    type: 'spawn.before',
    action(_nothing, { commands, kill }) {
      if (launch(commands, options)) kill(new Error('It was started by the process launcher'));
    },
  });
  plugins.add({
    type: 'spawn.after',
    action(_nothing, { spawned, close }) {
      // It would store all output a second time, without a limit.
      spawned.stdout?.removeAllListeners('data');
      spawned.stderr?.removeAllListeners('data');
      void follow(spawned).done.then(({ exitCode }) => close(exitCode ?? 1));
    },
  });
}

/** Set by simple-git: git rejects abbreviated options, which the guards would not recognize. */
const FULL_OPTIONS = 'GIT_TEST_DISALLOW_ABBREVIATED_OPTIONS';

/**
 * Without free descriptors a process starts without pipes. simple-git then throws before it handles the process's error
 * event, which would end the server. The process is created in the same tick of the event loop.
 */
function hearFailure(): void {
  const onMade = (made: unknown): void => {
    (made as { process: ChildProcess }).process.on('error', () => undefined);
    unsubscribe('child_process', onMade);
  };
  subscribe('child_process', onMade);
  queueMicrotask(() => unsubscribe('child_process', onMade));
}
