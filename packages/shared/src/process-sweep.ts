import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises';
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
  const wanted = { roots, needle: Buffer.from(`${RUN_MARKER}=${marker}`), sinceMs: since?.upMs ?? 0 };
  let before = since?.pid;
  for (let look = 0; look < MAX_LOOKS; look++) {
    const last = lastPid();
    const found = await findAmong(await pidsSince(before, last), wanted);
    // One that started another and ended while this looked hides it: its child is among the newer ones.
    if (found.length > 0 || lastPid() === last) return found;
    before = last;
  }
  return [];
}

/** Each covers only the processes that started during the one before; most often there are none. */
const MAX_LOOKS = 200;

async function findAmong(
  pids: readonly number[],
  { roots, needle, sinceMs }: { roots: readonly number[]; needle: Buffer; sinceMs: number },
): Promise<number[]> {
  const running = (await readAll(pids)).filter(({ startedAtMs }) => startedAtMs >= sinceMs - TICK_MS);
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
 * Processes after `pid`, up to `last`: every number given to one or to a thread, usually a few, of which most have
 * ended; if there are many, all that run. Numbers start again at the highest one: then newer processes have lower ones.
 */
async function pidsSince(pid: number | undefined, last: number): Promise<number[]> {
  const isShort = pid !== undefined && last >= pid && last - pid <= MAX_NEWER;
  const pids = isShort
    ? Array.from({ length: last - pid }, (_none, index) => pid + 1 + index)
    : (await readdir('/proc')).map(Number).filter(Number.isInteger);
  return pids.filter((one) => one !== process.pid);
}

/** The number given last to a process or thread. */
const lastPid = (): number => Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4]);

/** From the same file, so both have the same tick length. */
const TICK_MS = 10;
const START_FIELD = 19;
const FLAGS_FIELD = 6;
const ENVIRONMENT_FIELD = 47;
/** Of the flags. */
const KERNEL_THREAD = 0x200000;
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
  const fields = statOf(pid);
  return fields && { pid, parent: Number(fields[1]), startedAtMs: Number(fields[START_FIELD]) * TICK_MS };
}

/** From the state on; undefined once it has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields;
  } catch {
    return undefined; // ended in the meantime
  }
}

/** Time for a process to begin its program: from a slow disk, this takes a while. */
const BEGIN_TRIES = 200;

async function isMarked(pid: number, needle: Buffer): Promise<boolean> {
  let place: string | undefined;
  for (let again = 0; again < BEGIN_TRIES; again++) {
    // In the thread pool: the system may block a reader while a process is stuck.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => undefined); // another user's, or ended
    if (environment === undefined) return false;
    if (environment.length > 0) return environment.includes(needle);
    const before = place;
    place = placeOfEnvironment(pid);
    if (place === undefined || (place !== NO_PLACE && place === before)) return false;
    await sleep(1);
  }
  return false;
}

const NO_PLACE = '0';

/**
 * Where an empty environment is in its memory. A process that goes from one program to the next has none for a moment,
 * or the next one's before that has its content: unlike one that stays empty. Undefined if it will never have one.
 */
function placeOfEnvironment(pid: number): string | undefined {
  const fields = statOf(pid);
  return fields && !(Number(fields[FLAGS_FIELD]) & KERNEL_THREAD) ? fields[ENVIRONMENT_FIELD] : undefined;
}
