import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { createWriteView, type OpenView, type WriteView, type WriteViewState } from '@fucina/sandbox';
import {
  type Ambient,
  capturedText,
  type Environment,
  NOT_ADMITTED,
  type ProcessOutcome,
  textStart,
} from '@fucina/shared';
import { gitError } from '../errors.ts';
import { filterProgram, type ProgramTrust } from '../programs/program-trust.ts';
import { refuseLinks } from '../repository/git-links.ts';
import type { Repository } from '../repository/repository.ts';
import { createDrivers } from './drivers.ts';
import { type FilterState, filterOverrides, type RepositoryFilter } from './filters.ts';
import { runGit } from './git-process.ts';
import { indexMemory } from './index-memory.ts';
import { type ConfigEntry, configEnvironment, DRIVER_KEYS, FIXED_OVERRIDES } from './overrides.ts';
import { openView, writes } from './written-places.ts';

export interface GitCall {
  /** Absolute folder to run in, inside the repository. */
  folder: string;
  repository: Repository;
  /** Subcommand and its arguments; paths after `--`. */
  args: readonly string[];
  /** 15 s by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface GitOptions {
  /** Another folder of the repository to run in. */
  folder?: string;
  /** Standard input. */
  input?: string | Uint8Array;
  /** READ_MS by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Added to the child's environment, after ours. */
  environment?: Environment;
  /** Settings added after ours. */
  settings?: readonly ConfigEntry[];
  /** It talks to a remote: ssh and credential helpers get the variables with which they find their agents. */
  isRemote?: boolean;
  /** It signs: programs for that get the same variables, and theirs for a dialog. They may leave an agent running. */
  isSigning?: boolean;
  /**
   * The caller refused the files that an untrusted filter converts, so git only compares others: it may do so without
   * their filter. Otherwise git fails at the first such file, also when it merely looks whether that has changed.
   */
  isFilterChecked?: boolean;
  /** Git writes what it learns of the work tree into the index: only for one of our own. */
  keepsIndex?: boolean;
  /** Waits up to 2 s for another git that is writing the index. Only for single-step commands. */
  waitsForLock?: boolean;
  /** Absolute real paths outside the repository that a command writes: a new work tree, a repository that is pushed to. */
  writes?: readonly string[];
}

export interface GitOutcome {
  exitCode: number;
  stdout: Buffer;
  /** At most 2,000 characters. */
  stderr: string;
}

/** git in one repository whose drivers are known, so that they can be disabled. */
export interface GitRunner {
  /** Filters that the repository itself defines. */
  readonly filters: readonly FilterState[];
  /**
   * Resolves for any exit code. Throws GIT_STORE_UNAVAILABLE, GIT_COMMAND_FAILED (killed), GIT_TIMEOUT,
   * GIT_OUTPUT_TOO_LARGE, GIT_ABORTED.
   */
  run(args: readonly string[], options?: GitOptions): Promise<GitOutcome>;
  /** Standard output as text; GIT_COMMAND_FAILED unless the exit code is 0. */
  text(args: readonly string[], options?: GitOptions): Promise<string>;
}

export interface GitLauncher {
  /**
   * Starts git so that nothing the repository configures can run: hooks, filters, drivers, helpers, transports,
   * signers.
   */
  open(folder: string, repository: Repository, options?: Pick<GitOptions, 'timeoutMs' | 'signal'>): Promise<GitRunner>;
  /** Standard output of one command, at most 32 MiB. Throws like `GitRunner.text`. */
  read(call: GitCall): Promise<string>;
  /** git without a repository: only for commands that need none. */
  outside(folder: string): GitRunner;
  /** False when git is not installed. */
  isAvailable(): Promise<boolean>;
  /** Whether commands that write can change nothing but the repository. */
  viewState(): Promise<WriteViewState>;
}

export interface LauncherNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Programs of repositories that the user trusts; absent: none. */
  programTrust?: ProgramTrust;
  /** Absolute path of git; found on PATH if absent. */
  gitPath?: string;
  /** In which commands that write run; absent: that of bubblewrap, where it works. */
  writeView?: WriteView;
}

export const READ_MS = 15_000;
export const WRITE_MS = 60_000;
const LOCK_MS = 2000;
const LOCKED = /index\.lock|\.lock': File exists/;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

const ENVIRONMENT = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  /** Local paths as transport are allowed only when the user typed them. */
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  /** Before core.gitProxy, whose first value would win. */
  GIT_PROXY_COMMAND: '',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
};

