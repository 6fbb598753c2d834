import { execFileSync } from 'node:child_process';

/**
 * Ids of the running processes of this machine whose command line contains `marker`, first those whose parent is not one
 * of them: a child may have the smaller id. A sandbox has its own process numbers, so ids reported from inside are
 * useless here.
 */
export function processesWith(marker: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  const parents = new Map<number, number>();
  for (const line of lines) {
    const [, pid = '', parent = '', state = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // A zombie that was not reaped yet still has its id.
    const isLiving = !/^[ZX]/.test(state) && Number(pid) !== process.pid;
    if (isLiving && args.includes(marker)) parents.set(Number(pid), Number(parent));
  }
  const isChild = (pid: number): boolean => parents.has(parents.get(pid) ?? 0);
  const pids = [...parents.keys()];
  return [...pids.filter((pid) => !isChild(pid)), ...pids.filter(isChild)];
}
