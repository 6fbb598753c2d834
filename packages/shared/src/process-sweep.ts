import { readdir, readFile } from 'node:fs/promises';
import { systemCode } from './errors.ts';

/** Every child carries this variable, so that one which left the process group can still be found. */
export const RUN_MARKER = 'SVC_RUN';

interface Running {
  pid: number;
  parent: number;
  isMarked: boolean;
}

/**
 * The living processes of a run: those whose environment carries the marker, and every descendant of `roots` and of these.
 * Only where /proc exists (Linux); elsewhere the process group is all there is, and this is empty.
 * `newerThan` looks only at process ids above it: cheap, for a run that ended by itself.
 */
export async function findRun(
  marker: string,
  { roots, newerThan = 0 }: { roots: readonly number[]; newerThan?: number },
): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > newerThan && pid !== process.pid);
  const needle = Buffer.from(`${RUN_MARKER}=${marker}`);
  const running = (await Promise.all(pids.map((pid) => readProcess(pid, needle)))).filter((one) => one !== undefined);
  const members = new Set([...roots, ...running.filter((one) => one.isMarked).map((one) => one.pid)]);
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const one of running) if (members.has(one.parent)) members.add(one.pid);
  }
  return running.filter((one) => members.has(one.pid)).map((one) => one.pid);
}

const living = new Set<number>();
let isWatched = false;

/** Should this process end first (`process.exit`, an uncaught error), the child's group ends with it. The answer forgets it. */
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

/** Sends a signal to one process, or to a group with a negative id; false when nobody is there. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // EPERM: it changed its user (sudo); it is there, but not ours to end.
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false;
    throw error;
  }
}

async function readProcess(pid: number, needle: Buffer): Promise<Running | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0)); // another user's
    return { pid, parent: Number(parent), isMarked: environment.includes(needle) };
  } catch {
    return undefined; // ended meanwhile
  }
}
