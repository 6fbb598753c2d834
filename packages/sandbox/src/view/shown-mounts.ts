import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isWithin } from '@fucina/shared';
import { identityAt } from './identity.ts';
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

/**
 * Notes for each mount which file or folder its source names now, by device and inode. A source that a link leads to has
 * no identity: a command could lead it anywhere until it is mounted.
 */
export function identified(mounts: readonly Mount[]): Mount[] {
  return mounts.map((mount) => (isOnDisk(mount) ? { ...mount, identity: identityAt(mount.source) } : mount));
}

/** The files to be mounted: a new file under the same name has another identity. */
export function sourcesOf(mounts: readonly Mount[]): string {
  return mounts
    .filter(isOnDisk)
    .map(({ identity }) => identity)
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
 * The mounts of this process's sandbox, if they are what was meant: other commands may have replaced or moved files
 * during its creation. Undefined if they are not; throws if the process has ended or the system does not allow the check.
 */
export function shownBy(container: number, mounts: readonly Mount[]): Shown | undefined {
  const pid = lastBelow(container);
  const text = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  const listed = new Map(text.split('\n').flatMap((line) => entryOf(line) ?? []));
  const isRight = (mount: Mount): boolean => {
    if (mount.kind === 'link') return true;
    const options = listed.get(mount.target);
    if (options === undefined) return false;
    if (mount.kind !== 'writable' && !options.split(',').includes('ro')) return false;
    if (!isOnDisk(mount)) return true;
    const there = identityAt(`/proc/${pid}/root${mount.target}`, mount.target);
    return there !== undefined && there === mount.identity;
  };
  const seen = mounts.filter((mount, at) => !isCovered(mount, mounts.slice(at + 1)));
  return seen.every(isRight) ? { pid, mounts: text } : undefined;
}

const isOnDisk = (mount: Mount): mount is DiskMount => 'source' in mount;

const isCovered = ({ target }: Mount, later: readonly Mount[]): boolean =>
  later.some((mount) => mount.kind !== 'link' && isWithin(mount.target, target));

/** Mount point and options of a line of `mountinfo`. */
function entryOf(line: string): [[target: string, options: string]] | undefined {
  const [, , , , target, options] = line.split(' ');
  if (target === undefined || options === undefined) return undefined;
  const plain = target.replace(/\\(\d{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return [[plain, options]];
}

/** The program itself: its ancestors create the sandbox. */
function lastBelow(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : lastBelow(child);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    statSync(`/proc/${pid}`); // it has ended
    // A kernel without lists of children.
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
      .map(Number);
  }
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // ended
  }
}
