import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Linux: `renameat2` with RENAME_EXCHANGE, so that both names exist at every moment. */
const EXCHANGE = `
  $| = 1; my ($number, $one, $other) = @ARGV;
  syscall($number + 0, -100, $one, -100, $other, 2) == 0 or die "not exchanged: $!";
  print 'ready';
  while (1) { syscall($number + 0, -100, $one, -100, $other, 2); }`;
const CALLS: Partial<Record<string, number>> = { x64: 316, arm64: 276 };

const RENAMES = `
  const { renameSync } = require('node:fs');
  const [one, other] = process.argv.slice(1);
  process.stdout.write('ready');
  for (;;) for (const [from, to] of [[one, one + '.1'], [other, one], [one + '.1', other]]) try { renameSync(from, to); } catch {}`;

/** For tests: another process exchanges two names, as fast as it can, until it is disposed of. */
export async function swapNames(one: string, other: string): Promise<AsyncDisposable> {
  const call = process.platform === 'linux' ? CALLS[process.arch] : undefined;
  const argv: [string, string[]] =
    call === undefined
      ? [process.execPath, ['-e', RENAMES, one, other]]
      : ['perl', ['-e', EXCHANGE, String(call), one, other]];
  const swapper: ChildProcess = spawn(argv[0], argv[1], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(swapper, 'exit');
  if (swapper.stdout) await Promise.race([once(swapper.stdout, 'data'), gone]);
  return {
    async [Symbol.asyncDispose]() {
      swapper.kill('SIGKILL');
      await gone;
    },
  };
}
