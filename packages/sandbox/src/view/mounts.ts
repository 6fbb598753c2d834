import { readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { entryAt, isWithin, realPathAt, statsAt } from '@fucina/shared';

export interface DiskMount {
  kind: 'read-only' | 'writable';
  source: string;
  target: string;
  /** What `source` named when the mount was decided (see `identified`). */
  identity?: string;
}

/** One step of building a command's file system. Later mounts cover earlier ones. */
export type Mount =
  | DiskMount
  /** An empty, read-only folder. */
  | { kind: 'empty'; target: string }
  | { kind: 'link'; to: string; target: string };

/** Shows each existing path at its own name, read-only, with links resolved. */
export function shown(paths: readonly string[]): Mount[] {
  return paths.flatMap((target): Mount[] => {
    const source = realPathAt(target);
    return source === undefined ? [] : [{ kind: 'read-only', source, target }];
  });
}

/** A link stays a link (`/bin` → `usr/bin`); a folder is shown read-only; missing ones are skipped. */
export function shownOrLinked(path: string): Mount[] {
  const found = entryAt(path);
  if (found === undefined) return [];
  if (!found.isSymbolicLink()) return [{ kind: 'read-only', source: path, target: path }];
  return [{ kind: 'link', to: readlinkSync(path), target: path }];
}

/**
 * Without paths inside a tree that is already shown: each mount slows down every command. Where the tree shows a link,
 * what the link leads to is shown at its own name: bubblewrap mounts nothing over a link.
 */
export function withoutRepeats(mounts: readonly Mount[]): Mount[] {
  const kept: Mount[] = [];
  const below = (path: string): Mount | undefined => kept.findLast(({ target }) => isWithin(target, path));
  for (const given of mounts) {
    const mount = isLinkIn(below(given.target), given) ? { ...given, target: given.source } : given;
    if (!isRepeat(below(mount.target), mount)) kept.push(mount);
  }
  return kept;
}

function isLinkIn(below: Mount | undefined, mount: Mount): mount is DiskMount {
  if (mount.kind !== 'read-only' || mount.source === mount.target || below?.kind !== 'read-only') return false;
  return below.source === below.target && realPathAt(mount.target) === mount.source;
}

function isRepeat(below: Mount | undefined, mount: Mount): boolean {
  if (mount.kind !== 'read-only' || below?.kind !== 'read-only') return false;
  return join(below.source, relative(below.target, mount.target)) === mount.source;
}

/**
 * Bubblewrap's arguments for a list of mounts. Empty folders become read-only last, because later mounts may be inside
 * them.
 */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const closed = mounts.filter(({ kind }) => kind === 'empty').flatMap(({ target }) => ['--remount-ro', target]);
  return [...mounts.flatMap(argumentsOf), ...closed];
}

function argumentsOf(mount: Mount): string[] {
  switch (mount.kind) {
    case 'read-only':
      return ['--ro-bind', mount.source, mount.target];
    case 'writable':
      return ['--bind', mount.source, mount.target];
    case 'empty':
      return ['--tmpfs', mount.target];
    case 'link':
      return ['--symlink', mount.to, mount.target];
  }
}

export function isFolder(path: string): boolean {
  return statsAt(path)?.isDirectory() ?? false;
}
