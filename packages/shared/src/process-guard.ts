import { type ChildProcess, spawn } from 'node:child_process';
import { withoutInherited } from './inherited-descriptors.ts';
import { endWithThisProcess } from './process-sweep.ts';

/**
 * A shell of its own session that knows process groups: when its input ends, because this process ended, however that
 * happened, it ends the groups that are left as a stop would. It runs while there are any.
 */
const SCRIPT = `groups=' '
while read -r act pid; do
  case $act in
    add) groups="$groups$pid " ;;
    remove) case $groups in *" $pid "*) groups="\${groups%%" $pid "*} \${groups#*" $pid "}" ;; esac ;;
  esac
done
left=
for pid in $groups; do kill -s TERM -- "-$pid" 2>/dev/null && left="$left $pid"; done
[ -z "$left" ] || sleep 2
for pid in $left; do kill -s KILL -- "-$pid" 2>/dev/null; done`;

const guarded = new Set<number>();
let guard: ChildProcess | undefined;

/** As `endWithThisProcess`, also when this process is killed. The returned function unregisters it. */
export function guardGroup(pid: number): () => void {
  const forget = endWithThisProcess(pid);
  if (process.platform === 'win32') return forget;
  guarded.add(pid);
  if (guard) tell(guard, 'add', pid);
  else guard = startGuard();
  return () => {
    forget();
    if (!guarded.delete(pid) || !guard) return;
    tell(guard, 'remove', pid);
    if (guarded.size > 0) return;
    guard.stdin?.end();
    guard = undefined;
  };
}

function startGuard(): ChildProcess {
  const child = withoutInherited(['pipe', 'ignore', 'ignore'] as const, (stdio) =>
    spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', env: {}, detached: true, stdio }),
  );
  const forget = (): void => {
    if (guard === child) guard = undefined;
  };
  child.once('exit', forget);
  child.once('error', forget);
  child.stdin?.on('error', () => undefined); // it ended: the next group gets another one
  child.unref();
  if (child.stdin && 'unref' in child.stdin) (child.stdin as unknown as { unref(): void }).unref();
  for (const pid of guarded) tell(child, 'add', pid);
  return child;
}

function tell(child: ChildProcess, act: 'add' | 'remove', pid: number): void {
  child.stdin?.write(`${act} ${pid}\n`);
}
