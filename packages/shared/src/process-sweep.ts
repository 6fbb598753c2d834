import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { systemCode } from './errors.ts';

/** Every child carries this variable, so that one that left the process group can be found. */
export const RUN_MARKER = 'SVC_RUN';

/** Of `/proc/<pid>/stat`. */
interface Running {
  pid: number;
  parent: number;
  /** Since system start. */
  startedAtMs: number;
}

/**
 * The running processes of a run: those whose environment carries the marker, and every descendant of `roots` and of
 * these. Only with /proc (Linux); elsewhere only the process group is known, and this is empty. `since`: excludes
 * processes that started earlier.
 */
export async function findRun(
  marker: string,
  { roots, since }: { roots: readonly number[]; since?: { pid: number; upMs: number } },
): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (newerPids(since?.pid) ?? (await readdir('/proc')).map(Number)).filter(
    (pid) => pid > (since?.pid ?? 0) && pid !== process.pid,
  );
  const first = (since?.upMs ?? 0) - TICK_MS;
  const running = (await readAll(pids)).filter(({ startedAtMs }) => startedAtMs >= first);
  const needle = Buffer.from(`${RUN_MARKER}=${marker}`);
  const marked = await Promise.all(running.map(({ pid }) => isMarked(pid, needle)));
  const members = new Set([...roots, ...running.filter((_one, index) => marked[index]).map(({ pid }) => pid)]);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const one of running) if (members.has(one.parent)) members.add(one.pid);
  }
  return running.filter((one) => members.has(one.pid)).map((one) => one.pid);
}

/** Above this many, a list of the running ones is shorter. */
const MAX_NEWER = 64;

/**
 * Every number given to a process or thread after `pid`: usually a few, of which most have ended. Undefined if there
 * are many.
 */
function newerPids(pid: number | undefined): number[] | undefined {
  if (pid === undefined) return undefined;
  const last = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4]);
  // Lower once the numbers start again: then newer processes have lower ones, too.
  if (!(last >= pid && last - pid <= MAX_NEWER)) return undefined;
  return Array.from({ length: last - pid }, (_none, index) => pid + 1 + index);
}

/** From the same file, so both have the same tick length. */
const TICK_MS = 10;
const START_FIELD = 19;
const READ_AT_ONCE = 64;

/** Synchronous: /proc is in memory, and the thread pool costs ten times as much. */
async function readAll(pids: readonly number[]): Promise<Running[]> {
  const running: Running[] = [];
  for (const [index, pid] of pids.entries()) {
    const one = readProcess(pid);
    if (one) running.push(one);
    if ((index + 1) % READ_AT_ONCE === 0) await yieldToOthers();
  }
  return running;
}

/** The clock of process start times: since system start, including sleep. */
export function systemUpMs(): number {
  return process.platform === 'linux' ? uptime() * 1000 : 0;
}

const living = new Set<number>();
let isWatched = false;

/**
 * If this process ends first (`process.exit`, an uncaught error), the child's group ends with it. The returned function
 * unregisters it.
 */
export function endWithThisProcess(pid: number): () => void {
  if (!isWatched) {
    process.on('exit', () => {
      for (const one of living) signalProcess(process.platform === 'win32' ? one : -one, 'SIGKILL');
    });
  }
  isWatched = true;
  living.add(pid);
  return () => living.delete(pid);
}

/** Sends a signal to one process, or to a group with a negative id; false when it does not exist. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it changed its user (sudo); it exists, but we may not end it.
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false;
    throw error;
  }
}

function readProcess(pid: number): Running | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    return { pid, parent: Number(parent), startedAtMs: Number(fields[START_FIELD]) * TICK_MS };
  } catch {
    return undefined; // ended in the meantime
  }
}

/** In the thread pool: the system may block a reader while a process is stuck. */
async function isMarked(pid: number, needle: Buffer): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined); // another user's, or ended
  return environment?.includes(needle) ?? false;
}
