import { realpath } from 'node:fs/promises';
import { type Environment, isWithin, type WriteReach } from '@fucina/shared';
import { cachePlaces, type Place, privatePlaces } from './private-places.ts';
import { worktreeRepository } from './worktree.ts';

export interface Confinement {
  environment: Environment;
  dataDir: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Absolute, as the command will see it. */
  cwd: string;
  /** Absolute folder that takes the place of /tmp. */
  temporary: string;
  writes: Exclude<WriteReach, 'anything'>;
}

/** For a server of root: enough to work on files of others, nothing that could undo a mount. */
const ROOT_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID'];

const BASE = '--die-with-parent --unshare-pid --unshare-ipc --ro-bind / / --dev /dev --proc /proc'.split(' ');

/** Ways to start, the best first: root may be without the right to mount (a container) and then needs a user namespace. */
export function startVariants(): string[][] {
  if (process.getuid?.() !== 0) return [[]];
  return [['--cap-drop', 'ALL', ...ROOT_CAPABILITIES.flatMap((one) => ['--cap-add', one])], ['--unshare-user']];
}

/**
 * The arguments after the program's name and before the command's own: the disk read-only, the session's folder and the
 * caches of build tools writable where that is allowed, a temporary folder of the session's own, private places empty.
 * Later mounts lie over earlier ones: what holds the folder is hidden before it, what it holds after it.
 */
export async function bubblewrapArguments(confinement: Confinement): Promise<string[]> {
  const { environment, dataDir, folder, cwd, temporary, writes } = confinement;
  const [hidden, caches, repository] = await Promise.all([
    privatePlaces(environment, dataDir),
    writes === 'folder' ? cachePlaces(environment) : [],
    writes === 'folder' ? worktreeRepository(folder) : undefined,
  ]);
  const bind = writes === 'folder' ? '--bind' : '--ro-bind';
  const above = hidden.filter(({ path }) => isWithin(path, folder));
  const rest = hidden.filter((place) => !above.includes(place));
  const writable = [...caches.map(({ path }) => path), ...(repository === undefined ? [] : [repository])];
  const folders = hidden.filter(({ isFolder }) => isFolder);
  return [
    ...BASE,
    ...(await temporaryMounts(temporary)),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...above.flatMap(hide),
    bind,
    folder,
    folder,
    ...rest.flatMap(hide),
    // What is written there would be lost without a word.
    ...folders.flatMap(({ path }) => ['--remount-ro', path]),
    '--chdir',
    cwd,
    '--',
  ];
}

function hide({ path, isFolder }: Place): string[] {
  return isFolder ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

/** The sockets and files of others in the system's temporary folders are out of sight. */
async function temporaryMounts(temporary: string): Promise<string[]> {
  const places = await Promise.all(['/tmp', '/var/tmp'].map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(places)].flatMap((path) => (path === undefined ? [] : ['--bind', temporary, path]));
}
