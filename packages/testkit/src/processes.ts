import { execFileSync } from 'node:child_process';

/**
 * Ids of the running processes of this machine whose command line contains `marker`. A sandbox has its own process
 * numbers, so ids reported from inside are useless here.
 */
export function processesWith(marker: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid = '', state = '', args = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // A zombie that was not reaped yet still has its id.
    const isLiving = !/^[ZX]/.test(state) && Number(pid) !== process.pid;
    return isLiving && args.includes(marker) ? [Number(pid)] : [];
  });
}
