import { mkdir, mkdtemp, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Ambient,
  type ControlWrite,
  type Environment,
  GATE_SCRIPT,
  isMissing,
  removeTree,
  runProcess,
  systemCode,
  type WriteReach,
  writeFileAtomically,
} from '@fucina/shared';
import { bubblewrapArguments, type Confinement } from './bubblewrap.ts';
import { type ControlFolder, createControlFolders } from './control-files/control-folders.ts';
import { type AllowedContent, createControlWatch, type WatchedGuard } from './control-files/control-watch.ts';
import { watchLeftLinks } from './control-files/left-links.ts';
import { findProgram } from './find-program.ts';
import { createResourceLimits, type ResourceLimits } from './limits/resource-limits.ts';
import { NetworkRefused } from './network/namespace.ts';
import type { SessionNetworks } from './network/session-network.ts';
import { refusalOf, SandboxRefusal } from './refusal.ts';
import { createReadView, isOpened } from './rules/rule-mounts.ts';
import { NO_RULES, type SandboxRules } from './rules/sandbox-rules.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { systemCallFilter } from './seccomp.ts';
import { safeName } from './session-name.ts';
import { createBaseView } from './view/base-view.ts';
import { createDeniedFiles, type DeniedReading } from './view/denied-files.ts';
import { createHomeSettings } from './view/home-settings.ts';
import type { Mount } from './view/mounts.ts';
import { createProjectHome } from './view/project-home.ts';
import { shownBy } from './view/shown-mounts.ts';

export type Enforcement = 'bubblewrap' | 'seatbelt' | 'none';

export interface SandboxState {
  kind: Enforcement;
  /** True when a test command was really contained on this machine. */
  isWorking: boolean;
  /** Why it does not work: not installed, not permitted by the system, or not supported here. */
  problem?: 'missing' | 'refused' | 'unsupported';
  /** For the log and the report: the program's path, or why there is none. English. */
  detail: string;
}

export interface SandboxJob {
  argv: readonly [string, ...string[]];
  sessionId: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Absolute, as the command sees it. */
  cwd: string;
  writes: WriteReach;
  /** Further absolute real paths that it reads. */
  reads?: readonly string[] | undefined;
  /** Limit of the data segment of each of its processes. */
  memoryBytes?: number | undefined;
  /** Of the self-test: instead of the user's rules, and the folder in the data folder that it uses. */
  test?: { denied: DeniedReading; folder: string } | undefined;
}

/** How to start the requested program. */
export interface ContainedJob {
  argv: readonly [string, ...string[]];
  /** Index of the job's own program in `argv`: the arguments before it create the sandbox. */
  ownAt: number;
  /** The mounts that it creates. */
  mounts: readonly Mount[];
  /** Working directory of the first program. */
  cwd: string;
  extraEnvironment: Environment;
  isContainer: boolean;
  enforcement: Enforcement;
  /** Descriptors with the program's settings: see `ProcessOptions.files`. */
  files: readonly string[];
  /** Required for its start: see `ProcessOptions.admit`. Accepts it if its file system is the one that was meant. */
  admit?: ((pid: number) => boolean) | undefined;
  /** The command was started: reports control files that it writes while it runs. */
  begin: WatchedGuard['begin'];
  /** After the command: the other control files that it wrote, already removed from the folder. */
  settle(): Promise<readonly ControlWrite[]>;
  /** For the command's result, as sentences: what was blocked, why commands were killed, servers that were started. */
  notices(): readonly string[];
}