export function createLauncher(needs: LauncherNeeds): GitLauncher {
  let found: Promise<string | undefined> | undefined;
  const drivers = createDrivers(needs);
  const binary = (): Promise<string | undefined> => (found ??= findBinary(needs));
  const writeView = needs.writeView ?? createWriteView(needs);

  const start = async (place: Start, args: readonly string[], options: GitOptions = {}): Promise<GitOutcome> => {
    const git = await binary();
    if (git === undefined) throw gitError('GIT_STORE_UNAVAILABLE', { reason: 'git-not-installed' });
    const folder = options.folder ?? place.folder;
    const environment = environmentOf(needs, { place, args, options });
    const shared = writes(args) && place.repository ? await (place.sharedParts ??= refuseLinks(place.repository)) : [];
    const { repository } = place;
    const starts = startsOf(place, options);
    const command = { args, folder, repository, shared, writes: options.writes ?? [], environment, starts };
    await using view = writes(args) ? await openView(writeView, command) : undefined;
    const outcome = await runGit({
      ambient: needs.ambient,
      environment: needs.environment,
      extraEnvironment: environment,
      binary: git,
      view,
      args: ['--no-pager', ...(options.keepsIndex ? [] : ['--no-optional-locks']), ...args],
      isRemote: options.isRemote === true,
      cwd: folder,
      timeoutMs: options.timeoutMs ?? READ_MS,
      signal: options.signal,
      input: options.input,
      keepBytes: MAX_OUTPUT_BYTES,
      isStoppedAtLimit: true,
      leavesNothing: !options.isRemote && !options.isSigning,
    });
    if (view) refuseUnseen(view, outcome);
    return outcomeOf(outcome, args);
  };
  const run = async (place: Start, args: readonly string[], options?: GitOptions): Promise<GitOutcome> => {
    const deadline = needs.ambient.monotonic() + LOCK_MS;
    for (let pause = 10; ; pause *= 2) {
      const outcome = await start(place, args, options);
      refuseStopped(place.filters, outcome);
      const isLocked = outcome.exitCode !== 0 && options?.waitsForLock === true && LOCKED.test(outcome.stderr);
      if (!isLocked || needs.ambient.monotonic() + pause > deadline) return outcome;
      await needs.ambient.sleep(pause);
    }
  };
  const runner = (place: Start): GitRunner => ({
    filters: place.filters,
    run: (args, options) => run(place, args, options),
    text: async (args, options) => succeeded(await run(place, args, options), args).toString('utf8'),
  });
  const open = async (folder: string, repository: Repository, options?: GitOptions): Promise<GitRunner> => {
    const place = { folder, repository, overrides: [], filters: [], hasFilters: false };
    const { overrides, filters, hasFilters } = await drivers.of(repository, async () => {
      const listed = await start(place, LIST_DRIVERS, options);
      // Exit 1: no such key.
      return listed.exitCode === 1 ? '' : succeeded(listed, LIST_DRIVERS).toString('utf8');
    });
    return runner({ ...place, overrides, hasFilters, filters: await trusted(repository, filters) });
  };
  const trusted = (repository: Repository, filters: readonly RepositoryFilter[]): Promise<FilterState[]> =>
    Promise.all(
      filters.map(async (filter) => {
        const isTrusted = (await needs.programTrust?.isTrusted(await filterProgram(repository, filter))) ?? false;
        return { ...filter, isTrusted };
      }),
    );

  return {
    open,
    async read({ folder, repository, args, timeoutMs, signal }) {
      const options = { timeoutMs, signal };
      return (await open(folder, repository, options)).text(args, options);
    },
    outside: (folder) => runner({ folder, repository: undefined, overrides: [], filters: [], hasFilters: false }),
    isAvailable: async () => (await binary()) !== undefined,
    viewState: writeView.state,
  };
}

interface Start {
  folder: string;
  repository: Repository | undefined;
  overrides: readonly ConfigEntry[];
  filters: readonly FilterState[];
  hasFilters: boolean;
  /** See `refuseLinks`; once for all commands of an operation. */
  sharedParts?: Promise<string[]>;
}

const LIST_DRIVERS = ['config', '--null', '--show-scope', '--includes', '--get-regexp', DRIVER_KEYS];

/**
 * A repository may claim that its files are elsewhere (core.worktree): we use the folder of its `.git`, and git does
 * not search upwards.
 */
function placeEnvironment(repository: Repository | undefined, command: string | undefined): Environment {
  if (!repository) return {};
  const { root } = repository;
  return { GIT_WORK_TREE: root, GIT_CEILING_DIRECTORIES: dirname(root), ...indexMemory(repository, command) };
}

function environmentOf(
  { environment }: LauncherNeeds,
  { place, args, options }: { place: Start; args: readonly string[]; options: GitOptions },
): Environment {
  const filters = filterOverrides(place.filters, args[0] === 'status' || options.isFilterChecked === true);
  const settings = [...FIXED_OVERRIDES, ...place.overrides, ...filters, ...(options.settings ?? [])];
  return {
    ...ENVIRONMENT,
    ...configEnvironment(settings),
    ...placeEnvironment(place.repository, args[0]),
    ...(options.keepsIndex && { GIT_OPTIONAL_LOCKS: '1' }),
    ...(options.isRemote && named(AGENTS, environment)),
    ...(options.isSigning && named([...AGENTS, ...DIALOGS], environment)),
    ...options.environment,
  };
}

