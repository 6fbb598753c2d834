import { readdirSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { launcherPids } from './process-launcher.ts';

/** Of `/proc/<pid>/stat`, in ticks of 10 ms. */
const TICK_MS = 10;
const START_FIELD = 19;
const MAX_PROCESSES = 256;
/** Processes read in one go: the kernel answers from memory, so a trip to another thread for each file takes longer. */
const IN_ONE_GO = 16;

const notCounted = new Set<number>();

/** Leaves out a child process that runs no command, such as one that watches folders, until the returned function is called. */
export function leaveOutOfActivity(pid: number): () => void {
  notCounted.add(pid);
  return () => void notCounted.delete(pid);
}

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
    const children = starters.flatMap((pid) => childrenOf(pid, startedAfterTick));
    const left = children.filter((pid) => !starters.includes(pid) && !notCounted.has(pid));
    for (let pid = left.pop(); pid !== undefined && found.length <= MAX_PROCESSES; pid = left.pop()) {
      found.push(markOf(pid));
      left.push(...childrenOf(pid, 0));
      if (found.length % IN_ONE_GO === 0) await yieldToOthers();
    }
    return found.length > MAX_PROCESSES ? undefined : found.sort().join(' ');
  } catch {
    return undefined; // A process ended during the read, so something happened.
  }
}

function childrenOf(pid: number, startedAfterTick: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'));
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  if (startedAfterTick <= 0) return children;
  return children.filter((child) => Number(fieldsOf(child)[START_FIELD]) >= startedAfterTick);
}

/** Throws for a running thread. */
function markOf(pid: number): string {
  const marks = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [state] = fieldsOf(pid, thread);
    if (state === 'R') throw new Error('running');
    return `${thread}:${readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').trim().replaceAll(' ', ',')}`;
  });
  return `${pid}(${marks.sort().join(' ')})`;
}

/** From the state on: the name in parentheses may itself contain spaces and parentheses. */
function fieldsOf(pid: number, thread?: string): string[] {
  const stat = readFileSync(`/proc/${pid}${thread === undefined ? '' : `/task/${thread}`}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