export interface Sandbox {
  /**
   * Tested once, at first use; a machine without one is tested again after a minute. Rejects if the test has no
   * writable folder.
   */
  state(): Promise<SandboxState>;
  /** Rejects with SandboxRefusal if the command must not run. */
  contain(job: SandboxJob): Promise<ContainedJob>;
  /** Whether a path, as the session's commands see it, is a folder. */
  isFolder(path: string, job: Pick<SandboxJob, 'sessionId' | 'writes'>): Promise<boolean>;
  /**
   * Runs an act that the user allowed, and that writes files in a session's folder: the control files among `contentsOf`
   * are the user's then, also while commands run there.
   */
  allow<T>(folder: string, act: () => Promise<T>, contentsOf: (result: T) => readonly AllowedContent[]): Promise<T>;
  /** Deletes a session's temporary files. */
  forget(sessionId: string): Promise<void>;
  /** Deletes the temporary files of sessions that `isKnown` rejects, and looks after commands of killed processes. */
  sweep(isKnown: (sessionId: string) => boolean | Promise<boolean>): Promise<void>;
  /** Closes the networks of all sessions, after a running test. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SandboxNeeds {
  ambient: Ambient;
  /** The server's environment; commands get its safe part. */
  environment: Environment;
  /** Absolute real path of the data folder: temporary files of commands are stored there, invisible to commands. */
  dataDir: string;
  networks: SessionNetworks;
  /** Further paths that the user's stored rules let the commands of a project read and write; default: none. */
  rules?: Pick<SandboxRules, 'inForce'>;
  /** Further absolute real paths that the user lets the commands of a session read; default: none. */
  sessionReads?(sessionId: string): readonly string[];
  /** The user's rules that deny reading files of a folder (absolute real path); default: none. */
  deniesReading?(folder: string): Promise<DeniedReading | undefined>;
  /** Variables that every command in this folder gets (absolute real path); default: none. */
  folderEnvironment?(folder: string): Promise<Environment>;
}

interface Found extends SandboxState {
  /** Absolute; empty if there is none. */
  program: string;
  /** Bubblewrap's seccomp filter. */
  filter?: string;
}

type Views = Pick<Confinement, 'baseView' | 'settings' | 'projectHome' | 'readView' | 'deniedFiles'> & {
  limits: ResourceLimits;
};
/** Of a command whose control files nobody looks after. */
const UNWATCHED: Pick<ContainedJob, 'begin' | 'settle' | 'notices'> = {
  begin: () => ({ lookSoon: () => undefined }),
  settle: () => Promise.resolve([]),
  notices: () => [],
};

const CUT =
  'There are more new folders than are searched for files that other programs run: some may have been left in place.';
const RETRY_MS = 60_000;
const PROBE_MS = 10_000;
/** Shown in the place of files that rules deny. */
const EMPTY_FILE = 'denied-file';
const SEATBELT = '/usr/bin/sandbox-exec';

