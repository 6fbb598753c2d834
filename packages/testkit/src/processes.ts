import { execFileSync } from 'node:child_process';

/**
 * Ids of the living processes of this machine whose command line holds `marker`. A sandbox gives its processes numbers of
 * their own, so what they call themselves says nothing here.
 */
export function processesWith(marker: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid = '', state = '', args = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    // One that ended and that nobody has asked for its end yet still has its number.
    const isLiving = !/^[ZX]/.test(state) && Number(pid) !== process.pid;
    return isLiving && args.includes(marker) ? [Number(pid)] : [];
  });
}
