import { readFileSync, statSync } from 'node:fs';
import { isWithin, statsAt } from '@fucina/shared';
import type { DiskMount, Mount } from './mounts.ts';

/** The mounts of a created sandbox. */
export interface Shown {
  /** A process in it. */
  pid: number;
  /**
   * As the kernel lists them; empty if it has none of its own. A mount that moved with a folder, or whose source was
   * deleted, is listed differently.
   */
  mounts: string;
}

/** The files to be mounted, by inode: a new file under the same name has another one. */
export function sourcesOf(mounts: readonly Mount[]): string {
  return mounts
    .filter(isOnDisk)
    .map(({ source }) => identityOf(source))
    .join(' ');
}

export function mountsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * The mounts of this process's sandbox, if they are what was requested: files may have been replaced or moved during
 * its creation. Undefined if they are not; throws if the system does not allow the check.
 */
export function shownBy(container: number, mounts: readonly Mount[]): Shown | undefined {
  const pid = lastBelow(container);
  const text = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  const listed = new Map(text.split('\n').flatMap((line) => entryOf(line) ?? []));
  const isRight = (mount: Mount): boolean => {
    if (mount.kind === 'link') return true;
    const options = listed.get(mount.target);
    if (options === undefined) return false;
    if (options.split(',').includes('ro') !== (mount.kind !== 'writable')) return false;
    if (!isOnDisk(mount)) return true;
    const [wanted, there] = [statSync(mount.source), statSync(`/proc/${pid}/root${mount.target}`)];
    return wanted.dev === there.dev && wanted.ino === there.ino;
  };
  const seen = mounts.filter((mount, at) => !isCovered(mount, mounts.slice(at + 1)));
  return seen.every(isRight) ? { pid, mounts: text } : undefined;
}

const isOnDisk = (mount: Mount): mount is DiskMount => 'source' in mount;

const isCovered = ({ target }: Mount, later: readonly Mount[]): boolean =>
  later.some((mount) => mount.kind !== 'link' && isWithin(mount.target, target));

/** Device and inode of a file or folder. */
export function identityOf(path: string): string {
  const found = statsAt(path);
  return found ? `${found.dev}:${found.ino}` : 'none';
}

/** Mount point and options of a line of `mountinfo`. */
function entryOf(line: string): [[target: string, options: string]] | undefined {
  const [, , , , target, options] = line.split(' ');
  if (target === undefined || options === undefined) return undefined;
  const plain = target.replace(/\\(\d{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return [[plain, options]];
}

/** The program itself: its ancestors create the sandbox. */
function lastBelow(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
  return child === undefined ? pid : lastBelow(Number(child));
}