export function createSandbox(needs: SandboxNeeds): Sandbox {
  const { ambient, environment, networks } = needs;
  const root = join(needs.dataDir, 'tmp');
  const views: Views = {
    limits: createResourceLimits(ambient, environment),
    baseView: createBaseView(ambient, environment),
    readView: createReadView(needs),
    deniedFiles: createDeniedFiles(ambient, join(needs.dataDir, 'sandbox', EMPTY_FILE)),
    settings: createHomeSettings(environment, join(needs.dataDir, 'sandbox', 'settings')),
    projectHome: createProjectHome(environment, join(needs.dataDir, 'sandbox', 'projects')),
  };
  const controlFolders = createControlFolders(ambient);
  const watch = createControlWatch({
    ambient,
    dir: join(needs.dataDir, 'sandbox', 'running'),
    look: (folder) => controlFolders.of(folder),
    isOpened: (folder, path) => isOpened((needs.rules?.inForce(folder) ?? NO_RULES).writes, path),
  });
  const temporaryOf = (sessionId: string): string => join(root, safeName(sessionId));
  let tried: { found: Promise<Found>; at: number } | undefined;

  const find = async (): Promise<Found> => {
    if (tried && ((await tried.found).isWorking || ambient.monotonic() - tried.at < RETRY_MS)) return tried.found;
    const found = findSandbox({ ...needs, ...views }, root).catch((error: unknown) => {
      tried = undefined;
      throw error;
    });
    tried = { found, at: ambient.monotonic() };
    return found;
  };

  const contain: Sandbox['contain'] = async ({
    argv,
    sessionId,
    folder,
    cwd,
    writes,
    reads = [],
    memoryBytes,
    test,
  }) => {
    const free: ContainedJob = {
      argv,
      ownAt: 0,
      mounts: [],
      cwd,
      extraEnvironment: {},
      isContainer: false,
      enforcement: 'none',
      files: [],
      ...UNWATCHED,
    };
    if (writes === 'anything') return free;
    const found = await find();
    const refusal = refusalOf({ ...needs, folder, writes, isSandboxed: found.isWorking });
    if (refusal !== undefined) throw new SandboxRefusal(refusal);
    if (!found.isWorking) return free;
    const temporary = temporaryOf(sessionId);
    if (isMissing(temporary)) await mkdir(temporary, { recursive: true, mode: 0o700 });
    await watch.recover();
    const look = (): Promise<readonly ControlFolder[]> => controlFolders.of(folder);
    const before = writes === 'folder' ? look() : Promise.resolve([]);
    const stored = needs.rules?.inForce(folder) ?? NO_RULES;
    const inForce = { ...stored, reads: [...stored.reads, ...(needs.sessionReads?.(sessionId) ?? []), ...reads] };
    const denied = test?.denied ?? (await needs.deniesReading?.(folder));
    const own = { memoryBytes, denied, testFolder: test?.folder };
    const place = { sessionId, folder, cwd, temporary, writes, controlFolders: before, inForce, ...own };
    const contained = await confine(found, argv, { ...needs, ...views, ...place });
    if (writes !== 'folder') return contained;
    const [guard, links] = await Promise.all([
      watch.guard({ folder, before: await before, look, isOpened: (path) => isOpened(inForce.writes, path) }),
      watchLeftLinks({ ...needs, folder, look, testFolder: test?.folder }),
    ]);
    const settle = () => contained.settle().then(links.remove).then(guard.settle);
    const cut = (): string[] => (controlFolders.isCut(folder) ? [CUT] : []);
    return { ...contained, ...guard, settle, notices: () => [...contained.notices(), ...links.notices(), ...cut()] };
  };

  return {
    async state() {
      const { program: _program, filter: _filter, ...state } = await find();
      return state;
    },
    async contain(job) {
      const [contained, own] = await Promise.all([contain(job), needs.folderEnvironment?.(job.folder)]);
      return { ...contained, extraEnvironment: { ...contained.extraEnvironment, ...own } };
    },
    async isFolder(path, { sessionId, writes }) {
      const isMapped = writes !== 'anything' && (await find()).kind === 'bubblewrap';
      const inside = isMapped ? /^\/(?:var\/)?tmp(\/.*)?$/.exec(path) : null;
      if (await isDirectory(inside ? join(temporaryOf(sessionId), inside[1] ?? '') : path)) return true;
      return inside !== null && isDirectory(path); // the session's folder may itself be there
    },
    async forget(sessionId) {
      await networks.forget(sessionId);
      await views.limits.forget(sessionId);
      await removeTree(temporaryOf(sessionId));
    },
    allow: watch.allow,
    async sweep(isKnown) {
      await watch.recover();
      for (const name of await readdir(root).catch(() => [])) {
        if (!(await isKnown(name))) await removeTree(join(root, name));
      }
    },
    async [Symbol.asyncDispose]() {
      await tried?.found.catch(() => undefined);
      await networks[Symbol.asyncDispose]();
      await watch.close();
      await views.limits[Symbol.asyncDispose]();
    },
  };
}

type Job = Omit<Confinement, 'isUserNamespace'> &
  Views & { sessionId: string; networks: SessionNetworks; memoryBytes?: number | undefined };

