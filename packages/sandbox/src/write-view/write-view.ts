import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Ambient,
  type Environment,
  entryAt,
  GATE_SCRIPT,
  isWithin,
  realPathAt,
  removeTree,
  runProcess,
} from '@fucina/shared';
import { findProgram } from '../find-program.ts';
import { type DiskMount, mountArguments } from '../view/mounts.ts';
import { identified, shownBy } from '../view/shown-mounts.ts';
import { addedPlaces, helperPlaces, temporaryPlaces } from './helper-places.ts';
import { ownSshSettings, type SshSettings } from './ssh-settings.ts';

export interface WriteView {
  /** Tested at first use; a machine without one is tested again after a minute. */
  state(): Promise<WriteViewState>;
  /** Undefined where there is none. Throws `ViewRefused` if a link leads to one of the places. */
  open(places: ViewPlaces): Promise<OpenView | undefined>;
}

export type WriteViewState =
  | 'working'
  /** Bubblewrap is not installed. */
  | 'missing'
  /** The system does not permit it. */
  | 'refused'
  /** Not Linux. */
  | 'unsupported';

/** What a program of ours may write: everything else of the disk is read-only for it. */
export interface ViewPlaces {
  /** Absolute folder that it starts in. */
  folder: string;
  /** Absolute real paths that exist. */
  writable: readonly string[];
  /** Absolute paths in those that stay read-only, where there is a file or folder, not a link. */
  unchanged: readonly string[];
  /** What it starts: nothing, programs that need temporary files, or the user's ssh, gpg and credential helpers. */
  starts: 'nothing' | 'programs' | 'helpers';
}

export interface OpenView extends AsyncDisposable {
  program: string;
  /** The arguments before the program to run and its own. */
  args: readonly string[];
  /** Required for its start: see `ProcessOptions.admit`. */
  admit(pid: number): boolean;
  /** False if the program was never started: then what ended is bubblewrap, which could not make the view. */
  wasAdmitted(): boolean;
}

/** A place is not what its path says: a link leads there, or it is gone. */
export class ViewRefused extends Error {}

interface Found {
  state: WriteViewState;
  program: string;
  /** Arguments that make the namespaces. */
  rights: readonly string[];
}

const RETRY_MS = 60_000;
const PROBE_MS = 10_000;
const GATE = ['--', '/bin/sh', '-c', GATE_SCRIPT, 'sh'];
/** Network and processes are as outside, for agents and helpers. Devices are open, but not files beside them. */
const WHOLE_DISK = ['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--ro-bind-try', '/dev/shm', '/dev/shm'];

/**
 * A view of the disk for programs of ours that write in places where agents write too: whatever a link leads to,
 * they change nothing but these places. Nothing is hidden from them.
 */
export function createWriteView(needs: { ambient: Ambient; environment: Environment }): WriteView {
  const { ambient, environment } = needs;
  let tried: { found: Promise<Found>; at: number } | undefined;
  const find = async (): Promise<Found> => {
    const isKnown = tried && ((await tried.found).state === 'working' || ambient.monotonic() - tried.at < RETRY_MS);
    if (!tried || !isKnown) tried = { found: findView(needs), at: ambient.monotonic() };
    return tried.found;
  };
  return {
    state: async () => (await find()).state,
    async open(places) {
      const { state, program, rights } = await find();
      if (state !== 'working') return undefined;
      const isUserNamespace = rights.length > 0 || process.getuid?.() !== 0;
      const ssh = isUserNamespace && places.starts === 'helpers' ? await ownSshSettings(environment) : undefined;
      const mounts = identified(mountsOf(places, environment, ssh));
      if (mounts.some((mount) => !('identity' in mount) || mount.identity === undefined)) {
        await ssh?.[Symbol.asyncDispose]();
        throw new ViewRefused('A link leads to a place that is to be written, or it is gone.');
      }
      let isAdmitted = false;
      return {
        program,
        args: [...rights, ...WHOLE_DISK, ...mountArguments(mounts), '--chdir', places.folder, ...GATE],
        admit: (pid) => (isAdmitted = shownBy(pid, mounts) !== undefined),
        wasAdmitted: () => isAdmitted,
        [Symbol.asyncDispose]: async () => ssh?.[Symbol.asyncDispose](),
      };
    },
  };
}

function mountsOf(
  { writable, unchanged, starts }: ViewPlaces,
  environment: Environment,
  ssh: SshSettings | undefined,
): DiskMount[] {
  const helpers = starts === 'helpers' ? helperPlaces(environment) : { writable: [], unchanged: [] };
  const temporary = starts === 'programs' ? temporaryPlaces(environment) : [];
  const added = addedPlaces(environment);
  const places = [...new Set([...helpers.writable, ...temporary, ...added, ...writable])].sort();
  const outermost = places.filter((path) => !places.some((other) => other !== path && isWithin(other, path)));
  const closed = [...helpers.unchanged, ...unchanged.filter((path) => entryAt(path)?.isSymbolicLink() === false)];
  return [
    ...outermost.map((path): DiskMount => ({ kind: 'writable', source: path, target: path })),
    ...closed.map((path): DiskMount => ({ kind: 'read-only', source: path, target: path })),
    ...(ssh?.files ?? []).map(({ source, target }): DiskMount => ({ kind: 'read-only', source, target })),
  ];
}

async function findView(needs: { ambient: Ambient; environment: Environment }): Promise<Found> {
  const none = (state: WriteViewState): Found => ({ state, program: '', rights: [] });
  if (process.platform !== 'linux') return none('unsupported');
  const program = await findProgram(needs.environment, 'bwrap');
  if (program === undefined) return none('missing');
  // Root of a container may lack the right to make a namespace of mounts alone.
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  for (const rights of [[], ['--unshare-user', '--uid', `${user}`, '--gid', `${group}`]])
    if (await holds(needs, [program, ...rights])) return { state: 'working', program, rights };
  needs.ambient.log.warn('write-view.not-working', { program });
  return none('refused');
}

/** A real program must be able to write inside, and not beside it. */
async function holds(
  needs: { ambient: Ambient; environment: Environment },
  [program = '', ...rights]: string[],
): Promise<boolean> {
  const own = realPathAt(await mkdtemp(join(tmpdir(), 'fucina-view-'))) ?? '';
  const inside = join(own, 'inside');
  try {
    await mkdir(inside);
    const mounts = mountArguments([{ kind: 'writable', source: inside, target: inside }]);
    const script = ': > "$1/inside/a" && ! (: > "$1/b") 2>/dev/null';
    const outcome = await runProcess({
      ...needs,
      argv: [program, ...rights, ...WHOLE_DISK, ...mounts, '--', '/bin/sh', '-c', script, 'probe', own],
      cwd: own,
      timeoutMs: PROBE_MS,
      keepBytes: 4096,
    });
    return outcome.exitCode === 0 && (await readdir(own)).length === 1 && (await readdir(inside)).length === 1;
  } finally {
    await removeTree(own);
  }
}
