import { readFile, stat } from 'node:fs/promises';
import { isWithin } from '@fucina/shared';
import type { DiskMount, Mount } from './mounts.ts';

/** The mounts of a created sandbox. */
export interface Shown {
  /** A process in it. */
  pid: number;
  /**
   * As the kernel lists them. A mount that moved with a folder, or whose source was deleted, is listed differently.
   */
  mounts: string;
}

/** The files to be mounted, by inode: a new file under the same name has another one. */
export async function sourcesOf(mounts: readonly Mount[]): Promise<string> {
  return (await Promise.all(mounts.filter(isOnDisk).map(({ source }) => identityOf(source)))).join(' ');
}

export function mountsOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
}

/**
 * The mounts of this process's sandbox, if they are what was requested: files may have been replaced or moved during
 * its creation. Undefined if they are not; rejects if the system does not allow the check.
 */
export async function shownBy(container: number, mounts: readonly Mount[]): Promise<Shown | undefined> {
  const pid = await lastBelow(container);
  const text = await readFile(`/proc/${pid}/mountinfo`, 'utf8');
  const listed = new Map(text.split('\n').flatMap((line) => entryOf(line) ?? []));
  const isRight = async (mount: Mount): Promise<boolean> => {
    if (mount.kind === 'link') return true;
    const options = listed.get(mount.target);
    if (options === undefined) return false;
    if (options.split(',').includes('ro') !== (mount.kind !== 'writable')) return false;
    if (!isOnDisk(mount)) return true;
    const [wanted, there] = await Promise.all([stat(mount.source), stat(`/proc/${pid}/root${mount.target}`)]);
    return wanted.dev === there.dev && wanted.ino === there.ino;
  };
  const right = await Promise.all(mounts.filter((mount, at) => !isCovered(mount, mounts.slice(at + 1))).map(isRight));
  return right.every(Boolean) ? { pid, mounts: text } : undefined;
}

const isOnDisk = (mount: Mount): mount is DiskMount => 'source' in mount;

const isCovered = ({ target }: Mount, later: readonly Mount[]): boolean =>
  later.some((mount) => mount.kind !== 'link' && isWithin(mount.target, target));

async function identityOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
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
async function lastBelow(pid: number): Promise<number> {
  const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1')).split(' ').filter(Boolean);
  return child === undefined ? pid : lastBelow(Number(child));
}