function startsOf({ hasFilters }: Start, { isRemote, isSigning }: GitOptions): 'nothing' | 'programs' | 'helpers' {
  if (isRemote || isSigning) return 'helpers';
  return hasFilters ? 'programs' : 'nothing';
}

const AGENTS = ['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'DBUS_SESSION_BUS_ADDRESS'];
const DIALOGS = ['GNUPGHOME', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'];

function named(names: readonly string[], environment: Environment): Environment {
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** git did not start: its view was not made, or shows other folders than those that were meant. */
function refuseUnseen({ wasAdmitted }: OpenView, { ending, problem, stderr }: ProcessOutcome): void {
  const details = { problem, stderr: textStart(capturedText(stderr), 2000) };
  if (problem === NOT_ADMITTED) throw gitError('GIT_COMMAND_FAILED', { reason: 'folder-replaced', details });
  if (ending === 'exit' && !wasAdmitted()) throw gitError('GIT_COMMAND_FAILED', { reason: 'view-not-made', details });
}

function outcomeOf(outcome: ProcessOutcome, args: readonly string[]): GitOutcome {
  const { exitCode, ending } = outcome;
  const stderr = textStart(capturedText(outcome.stderr), 2000);
  const details = { command: args[0], exitCode, stderr, problem: outcome.problem };
  switch (ending) {
    case 'timeout':
      throw gitError('GIT_TIMEOUT', { details });
    case 'output-limit':
      throw gitError('GIT_OUTPUT_TOO_LARGE', { details });
    case 'stopped':
      throw gitError('GIT_ABORTED', { details });
    case 'not-started':
      throw gitError('GIT_COMMAND_FAILED', { reason: 'not-started', details });
    case 'exit':
      if (exitCode === null) throw gitError('GIT_COMMAND_FAILED', { reason: 'killed', details });
      return { exitCode, stdout: outcome.stdout.bytes, stderr };
  }
}

/** Standard output when the exit code is 0; GIT_COMMAND_FAILED otherwise, with the recognized cause. */
export function succeeded({ exitCode, stdout, stderr }: GitOutcome, args: readonly string[]): Buffer {
  if (exitCode === 0) return stdout;
  const details = { command: args[0], exitCode, stderr };
  if (/not a git repository/.test(stderr)) throw gitError('GIT_NOT_A_REPOSITORY', { details });
  throw gitError('GIT_COMMAND_FAILED', { reason: reasonOf(stderr), details });
}

/** git's words when a required filter fails, or one that `filterOverrides` stopped. */
const FILTER_FAILED = /^fatal: (.*): (?:clean|smudge) filter '?(.*?)'? failed$/m;

/** Nothing is read or written without a filter that is not trusted: the command has stopped at the file. */
function refuseStopped(filters: readonly FilterState[], { exitCode, stderr }: GitOutcome): void {
  const [, path = '', filter = ''] = (exitCode !== 0 && filters.length > 0 && FILTER_FAILED.exec(stderr)) || [];
  if (filters.some(({ name, isTrusted }) => name === filter && !isTrusted))
    throw gitError('GIT_COMMAND_FAILED', { reason: 'filter-not-trusted', params: { filter, path } });
}

/** The cause of a failure, recognized in git's own output. */
export function reasonOf(stderr: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(stderr))?.[1];
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [FILTER_FAILED, 'filter-failed'],
  [/failed to sign|gpg\.ssh\.defaultKeyCommand|No private key found|Couldn't load public key/i, 'signing-failed'],
  [/dubious ownership/, 'dubious-ownership'],
  [/unknown repository extension|Expected git repo version/, 'newer-repository'],
  [/tell me who you are|unable to auto-detect email|empty ident name/, 'no-identity'],
  [LOCKED, 'locked'],
  [
    /Authentication failed|could not read (Username|Password)|Permission denied \(|HTTP 40[13]|error: 40[13]/i,
    'authentication',
  ],
  [/Host key verification failed/, 'host-key'],
  [/transport '.*' not allowed/, 'transport-not-allowed'],
  [/does not appear to be a git repository|repository '.*' not found|Repository not found/i, 'not-found'],
  [
    /Could not resolve host|unable to access|unable to connect|Could not read from remote|unexpected disconnect/i,
    'unreachable',
  ],
];

/** From the absolute entries of PATH only: a relative one could find a program in the inspected folder. */
async function findBinary({ environment, gitPath }: LauncherNeeds): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute);
  for (const candidate of gitPath === undefined ? folders.map((folder) => join(folder, name)) : [gitPath]) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}
