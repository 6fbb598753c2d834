import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ambient } from '@fucina/shared';

/** Linux control groups shared by the commands of one session. */
export interface SessionGroups {
  /** Folders whose `cgroup.procs` accepts a process: one, or in the older version one per limit. */
  folders: readonly string[];
  /** How often the kernel killed a process of these groups for lack of memory. */
  memoryKills(): number;
  remove(): Promise<void>;
}

export interface Limits {
  processes: number;
  /** Bytes. */
  memory: number;
}

/** Where groups can be created: `settings` are the files that set limits there. */
export interface Place {
  parent: string;
  settings: readonly (readonly [file: string, value: string])[];
}

/**
 * Never rejects. The groups that this system lets the server create; none on most servers without root, and on systems
 * other than Linux.
 */
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

/** Next to this process's own group: a group with processes cannot have limited subgroups. */
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
    return undefined; // missing, or not writable for us
  }
  await removeLeft(parent);
  // One limit may be absent if the system does not account for it.
  const set = await Promise.allSettled(settings.map(([file, value]) => writeFile(join(group, file), value)));
  if (set.some(({ status }) => status === 'fulfilled')) return group;
  await remove(group);
  return undefined;
}

/** Groups of servers that were killed. */
async function removeLeft(parent: string): Promise<void> {
  // A process that may create a subfolder may still not be allowed to list the folder.
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = /^fucina-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await remove(join(parent, name));
  }
}

/** The system refuses to delete a group with a running process. */
async function remove(group: string): Promise<void> {
  await rmdir(group).catch(() => undefined);
}

function killsOf(group: string): number {
  for (const file of ['memory.events', 'memory.oom_control']) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(group, file), 'utf8'))?.[1] ?? 0);
    } catch {
      // of the other version, or a group that limits something else
    }
  }
  return 0;
}
