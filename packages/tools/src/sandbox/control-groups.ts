import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ambient } from '@fucina/shared';

/** Control groups of the Linux kernel that one session's commands share. */
export interface SessionGroups {
  /** Folders whose `cgroup.procs` takes a process in: one, or in the older form one for each limit. */
  folders: readonly string[];
  /** How often the kernel ended a process of these groups for want of memory. */
  memoryKills(): number;
  remove(): Promise<void>;
}

export interface Limits {
  processes: number;
  /** Bytes. */
  memory: number;
}

/** Where groups may be made: `settings` are the files that set limits there. */
export interface Place {
  parent: string;
  settings: readonly (readonly [file: string, value: string])[];
}

/** Never rejects. Those this system lets the server make; none on most servers without root, and on systems other than Linux. */
export async function makeSessionGroups(
  ambient: Ambient,
  limits: Limits,
  find: (limits: Limits) => Promise<Place[]> = places,
): Promise<SessionGroups> {
  const name = `fucina-${process.pid}-${ambient.newId()}`;
  const made = await Promise.all((await find(limits)).map((place) => makeGroup(place, name)));
  const folders = made.filter((folder) => folder !== undefined);
  return {
    folders,
    memoryKills: () => folders.reduce((sum, folder) => sum + killsOf(folder), 0),
    remove: async () => void (await Promise.all(folders.map(remove))),
  };
}

/** Beside this process's own group: one that holds processes can hold no limited groups below it. */
async function places({ processes, memory }: Limits): Promise<Place[]> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8').catch(() => '')).split('\n');
  const unified = lines.find((line) => line.startsWith('0::'))?.slice(3);
  const older = (controller: string, file: string, value: string): Place[] => {
    const own = lines.find((line) => line.split(':')[1] === controller)?.split(':')[2];
    return own === undefined ? [] : [{ parent: join('/sys/fs/cgroup', controller, own), settings: [[file, value]] }];
  };
  const both = [
    ...older('pids', 'pids.max', String(processes)),
    ...older('memory', 'memory.limit_in_bytes', String(memory)),
  ];
  if (both.length > 0 || unified === undefined) return both;
  const parent = join('/sys/fs/cgroup', unified === '/' ? '/' : dirname(unified));
  return [
    {
      parent,
      settings: [
        ['pids.max', String(processes)],
        ['memory.max', String(memory)],
      ],
    },
  ];
}

async function makeGroup({ parent, settings }: Place, name: string): Promise<string | undefined> {
  const group = join(parent, name);
  try {
    await mkdir(group);
  } catch {
    return undefined; // not there, or not ours to change
  }
  await removeLeft(parent);
  // One limit may be absent where the system does not count what it limits.
  const set = await Promise.allSettled(settings.map(([file, value]) => writeFile(join(group, file), value)));
  if (set.some(({ status }) => status === 'fulfilled')) return group;
  await remove(group);
  return undefined;
}

/** Groups of servers that were killed. */
async function removeLeft(parent: string): Promise<void> {
  // Who may make a folder in another may still not be allowed to list it.
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = /^fucina-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await remove(join(parent, name));
  }
}

/** The system keeps a group in which something still runs. */
async function remove(group: string): Promise<void> {
  await rmdir(group).catch(() => undefined);
}

function killsOf(group: string): number {
  for (const file of ['memory.events', 'memory.oom_control']) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(group, file), 'utf8'))?.[1] ?? 0);
    } catch {
      // of the other form, or a group that limits something else
    }
  }
  return 0;
}
