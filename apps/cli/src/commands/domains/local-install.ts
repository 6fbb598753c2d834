import type { LibraryInstallation } from '@fucina/host';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import type { Words } from '../../words/index.ts';
import { type Flags, reportDone } from './listing.ts';
import { progressBar, sizeOf } from './local-progress.ts';

const LOOK_MS = 300;

const PROBLEMS: Readonly<Record<NonNullable<LibraryInstallation['problem']>, keyof Words>> = {
  'npm-missing': 'local.install-npm',
  unreachable: 'local.install-unreachable',
  'not-found': 'local.install-not-found',
  damaged: 'local.install-damaged',
  'disk-full': 'local.install-disk',
  failed: 'local.install-failed',
};

/** Installs the library that runs local models, and waits for it; Ctrl+C cancels. Exit 1 when it fails. */
export async function installEngine(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const ended = await withHost(io, flags, async ({ services }) => {
    const { engineLibrary } = services;
    const ambient = await io.ambient('silent');
    let isStopped = false;
    const forget = io.onInterrupt(() => (isStopped = true));
    const bar = progressBar(terminal);
    try {
      let status = await engineLibrary.start();
      if (status.state === 'installing' && !flags.json) {
        err(say('local.installing', { version: status.version ?? '', size: sizeOf(status.totalBytes) }));
      }
      while (status.state === 'installing' && !isStopped) {
        bar.show(status.bytes, status.totalBytes);
        await ambient.sleep(LOOK_MS);
        status = await engineLibrary.status();
      }
      return isStopped ? await engineLibrary.cancel() : status;
    } finally {
      bar.end();
      forget();
    }
  });
  return report(ended, flags, terminal);
}

function report(status: LibraryInstallation, flags: Flags, terminal: Terminal): ExitCode {
  const { say, err, out } = terminal;
  if (status.state === 'installed') {
    reportDone(say('local.installed'), status, { flags, terminal });
    return EXIT.done;
  }
  if (flags.json) out(JSON.stringify(status));
  if (status.state !== 'failed') {
    err(`fucina: ${say('local.install-cancelled')}`);
    return EXIT.interrupted;
  }
  err(`fucina: ${say(PROBLEMS[status.problem ?? 'failed'], { code: status.detail ?? '?' })}`);
  return EXIT.failed;
}
