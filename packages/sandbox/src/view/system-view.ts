import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Environment, entryAt, isWithin, realPathAt } from '@fucina/shared';
import { isFolder, type Mount, shown, shownOrLinked } from './mounts.ts';

/** Programs, libraries and their settings: the same for every user of the machine. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix', '/gnu', '/sys'];

/** Of the system's runtime state only what programs need. The rest contains sockets of services. */
const STATE = [
  '/var/lib/dpkg',
  '/var/lib/rpm',
  '/var/lib/pacman',
  '/var/lib/ca-certificates',
  '/var/lib/ca-certificates-java',
  '/var/cache/fontconfig',
  '/var/cache/man',
  '/run/current-system',
  '/run/opengl-driver',
  '/run/host',
];

/** Readable only by root, or by a group: a server that can read them hides them from its commands. */
const OF_ROOT = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssl/private',
  '/etc/pki/tls/private',
  '/etc/letsencrypt',
  '/etc/wireguard',
  '/etc/NetworkManager/system-connections',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/docker/key.json',
  '/etc/krb5.keytab',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
];

/** The system, read-only, without secrets and sockets. */
export function systemView(): Mount[] {
  const hidden = OF_ROOT.filter((path) => entryAt(path) && isOpenToUs(path)).flatMap(hiddenPlace);
  const run: Mount = { kind: 'link', to: '/run', target: '/var/run' };
  return [...SYSTEM.flatMap(shownOrLinked), run, ...shown(STATE), ...hidden];
}

/** Whether this process could read it, or list it if it is a folder. */
function isOpenToUs(path: string): boolean {
  const can = (mode: number): boolean => {
    try {
      accessSync(path, mode);
      return true;
    } catch {
      return false;
    }
  };
  return can(constants.R_OK) || can(constants.X_OK);
}

/** Covers existing paths: a folder with an empty one, a file with an empty file. */
export function hiddenPlace(path: string): Mount[] {
  const real = realPathAt(path);
  if (real === undefined) return [];
  if (isFolder(real)) return [{ kind: 'empty', target: real }];
  return [{ kind: 'read-only', source: '/dev/null', target: real }];
}

/**
 * Programs installed elsewhere: each folder of PATH outside the system and the home, with its tree (`/data/node/bin`
 * adds `/data/node`, but `/data/.tool/bin` only itself: such trees also contain settings and keys).
 */
export function programsElsewhere(environment: Environment, home: string): Mount[] {
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  const trees = folders
    .filter((folder) => ![...SYSTEM, home].some((known) => isWithin(known, folder)))
    .map((folder) => (/\/[^./][^/]*\/bin$/.test(folder) ? join(folder, '..') : folder))
    .filter((tree) => tree !== '/' && !isWithin(tree, home));
  return shown([...new Set(trees)]);
}
