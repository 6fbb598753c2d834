import { execFileSync } from 'node:child_process';

/**
 * Ids of the running processes of this machine whose command line contains `marker`, first those whose parent is not one
 * of them: a child may have the smaller id. A sandbox has its own process numbers, so ids reported from inside are
 * useless here.
 */
export function processesWith(marker: string): number[] {
  const parents = new Map<number, number>();
  for (const { pid, parent, args } of livingProcesses()) {
    if (pid !== process.pid && args.includes(marker)) parents.set(pid, parent);
  }
  const isChild = (pid: number): boolean => parents.has(parents.get(pid) ?? 0);
  const pids = [...parents.keys()];
  return [...pids.filter((pid) => !isChild(pid)), ...pids.filter(isChild)];
}

/**
 * Those of them that are this process (default: the test's own) or below it. Other suites run the same programs at the
 * same time.
 */
export function processesBelow(marker: string, ancestor = process.pid): number[] {
  const parents = new Map(livingProcesses().map(({ pid, parent }) => [pid, parent]));
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) if (at === ancestor) return true;
    return false;
  };
  return processesWith(marker).filter(isBelow);
}

function livingProcesses(): { pid: number; parent: number; args: string }[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid = '', parent = '', state = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // A zombie that was not reaped yet still has its id.
    return pid === '' || /^[ZX]/.test(state) ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}
