import { type Ambient, type Environment, homeOf, realPathAt, type WriteReach } from '@fucina/shared';
import type { ControlFolder } from './control-files/control-folders.ts';
import { controlMounts, projectAround } from './control-files/control-mounts.ts';
import { openedMounts, type ReadView } from './rules/rule-mounts.ts';
import type { RulesInForce } from './rules/sandbox-rules.ts';
import type { BaseView } from './view/base-view.ts';
import type { DeniedFiles, DeniedReading } from './view/denied-files.ts';
import type { HomeSettings } from './view/home-settings.ts';
import { createMountPoints } from './view/mount-points.ts';
import { type Mount, mountArguments, withoutRepeats } from './view/mounts.ts';
import { secretsInside } from './view/private-places.ts';
import { cacheMounts, type ProjectHome } from './view/project-home.ts';
import { identified } from './view/shown-mounts.ts';
import { coveredSockets } from './view/sockets.ts';
import { hiddenPlace } from './view/system-view.ts';
import { linkedWorktree, worktreeMounts } from './view/worktree.ts';

export interface Confinement {
  ambient: Ambient;
  environment: Environment;
  dataDir: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Absolute, as the command will see it. */
  cwd: string;
  /** Absolute folder that replaces /tmp. */
  temporary: string;
  writes: Exclude<WriteReach, 'anything'>;
  /** Paths of control files, below `folder`. */
  controlFolders: Promise<readonly ControlFolder[]>;
  baseView(): BaseView;
  settings: HomeSettings;
  projectHome: ProjectHome;
  /** What the user's rules allow the commands of this folder. */
  inForce: RulesInForce;
  readView: ReadView;
  deniedFiles: DeniedFiles;
  /** The user's rules that deny reading. */
  denied?: DeniedReading | undefined;
  /** See `worktreeMounts`. */
  testFolder?: string | undefined;
  /** Whether it runs in namespaces that belong to a user namespace. */
  isUserNamespace: Promise<boolean>;
}

/** For a server running as root: enough to access files of other users, nothing that could undo a mount. */
const ROOT_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID'];

/** The descriptor of the seccomp filter. */
const FILTER = '4';
const BASE = `--die-with-parent --new-session --unshare-pid --unshare-ipc --unshare-uts --seccomp ${FILTER}`.split(' ');

/** Kernel files owned by root: only a command of a server running as root could write them. */
const KERNEL_SETTINGS = ['sys', 'fs', 'acpi', 'scsi', 'sysrq-trigger'].flatMap((name) => [
  '--ro-bind-try',
  `/proc/${name}`,
  `/proc/${name}`,
]);

/**
 * Privileges of the command. In a user namespace it has the user's own id and none; root without one has what access to
 * files of others needs.
 */
function rightsOf(isUserNamespace: boolean): string[] {
  if (!isUserNamespace) return ['--cap-drop', 'ALL', ...ROOT_CAPABILITIES.flatMap((one) => ['--cap-add', one])];
  const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return ['--unshare-user', '--uid', `${user}`, '--gid', `${group}`, '--cap-drop', 'ALL', '--disable-userns'];
}

/**
 * The arguments after the program's name and before the command's own. The command sees only what is named here: the
 * file system starts empty. Later mounts cover earlier ones.
 */
export async function bubblewrapArguments(
  confinement: Confinement,
): Promise<{ argv: readonly string[]; mounts: readonly Mount[] }> {
  const { cwd } = confinement;
  const [view, isUserNamespace] = await Promise.all([viewOf(confinement), confinement.isUserNamespace]);
  const mounts = identified(view);
  const argv = [
    ...rightsOf(isUserNamespace),
    ...BASE,
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...(process.getuid?.() === 0 ? KERNEL_SETTINGS : []),
    ...mountArguments(mounts),
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
    '--',
  ];
  return { argv, mounts };
}

async function viewOf(confinement: Confinement): Promise<Mount[]> {
  const { environment, dataDir, folder, temporary, writes, baseView, settings, projectHome, inForce } = confinement;
  const home = homeOf(environment);
  const isWritable = writes === 'folder';
  const [reads, caches, copies, ...own] = await Promise.all([
    confinement.readView(inForce.reads),
    projectHome.caches(folder, isWritable),
    settings.mounts(),
    isWritable ? worktreeMounts(folder, confinement) : readableWorktree(confinement),
    folderMounts(confinement),
    confinement.deniedFiles.masks(folder, confinement.denied),
  ]);
  const { system, programs, toolchains } = baseView();
  const before = [system, projectAround(folder, home), programs, temporaryMounts(temporary), reads].flat();
  const secrets = secretsInside(folder, environment, dataDir).flatMap(hiddenPlace);
  const after = [toolchains, copies, hiddenPlace(dataDir), own.flat(), coveredSockets(folder), secrets].flat();
  if (!isWritable) {
    await createMountPoints(
      caches.each.map(({ mount }) => mount),
      [...before, ...after],
    );
  }
  return withoutRepeats([...before, ...cacheMounts(caches, [...before, ...after]), ...after]);
}

async function folderMounts({ folder, writes, controlFolders, inForce }: Confinement): Promise<Mount[]> {
  if (writes !== 'folder') return [{ kind: 'read-only', source: folder, target: folder }];
  const mounts = await controlMounts(folder, await controlFolders);
  return [{ kind: 'writable', source: folder, target: folder }, ...openedMounts(mounts, folder, inForce.writes)];
}

async function readableWorktree(confinement: Confinement): Promise<Mount[]> {
  const commonDir = (await linkedWorktree(confinement.folder, confinement))?.commonDir;
  return commonDir === undefined ? [] : [{ kind: 'read-only', source: commonDir, target: commonDir }];
}

/** Hides sockets and files of other programs in the system's temporary folders. */
function temporaryMounts(temporary: string): Mount[] {
  return [...new Set(['/tmp', '/var/tmp'].map(realPathAt))].flatMap((target): Mount[] =>
    target === undefined ? [] : [{ kind: 'writable', source: temporary, target }],
  );
}