async function confine(found: Found, argv: SandboxJob['argv'], job: Job): Promise<ContainedJob> {
  const { cwd, folder, temporary } = job;
  if (found.kind === 'seatbelt') {
    const profile = await seatbeltProfile(job);
    return {
      argv: [found.program, '-p', profile, ...argv],
      ownAt: 3,
      mounts: [],
      cwd,
      extraEnvironment: { TMPDIR: temporary },
      isContainer: false,
      enforcement: 'seatbelt',
      files: [],
      ...UNWATCHED,
    };
  }
  // The first network of a session takes as long to create as a program to start.
  const entered = job.networks.enter(job);
  const [network, outside, limited, inside] = await Promise.all([
    entered,
    job.limits.outside(job.sessionId),
    job.limits.inside(job.memoryBytes),
    bubblewrapArguments({ ...job, isUserNamespace: entered.then(({ isUserNamespace }) => isUserNamespace) }),
  ]);
  const gate = ['/bin/sh', '-c', GATE_SCRIPT, 'sh'];
  const before = [...outside, ...network.prefix, found.program, ...inside.argv, ...gate, ...limited];
  return {
    argv: joined([...before, ...argv]),
    ownAt: before.length,
    mounts: inside.mounts,
    cwd: folder,
    extraEnvironment: { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp', XDG_RUNTIME_DIR: '/tmp', ...network.environment },
    isContainer: true,
    enforcement: 'bubblewrap',
    files: found.filter === undefined ? [] : [found.filter],
    admit: (pid) => shownBy(pid, inside.mounts) !== undefined,
    ...UNWATCHED,
    settle: () => network.settle().then(() => []),
    notices: () => [...network.notices(), ...job.limits.refusals(job.sessionId)],
  };
}

function joined([first = '', ...rest]: readonly string[]): readonly [string, ...string[]] {
  return [first, ...rest];
}

async function findSandbox(needs: SandboxNeeds & Views, root: string): Promise<Found> {
  const none = (problem: SandboxState['problem'], detail: string): Found => ({
    kind: 'none',
    isWorking: false,
    problem,
    detail,
    program: '',
  });
  const kind = process.platform === 'linux' ? 'bubblewrap' : process.platform === 'darwin' ? 'seatbelt' : undefined;
  if (kind === undefined) return none('unsupported', 'this system has none that is supported');
  const program = kind === 'seatbelt' ? SEATBELT : await findProgram(needs.environment, 'bwrap');
  if (program === undefined) return none('missing', 'bwrap is not installed');
  const filter = kind === 'seatbelt' ? {} : await writeFilter(needs.dataDir);
  if (filter === undefined) return none('unsupported', `there is no system call filter for ${process.arch}`);
  const found: Found = { kind, isWorking: true, detail: program, program, ...filter };
  const refusal = await probe(needs, found, root);
  if (refusal === undefined) return found;
  needs.ambient.log.warn('sandbox.not-working', { program, refusal });
  return none('refused', refusal);
}

async function writeFilter(dataDir: string): Promise<{ filter: string } | undefined> {
  const bytes = systemCallFilter();
  if (bytes === undefined) return undefined;
  const folder = join(dataDir, 'sandbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Nobody may write it, its owner neither: it is made once.
  await writeFile(join(folder, EMPTY_FILE), '', { mode: 0o444, flag: 'wx' }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
  const filter = join(folder, 'system-calls.bpf');
  const before = await readFile(filter).catch(() => undefined); // not there yet
  if (!before?.equals(bytes)) await writeFileAtomically(filter, bytes);
  return { filter };
}

/**
 * A real command must be able to write inside, but neither write outside nor read private files, and must not be in the
 * machine's network. Undefined when all of that holds.
 */
async function probe(needs: SandboxNeeds & Views, found: Found, root: string): Promise<string | undefined> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(root, 'probe-'));
  const [folder, temporary, secret] = [join(own, 'folder'), join(own, 'tmp'), join(own, 'secret')];
  try {
    await Promise.all([mkdir(folder), mkdir(temporary), writeFile(secret, 'x')]);
    const script =
      ': > inside && ! [ -w / ] && ! (cat "$1" || : > "$1") 2>/dev/null && readlink /proc/self/ns/net && echo held';
    const place = { folder, temporary, cwd: folder, controlFolders: Promise.resolve([]), inForce: NO_RULES };
    const job: Job = { ...needs, ...place, sessionId: PROBE, writes: 'folder' };
    const { argv, ...rest } = await confine(found, ['/bin/sh', '-c', script, 'probe', secret], job);
    const { cwd, isContainer, files, admit } = rest;
    const started = { argv, cwd, isContainer, files, admit };
    const outcome = await runProcess({ ...needs, ...started, timeoutMs: PROBE_MS, keepBytes: 4096 });
    const [network, word] = outcome.stdout.bytes.toString().split('\n').slice(-3);
    const isApart = found.kind === 'seatbelt' || (network !== '' && network !== (await ownNetwork()));
    if (word === 'held' && isApart && (await isFile(join(folder, 'inside')))) {
      // Creating one starts a Node process: it is reused for the first session.
      await needs.networks.handOn(PROBE);
      return undefined;
    }
    return (
      outcome.stderr.bytes.toString().trim().split('\n')[0]?.slice(0, 300) || (outcome.problem ?? 'it did not hold')
    );
  } catch (error) {
    if (error instanceof NetworkRefused) return error.message;
    throw error;
  } finally {
    await needs.networks.forget(PROBE);
    await needs.limits.forget(PROBE);
    await removeTree(own);
  }
}

const PROBE = 'probe';

const ownNetwork = (): Promise<string> => readlink('/proc/self/ns/net').catch(() => '');

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
