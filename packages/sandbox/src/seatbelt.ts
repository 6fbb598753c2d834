import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf } from '@fucina/shared';
import type { Confinement } from './bubblewrap.ts';
import { controlMounts } from './control-files/control-mounts.ts';
import { openedMounts } from './rules/rule-mounts.ts';
import { toolchains } from './view/home-view.ts';
import type { Mount } from './view/mounts.ts';
import { privatePlaces } from './view/private-places.ts';
import { CACHES } from './view/project-home.ts';
import { worktreeMounts } from './view/worktree.ts';

/**
 * A profile for macOS's own sandbox, by the same rules as on Linux where possible: no network, the home hidden except
 * for toolchains and build caches, control files read-only. It cannot mount, so caches are the user's own. Later rules
 * take precedence.
 */
export async function seatbeltProfile(confinement: Omit<Confinement, 'isUserNamespace'>): Promise<string> {
  const { environment, dataDir, folder, temporary, writes, controlFolders, inForce } = confinement;
  const isWritable = writes === 'folder';
  const home = homeOf(environment);
  const hidden = privatePlaces(environment, dataDir);
  const tools = toolchains(environment);
  const [reads, inner, repository, shared] = await Promise.all([
    confinement.readView(inForce.reads),
    isWritable
      ? controlFolders
          .then((folders) => controlMounts(folder, folders))
          .then((mounts) => openedMounts(mounts, folder, inForce.writes))
      : [],
    worktreeMounts(folder, confinement),
    isWritable ? Promise.all(['/tmp', tmpdir()].map((path) => realpath(path))) : [],
  ]);
  // The first is the whole repository of a linked worktree; what is writable of it comes after.
  const [whole, ...parts] = repository;
  const caches = [...CACHES, 'Library/Caches'].map((name) => join(home, name));
  const places = (kind: Mount['kind'], mounts: readonly Mount[]): string[] =>
    mounts.filter((mount) => mount.kind === kind).map(({ target }) => target);
  const writable = ['/dev', ...shared, ...(isWritable ? [...caches, ...places('writable', parts), folder] : [])];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny file-write*)',
    `(deny file-read-data ${subpaths([home])})`,
    `(allow file-read* ${subpaths([...places('read-only', tools), ...places('read-only', reads), ...(whole ? [whole.target] : []), ...caches, folder])})`,
    `(allow file-write* ${subpaths(writable)})`,
    rule('deny file-write*', [...places('read-only', inner), ...places('read-only', parts)]),
    rule(
      'deny file-read* file-write*',
      hidden.filter((path) => path !== folder && !folder.startsWith(`${path}/`)),
    ),
    `(allow file-read* file-write* ${subpaths([temporary])})`,
  ]
    .filter(Boolean)
    .join('\n');
}

const rule = (verdict: string, paths: readonly string[]): string =>
  paths.length === 0 ? '' : `(${verdict} ${subpaths(paths)})`;

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath "${path.replaceAll(/["\\]/g, '\\$&')}")`).join(' ');
}
