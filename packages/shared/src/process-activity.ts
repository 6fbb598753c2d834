import { readdir, readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { launcherPids } from './process-launcher.ts';

/** Of `/proc/<pid>/stat`, in ticks of 10 ms. */
const TICK_MS = 10;
const START_FIELD = 19;
const MAX_PROCESSES = 256;

/**
 * How often each thread below this process has been scheduled, as one text. Two equal texts prove that none of these
 * processes did anything in between. Undefined when one of them is running at this moment, there are too many, or the
 * system does not report it (anything but Linux).
 * @param startedAfter epoch ms: excludes older direct children and their descendants
 */
export async function activityMark(startedAfter: number, now: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    // Read at once: later, it would no longer belong to `now`.
    const startedAfterTick = (uptime() * 1000 - (now - startedAfter)) / TICK_MS;
    const found: string[] = [];
    const starters = [process.pid, ...launcherPids()];
    const children = (await Promise.all(starters.map((pid) => childrenOf(pid, startedAfterTick)))).flat();
    let level = children.filter((pid) => !starters.includes(pid));
    while (level.length > 0 && found.length <= MAX_PROCESSES) {
      found.push(...(await Promise.all(level.map(markOf))));
      level = (await Promise.all(level.map((pid) => childrenOf(pid, 0)))).flat();
    }
    return found.length > MAX_PROCESSES ? undefined : found.sort().join(' ');
  } catch {
    return undefined; // A process ended during the read, so something happened.
  }
}

async function childrenOf(pid: number, startedAfterTick: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1')));
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  if (startedAfterTick <= 0) return children;
  const starts = await Promise.all(children.map(async (child) => Number((await fieldsOf(child))[START_FIELD])));
  return children.filter((_child, index) => (starts[index] as number) >= startedAfterTick);
}

/** Throws for a running thread. */
async function markOf(pid: number): Promise<string> {
  const threads = await readdir(`/proc/${pid}/task`);
  const marks = await Promise.all(
    threads.map(async (thread) => {
      const [state] = await fieldsOf(pid, thread);
      if (state === 'R') throw new Error('running');
      return `${thread}:${(await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1')).trim().replaceAll(' ', ',')}`;
    }),
  );
  return `${pid}(${marks.sort().join(' ')})`;
}

/** From the state on: the name in parentheses may itself contain spaces and parentheses. */
async function fieldsOf(pid: number, thread?: string): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}${thread === undefined ? '' : `/task/${thread}`}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
